/** A loop that stops within an iteration because a call waits, and the run that goes on with it. */

import type { AgentDefinitionRequest, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type GatedEngine,
  type GatedEngineOptions,
  promptLines,
  type ScriptedModelTurn,
  type ScriptedStep,
  startGatedEngine,
  storeMatrix,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const TENANT = "default";
const STOP: LoopEvaluation = { decision: "stop" };
const MORE: LoopEvaluation = { decision: "continue" };
const USAGE = { inputTokens: 100, outputTokens: 10 };

it.each(storeMatrix())(
  "goes on with the iteration in which it stopped, also in another process ($engine)",
  async ({ newUrl }) => {
    const stores = await openStores(await newUrl());
    onTestFinished(() => stores.close());
    const seen: Seen[] = [];
    const stopped = await gated(["One.", calling(1)], { stores, seen, decide: again("Longer.") });
    const before = await stopped.send({ message: "Write.", sessionId: "s" });
    const [{ id = "", continuationRunId = "" } = {}] = await stopped.waiting();
    await stopped.engine.close({ graceMs: 0 });
    const { ledger } = stopped;
    const resumed = await gated(["Two.", "Three."], {
      ...{ stores, seen, ledger },
      decide: inTurn(MORE, again("Shorter."), STOP),
    });

    await resumed.engine.approvals.decide(TENANT, id, { approved: true });
    const events = await resumed.ended(continuationRunId);

    expect(before).toMatchObject({ status: "AwaitingApproval", iterations: 2 });
    expect(ledger).toEqual(["gate(1)"]);
    expect(seen).toEqual([
      { iteration: 1, asked: ["Write."], feedback: [], text: "One." },
      { iteration: 2, asked: ["Write."], feedback: ["Longer."], text: "Checking.\nTwo." },
      { iteration: 3, asked: ["Write."], feedback: ["Longer.", "Shorter."], text: "Three." },
    ]);
    const answers = events.flatMap((it) => (it.type === "MessageCompleted" ? [it.payload] : []));
    expect(answers.map(({ iteration, step }) => `${iteration}/${step}`)).toEqual(["2/1", "3/0"]);
    expect(resumed.model.calls.map(promptLines).at(-1)).toEqual([
      "user: Write.",
      "assistant: One.",
      "user: Longer.",
      "assistant: Checking.[tool-call]",
      "tool: [tool-result]",
      "assistant: Two.",
      "user: Shorter.",
    ]);
  },
);

it("does not evaluate an iteration that stops, and counts its usage on the run that stopped", async () => {
  const gate = await gated([calling(1), { text: "Done.", usage: USAGE }], {
    loop: { maxIterations: 1, onExhausted: "FailRun" },
    decide: () => STOP,
  });

  const before = await gate.send({ message: "Write.", sessionId: "s" });
  const during = await stateOf(gate);
  const after = await approveAll(gate);

  expect(before).toMatchObject({ status: "AwaitingApproval", iterations: 1, usage: USAGE });
  expect(gate.seen).toMatchObject([{ iteration: 1, text: "Checking.\nDone." }]);
  expect(after).toMatchObject({ status: "Completed", usage: USAGE });
  expect(during).toHaveProperty("loop");
  expect(await stateOf(gate)).not.toHaveProperty("loop");
});

it("counts iterations up to the ceiling over all runs of the loop", async () => {
  const gate = await gated(["One.", calling(2), "Two.", calling(3), "Three."], {
    loop: { maxIterations: 3 },
    decide: () => MORE,
  });

  await gate.send({ message: "Write.", sessionId: "s" });
  await approveAll(gate);
  const after = await approveAll(gate);

  expect(after.status).toBe("Completed");
  expect(gate.ledger).toEqual(["gate(2)", "gate(3)"]);
  expect(gate.seen.map(({ iteration }) => iteration)).toEqual([1, 2]);
});

it("goes on within an iteration that stops twice, and shows all of it to its criterion", async () => {
  const gate = await gated(["One.", calling(1), calling(2), "Two."], {
    decide: inTurn(again("Longer."), STOP),
  });

  await gate.send({ message: "Write.", sessionId: "s" });
  await approveAll(gate);
  await approveAll(gate);

  expect(gate.seen.at(-1)).toEqual({
    iteration: 2,
    asked: ["Write."],
    feedback: ["Longer."],
    text: "Checking.\nChecking.\nTwo.",
  });
});

it("begins afresh behind an approval with what was there before the loop", async () => {
  const gate = await gated(["Hello.", "One.", calling(1), "Two.", "Three."], {
    loop: { freshContextPerIteration: true },
    decide: (it) => (it.asked[0] === "Hi." ? STOP : inTurn(again("a"), again("b"), STOP)(it)),
  });
  await gate.send({ message: "Hi.", sessionId: "s" });

  await gate.send({ message: "Write.", sessionId: "s" });
  await approveAll(gate);

  const earlier = ["user: Hi.", "assistant: Hello.", "user: Write."];
  const feedback = "user: Feedback on your earlier attempts:\n- a";
  expect(gate.model.calls.map(promptLines).slice(2)).toEqual([
    [...earlier, feedback],
    [...earlier, feedback, "assistant: Checking.[tool-call]", "tool: [tool-result]"],
    [...earlier, `${feedback}\n- b`],
  ]);
  expect(gate.seen.at(-1)).toEqual({
    iteration: 3,
    asked: ["Write."],
    feedback: ["a", "b"],
    text: "Three.",
  });
  const { messages } = await gate.engine.sessions.get(TENANT, "s");
  expect(messages?.map(({ role }) => role).slice(2)).toEqual([
    "user",
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
  ]);
});

it("begins a new loop with a message that comes instead of a decision", async () => {
  const gate = await gated(["One.", calling(1), "Other."], {
    decide: (it) => (it.asked[0] === "Write." ? again("Longer.")() : STOP),
  });
  await gate.send({ message: "Write.", sessionId: "s" });

  const after = await gate.send({ message: "Never mind.", sessionId: "s" });

  expect(after).toMatchObject({ status: "Completed", iterations: 1 });
  expect(gate.seen.at(-1)).toEqual({
    iteration: 1,
    asked: ["Never mind."],
    feedback: [],
    text: "Other.",
  });
  expect(gate.ledger).toEqual([]);
});

it("adds a message that comes with a decision to what the loop began with", async () => {
  const gate = await gated(["One.", calling(1), "Two.", "Three."], {
    loop: { freshContextPerIteration: true },
    decide: inTurn(again("Longer."), MORE, STOP),
  });
  await gate.send({ message: "Write.", sessionId: "s" });
  const [{ requestId = "" } = {}] = await gate.waiting();

  const after = await gate.send({
    message: "But be careful.",
    sessionId: "s",
    approvals: [{ requestId, approved: true }],
  });

  expect(after).toMatchObject({ status: "Completed", iterations: 3 });
  expect(gate.seen.at(-1)).toMatchObject({
    iteration: 3,
    asked: ["Write.", "But be careful."],
    feedback: ["Longer.", undefined],
  });
  expect(gate.seen.at(-2)?.text).toBe("Checking.\nTwo.");
  expect(gate.model.calls.map(promptLines).at(-1)).toEqual([
    "user: Write.",
    "user: But be careful.",
    "user: Feedback on your earlier attempts:\n- Longer.",
  ]);
});

it("goes on with the answer of a client's tool", async () => {
  const asking = { text: "Asking.", toolCalls: [{ name: "ask_user", input: { x: 1 } }] };
  const gate = await gated(["One.", asking, "Two."], { decide: inTurn(again("Longer."), STOP) });
  const before = await gate.send({ message: "Write.", sessionId: "s" });
  const [{ callId = "" } = {}] = before.clientToolCalls ?? [];

  const after = await gate.send({ sessionId: "s", toolResults: [{ callId, result: "yes" }] });

  expect(after).toMatchObject({ status: "Completed", iterations: 2 });
  expect(gate.seen.at(-1)).toMatchObject({
    iteration: 2,
    asked: ["Write."],
    text: "Asking.\nTwo.",
  });
});

it("opens a session for a loop without one that stops, and goes on there", async () => {
  const gate = await gated(["One.", calling(1), "Two."], {
    decide: inTurn(again("Longer."), STOP),
  });

  await gate.send({ message: "Write." });
  await approveAll(gate);

  expect(gate.seen.at(-1)).toMatchObject({
    iteration: 2,
    asked: ["Write."],
    feedback: ["Longer."],
  });
});

it("tells a criterion of an iteration whose call was refused", async () => {
  const gate = await gated([calling(1), "Understood."], { decide: () => STOP });
  await gate.send({ message: "Write.", sessionId: "s" });
  const [{ id = "" } = {}] = await gate.waiting();

  await gate.engine.approvals.decide(TENANT, id, { approved: false, reason: "no" });
  await gate.engine.close();

  expect(gate.seen).toMatchObject([{ iteration: 1, text: "Checking.\nUnderstood." }]);
  expect(gate.ledger).toEqual([]);
});

it("keeps every ceiling where a standing rule approves each call", async () => {
  const rounds = 3;
  const script: readonly ScriptedStep[] = Array.from(
    { length: (rounds + 1) * 2 },
    (_, index): ScriptedStep =>
      ({ tools = [] }) =>
        tools.length === 0 ? `Draft ${index}.` : calling(index),
  );
  const gate = await gated(script, {
    loop: { maxIterations: 2 },
    decide: () => MORE,
    harness: { maximumIterationsPerRequest: rounds },
  });
  await gate.engine.approvals.addRule(TENANT, { agentName: "agent", toolName: "gate" });

  const result = await gate.send({ message: "Write." });

  expect(result).toMatchObject({ status: "Completed", output: "Draft 7.", iterations: 2 });
  expect(gate.ledger).toEqual([0, 1, 2, 4, 5, 6].map((x) => `gate(${x})`));
  gate.model.assertDone();
});

it("stops calls that a standing rule approves at the tool budget of the tree, across iterations", async () => {
  const gate = await gated([calling(1), "One.", calling(2), "Two.", calling(3)], {
    loop: { maxIterations: 1_000_000_000 },
    decide: () => MORE,
    agentGraph: { maxToolCalls: 2 },
  });
  await gate.engine.approvals.addRule(TENANT, { agentName: "agent", toolName: "gate" });

  const result = await gate.send({ message: "Write." });

  expect(result).toMatchObject({ status: "Failed", error: { type: "budget_exceeded" } });
  expect(gate.ledger).toEqual(["gate(1)", "gate(2)"]);
});

/** What the criterion was shown of an iteration. */
type Seen = {
  readonly iteration: number;
  readonly asked: readonly string[];
  readonly feedback: readonly (string | undefined)[];
  readonly text: string;
};

type Decide = (seen: Seen) => LoopEvaluation;

/** One decision after the other, by iteration. */
const inTurn =
  (...evaluations: readonly (LoopEvaluation | (() => LoopEvaluation))[]): Decide =>
  ({ iteration }) => {
    const said = evaluations[iteration - 1] ?? MORE;
    return typeof said === "function" ? said() : said;
  };

const again = (feedback: string) => (): LoopEvaluation => ({ decision: "continue", feedback });

const calling = (x: number): ScriptedModelTurn => ({
  text: "Checking.",
  toolCalls: [{ name: "gate", input: { x } }],
  usage: USAGE,
});

const seenOf = ({ iteration, initialMessages, feedback, lastResponse }: LoopContext): Seen => ({
  iteration,
  asked: initialMessages.map(({ contents }) =>
    contents.map((it) => (it.$type === "text" ? it.text : "")).join(""),
  ),
  feedback: [...feedback],
  text: lastResponse.text,
});

/** Approves everything that waits; the run that goes on, once it has ended. */
async function approveAll({ engine, waiting, ended }: GatedEngine) {
  const approvals = await waiting();
  for (const { id } of approvals) await engine.approvals.decide(TENANT, id, { approved: true });
  const runId = approvals[0]?.continuationRunId ?? "";
  await ended(runId);
  return engine.runs.get(TENANT, runId);
}

const stateOf = async ({ engine }: GatedEngine) => (await engine.sessions.get(TENANT, "s")).state;

type Harness = NonNullable<AgentDefinitionRequest["harness"]>;

async function gated(
  script: readonly ScriptedStep[],
  options: Pick<GatedEngineOptions, "agentGraph" | "ledger"> & {
    readonly stores?: Stores;
    readonly seen?: Seen[];
    readonly decide: Decide;
    readonly loop?: Omit<NonNullable<Harness["loop"]>, "criteria">;
    readonly harness?: Harness;
  },
): Promise<GatedEngine & { readonly seen: readonly Seen[] }> {
  const { seen = [], decide, loop = {}, harness = {}, ...rest } = options;
  const stores = options.stores ?? (await openStores("memory:"));
  if (options.stores === undefined) onTestFinished(() => stores.close());
  const gate = await startGatedEngine({
    ...{ ...rest, stores, script },
    loopEvaluators: {
      good: {
        evaluate(context) {
          seen.push(seenOf(context));
          return decide(seenOf(context));
        },
      },
    },
    agent: {
      harness: {
        ...BARE_HARNESS,
        ...harness,
        loop: { ...loop, criteria: [{ kind: "good" }] },
      },
    },
  });
  onTestFinished(() => gate.engine.close({ graceMs: 0 }));
  return { ...gate, seen };
}
