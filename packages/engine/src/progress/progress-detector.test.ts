import fc from "fast-check";
import { expect, it } from "vitest";
import type { CalledTool } from "./call-round.ts";
import { MAX_PERIOD } from "./cycle-counter.ts";
import { ProgressDetector } from "./progress-detector.ts";

it("finds a call that came with the same result for the third time", () => {
  const detector = new ProgressDetector(true);

  const findings = times(4, () => detector.toolRound([call("look", { id: 1 }, "nothing")]));

  expect(findings).toMatchObject([
    undefined,
    undefined,
    { kind: "RepeatedCall", repeats: 2, period: 1, waits: false, names: ["look"] },
    { repeats: 3 },
  ]);
});

it("finds nothing while a result differs", () => {
  const detector = new ProgressDetector(true);

  const findings = times(12, (turn) =>
    detector.toolRound([call("look", { id: 1 }, `page ${turn}`)]),
  );

  expect(findings.some(Boolean)).toBe(false);
});

it("takes calls of one batch for one step, in whatever order they stand", () => {
  const detector = new ProgressDetector(true);
  const [a, b] = [call("a", {}, "1"), call("b", {}, "2")];

  expect(detector.toolRound([a, a, a, a])).toBeUndefined();
  const findings = times(3, (turn) => detector.toolRound(turn === 1 ? [b, a] : [a, b]));

  expect(findings.at(-1)).toMatchObject({ repeats: 2, names: ["a", "b"] });
});

it("never sees a difference in the order of members, at any depth", () => {
  const member = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });

  fc.assert(
    fc.property(member, (given) => {
      const detector = new ProgressDetector(true);
      const written = [given, reversed(given), given].map((it) => JSON.stringify(it));

      const findings = written.map((input) => detector.toolRound([call("a", input, "same")]));

      expect(findings.at(-1)?.repeats).toBe(2);
    }),
  );
});

it("passes over reading between equal acts, and starts reading anew after an act", () => {
  const detector = new ProgressDetector(true);
  const read = (path: string | number) => call("read", { path }, "text", { effect: "read" });

  const rereads = times(4, () => detector.toolRound([read("a")]));
  const acts = times(3, (turn) => {
    const found = detector.toolRound([call("test", {}, "1 failed")]);
    expect(detector.toolRound([read("a")])).toBeUndefined();
    detector.toolRound([read(turn)]);
    return found;
  });

  expect(rereads.at(-1)).toMatchObject({ repeats: 3, names: ["read"] });
  expect(acts).toMatchObject([undefined, undefined, { repeats: 2, names: ["test"] }]);
});

it("takes a complaint about arguments for the same, whatever the arguments, and a failure not", () => {
  const complaint = { ok: false, kind: "InvalidArguments", error: "'q' must be a list" } as const;
  const failure = { ok: false, kind: "Failed", error: "no such file" } as const;
  const detector = new ProgressDetector(true);

  const complaints = times(3, (turn) =>
    detector.toolRound([calling("ask", { q: turn }, complaint)]),
  );
  const failures = times(5, (turn) => detector.toolRound([calling("open", { q: turn }, failure)]));

  expect(complaints.at(-1)).toMatchObject({ repeats: 2 });
  expect(failures.some(Boolean)).toBe(false);
});

it.each<readonly [string, CalledTool]>([
  ["an answer that says to wait", call("job", {}, '{"status":"running"}')],
  ["a call that sleeps", call("sleep", { seconds: 5 }, "")],
  ["a tool registered as polled", call("tail", {}, "", { isPolled: true })],
])("finds %s only at the tenth time, as one that waits", (_, polled) => {
  const detector = new ProgressDetector(true);

  const findings = times(10, () => detector.toolRound([polled]));

  expect(findings.slice(0, 9).some(Boolean)).toBe(false);
  expect(findings.at(-1)).toMatchObject({ repeats: 9, waits: true });
});

it("calls agents that are asked in turn a ping-pong, and one agent a repeated call", () => {
  const two = new ProgressDetector(true);
  const one = new ProgressDetector(true);
  const asked = (agentName: string) => ({ agentName, message: "Take over.", answer: "Not mine." });

  const turns = times(6, (turn) => two.childCall(asked(turn % 2 === 0 ? "sales" : "support")));
  const calls = times(3, () => one.childCall(asked("sales")));

  expect(turns.at(-1)).toMatchObject({
    kind: "PingPong",
    repeats: 2,
    period: 2,
    names: ["sales", "support"],
  });
  expect(calls.at(-1)).toMatchObject({ kind: "RepeatedCall", names: ["sales"] });
});

it("takes a new act for progress between child calls, and a new child call between acts", () => {
  const detector = new ProgressDetector(true);

  const findings = times(5, (turn) => [
    detector.childCall({ agentName: "critic", message: "Look at it.", answer: "Not good." }),
    detector.toolRound([call("edit", { line: turn }, "edited")]),
  ]);
  const checks = times(5, (turn) => [
    detector.toolRound([call("check", {}, "1 problem")]),
    detector.childCall({ agentName: "fixer", message: `Fix ${turn}.`, answer: "Fixed." }),
  ]);

  expect([...findings, ...checks].flat().some(Boolean)).toBe(false);
});

it("finds a draft that stays as it is when nothing else was done for it", () => {
  const idle = new ProgressDetector(true);
  const busy = new ProgressDetector(true);
  const waiting = new ProgressDetector(true);

  const unchanged = times(3, () => idle.draft("It is done."));
  const worked = times(6, (turn) => {
    busy.toolRound([call("complete", { id: turn }, "completed")]);
    return busy.draft("Done.");
  });
  const waited = times(6, () => waiting.draft("Not back yet.", { waits: true }));

  expect(unchanged.at(-1)).toMatchObject({ kind: "UnchangedDraft", repeats: 2, names: [] });
  expect([...worked, ...waited].some(Boolean)).toBe(false);
});

it("takes an iteration that was offered no tools for one that did as the one before it", () => {
  const detector = new ProgressDetector(true);

  const findings = times(4, (turn) => {
    const isForced = turn === 3;
    if (!isForced) detector.toolRound([call("ping", {}, "unreachable")]);
    return detector.draft("The device is offline.", { isForced });
  });

  expect(findings.at(-1)).toMatchObject({ kind: "UnchangedDraft", repeats: 3 });
});

it("takes the same call of another iteration for no repeat", () => {
  const detector = new ProgressDetector(true);

  const findings = times(6, (turn) => [
    detector.toolRound([call("brief", {}, "Write about rivers.")]),
    detector.draft(`Draft ${turn}`),
  ]);

  expect(findings.flat().some(Boolean)).toBe(false);
});

it("finds drafts that go back and forth", () => {
  const detector = new ProgressDetector(true);

  const findings = times(6, (turn) => detector.draft(turn % 2 === 0 ? "Short." : "Long."));

  expect(findings.at(-1)).toMatchObject({ kind: "UnchangedDraft", repeats: 2, period: 2 });
});

it("finds a reviewer who says the same, and not one who has something new to say", () => {
  const detector = new ProgressDetector(true);

  const same = times(3, () => detector.review("agentReview", "Add sources."));
  const other = times(4, (turn) => detector.review("agentReview", `Add source ${turn}.`));

  expect(same.at(-1)).toMatchObject({
    kind: "RepeatedReview",
    repeats: 2,
    names: ["agentReview"],
  });
  expect(other.some(Boolean)).toBe(false);
});

it("forgets everything behind the steps of the longest circle", () => {
  const steps = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 });

  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const [old, fresh] = [new ProgressDetector(true), new ProgressDetector(true)];
      const look = (detector: ProgressDetector) => (name: string) =>
        detector.toolRound([call(name, {}, "same")]);
      before.forEach(look(old));
      times(MAX_PERIOD, (turn) => old.toolRound([call("new", { turn }, "new")]));

      expect(after.map(look(old))).toEqual(after.map(look(fresh)));
    }),
  );
});

it("gives one signature to one circle, whenever it is found", () => {
  const detector = new ProgressDetector(true);
  const found = () => times(3, () => detector.toolRound([call("look", {}, "nothing")])).at(-1);

  const first = found();
  detector.toolRound([call("other", {}, "something")]);
  const second = found();

  expect(first?.signature).toBeDefined();
  expect(second?.signature).toBe(first?.signature);
});

const times = <Value>(count: number, step: (turn: number) => Value): Value[] =>
  Array.from({ length: count }, (_, turn) => step(turn));

function call(
  toolName: string,
  input: object | string,
  result: string,
  more: Pick<CalledTool, "effect" | "isPolled"> = {},
): CalledTool {
  return { ...calling(toolName, input, { ok: true, result }), ...more };
}

function calling(
  toolName: string,
  input: object | string,
  outcome: CalledTool["outcome"],
): CalledTool {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { toolName, arguments: text, outcome };
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, it]) => [name, reversed(it)] as const);
  return Object.fromEntries(members.reverse());
}
