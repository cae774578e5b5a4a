import type { RunEvent, RunFrame, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
} from "@tracon/testing";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { RecordingOptions } from "./recording-options.ts";

it("shows the events of a run as frames, each with its event's sequence", async () => {
  const { run } = await engine([
    { text: "Let me see.", toolCalls: [{ name: "missing", input: { id: 7 } }] },
    { reasoning: "Hm.", text: "Done." },
  ]);

  const { frames, events, result } = await run("Go.", { isStreaming: true });

  expect(frames.map(summary)).toEqual([
    ["run", sequenceOf(events, "RunStarted")],
    ["text", 1],
    ["toolCall", sequenceOf(events, "ToolInvoking")],
    ["toolResult", sequenceOf(events, "ToolFailed")],
    ["reasoning", undefined],
    ["text", expect.any(Number)],
    ["done", events.length - 1],
  ]);
  expect(frames.at(-1)?.data).toEqual(result);
});

it("sends the text of an answer once and in order", async () => {
  const { run } = await engine([{ text: ["Hel", "lo ", "wor", "ld"] }]);

  const { frames, result } = await run("Go.", { isStreaming: true });

  expect(textOf(frames)).toBe("Hello world");
  expect(result.output).toBe("Hello world");
});

it("ends a failed run's stream with its problem, and nothing after it", async () => {
  const { run } = await engine([{ text: "Par", ends: { streamError: new Error("reset") } }]);

  const { frames, runId } = await run("Go.", { isStreaming: true });

  expect(frames.map(({ event }) => event)).toEqual(["run", "update", "error"]);
  expect(frames.at(-1)?.data).toMatchObject({ code: "provider_error", runId });
});

it("shows the whole run to a reader that begins after its end, and to a second one", async () => {
  const { engine: it } = await engine(["Done."]);
  const handle = await it.runs.start("default", "agent", { message: "Go." }, { isStreaming: true });
  await handle.result;

  const first = (await Array.fromAsync(handle.frames())).flat();
  const second = (await Array.fromAsync(handle.frames())).flat();

  expect(first.map(({ event }) => event)).toEqual(["run", "update", "done"]);
  expect(second).toEqual(first);
});

it("serves two readers at the same time, also of a run nobody was to follow", async () => {
  const { engine: it } = await engine([{ text: Array(20).fill("chunk "), chunkDelayMs: 1 }]);
  const handle = await it.runs.start("default", "agent", { message: "Go." });

  const [one, other] = await Promise.all([
    Array.fromAsync(handle.frames()),
    Array.fromAsync(handle.frames()),
  ]);

  expect(textOf(one.flat())).toBe("chunk ".repeat(20));
  expect(other.flat()).toEqual(one.flat());
});

it("shows a run that cannot be recorded, without sequences", async () => {
  const { run } = await engine(["Done."], { stores: await unwritable() });

  const { frames, result } = await run("Go.", { isStreaming: true });

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
  expect(frames.map(summary)).toEqual([
    ["run", undefined],
    ["text", undefined],
    ["done", undefined],
  ]);
});

it("begins with its opening and ends with its end for whoever missed a run that cannot be recorded", async () => {
  const { engine: it } = await engine(["Done."], { stores: await unwritable() });
  const handle = await it.runs.start("default", "agent", { message: "Go." });
  await handle.result;

  const frames = (await Array.fromAsync(handle.frames())).flat();

  expect(frames.map(({ event }) => event)).toEqual(["run", "done"]);
});

it("bounds what a slow reader holds of an answer that is not recorded, and still ends it", async () => {
  const { engine: it } = await engine([
    { reasoning: Array(300).fill("x".repeat(8_000)), text: "Ok." },
  ]);
  const handle = await it.runs.start("default", "agent", { message: "Go." }, { isStreaming: true });
  const reader = handle.frames()[Symbol.asyncIterator]();
  const frames: RunFrame[] = [...(await reader.next()).value];
  await handle.result;

  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    frames.push(...next.value);
  }

  const reasoning = frames.filter((frame) => summary(frame)[0] === "reasoning");
  expect(reasoning.length).toBeLessThan(300);
  expect(frames.at(-1)?.event).toBe("done");
  expect(textOf(frames)).toBe("Ok.");
});

it("keeps a run going whose reader leaves", async () => {
  const { engine: it } = await engine([{ text: ["a", "b", "c"], chunkDelayMs: 1 }]);
  const handle = await it.runs.start("default", "agent", { message: "Go." }, { isStreaming: true });

  for await (const _ of handle.frames()) break;

  expect(await handle.result).toMatchObject({ status: "Completed", output: "abc" });
});

it("records the same whether or not somebody follows the answer", async () => {
  const call = fc.constantFrom("count", "missing", "broken");
  const turn: fc.Arbitrary<ScriptedModelTurn> = fc.record({
    text: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
    toolCalls: fc.array(fc.record({ name: call }), { maxLength: 3 }),
    usage: fc.record({ inputTokens: fc.nat(99), outputTokens: fc.nat(99) }),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 5 }), async (turns) => {
      const script = [...turns, "Done."];
      const followed = await (await engine(script)).run("Go.", { isStreaming: true });
      const alone = await (await engine(script)).run("Go.");

      expect(alone.events.flatMap(essence)).toEqual(followed.events.flatMap(essence));
      expect(alone.result.output).toEqual(followed.result.output);
      expect(alone.result.usage).toEqual(followed.result.usage);
    }),
    { numRuns: 15 },
  );
});

type Options = { readonly stores?: Stores; readonly recording?: Partial<RecordingOptions> };

const sequenceOf = (events: readonly RunEvent[], type: RunEvent["type"]): number | undefined =>
  events.find((event) => event.type === type)?.sequence;

const summary = (frame: RunFrame) => [
  frame.event === "update" ? frame.data.kind : frame.event,
  frame.id,
];

const textOf = (frames: readonly RunFrame[]): string =>
  frames
    .map((frame) => (frame.event === "update" && frame.data.kind === "text" ? frame.data.text : ""))
    .join("");

/** What of the events does not depend on time and on how deltas were joined. */
function essence({ type, text, payload }: RunEvent): unknown {
  if (type === "MessageDelta") return [];
  return type === "MessageCompleted" || type === "ToolFailed"
    ? { type, text, step: payload.step }
    : type;
}

async function memory(): Promise<Stores> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return stores;
}

async function unwritable(): Promise<Stores> {
  return { ...(await memory()), journal: { commit: () => Promise.reject(new Error("disk full")) } };
}

async function engine(script: readonly ScriptedStep[], options: Options = {}) {
  const stores = options.stores ?? (await memory());
  return startTestEngine({ ...options, stores, model: scriptedModel(script) });
}
