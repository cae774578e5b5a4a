import { getEventListeners } from "node:events";
import { type Tool, tool } from "@ai-sdk/provider-utils";
import { type LanguageModel, type RunEvent, terminalEventTypes } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
} from "@tracon/testing";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

it("ends a run in the middle of an answer, with the text that was shown", async () => {
  const { start, cancelAt, events } = await engine([{ text: ["one ", "two "], ends: "hang" }]);
  const run = await start();

  await cancelAt(run.runId, "MessageDelta");

  expect(await run.result).toMatchObject({ status: "Canceled" });
  const recorded = await events(run.runId);
  expect(recorded.map(({ type }) => type)).toEqual([
    "RunStarted",
    "MessageDelta",
    "MessageDelta",
    "RunCanceled",
  ]);
  expect(recorded.map(({ text, type }) => (type === "MessageDelta" ? text : "")).join("")).toBe(
    "one two ",
  );
  expect(recorded.at(-1)?.payload).toMatchObject({ reason: "canceled by request" });
});

it("tells the provider to stop, and asks it nothing more", async () => {
  const { start, cancelAt, model } = await engine([{ text: "one ", ends: "hang" }]);
  const run = await start();

  await cancelAt(run.runId, "MessageDelta");
  await run.result;

  expect(model.calls.map(({ abortSignal }) => abortSignal?.aborted)).toEqual([true]);
});

it("tells a tool to stop, closes its call and asks the model nothing more", async () => {
  const stopped = Promise.withResolvers<string>();
  const patient = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }) =>
      new Promise<string>((_, reject) => {
        abortSignal?.addEventListener("abort", () => {
          stopped.resolve("told");
          reject(abortSignal.reason);
        });
      }),
  });
  const script = [{ toolCalls: [{ name: "patient" }, { name: "patient" }] }];
  const { start, cancelAt, model, events } = await engine(script, { patient });
  const run = await start();

  await cancelAt(run.runId, "ToolInvoking");

  expect(await stopped.promise).toBe("told");
  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect(model.calls).toHaveLength(1);
  const recorded = await events(run.runId);
  const failures = recorded.flatMap((it) => (it.type === "ToolFailed" ? [it.payload] : []));
  expect(failures).toMatchObject([
    { kind: "Canceled", position: 0 },
    { kind: "Canceled", position: 1 },
  ]);
  expect(recorded.at(-1)?.type).toBe("RunCanceled");
});

const deaf = { inputSchema: z.object({}), execute: () => new Promise<string>(() => undefined) };

it.each([
  ["a body", tool(deaf)],
  ["progress that never ends", tool({ ...deaf, execute: endless as never })],
  ["a translation of its result", tool({ ...deaf, execute: () => "ok", toModelOutput: never })],
  ["a check of its arguments", tool({ ...deaf, inputSchema: z.object({}).refine(never) })],
])("does not wait for a tool that ignores the signal in %s", async (_, patient) => {
  const { start, cancelAt } = await engine([{ toolCalls: [{ name: "patient" }] }], { patient });
  const run = await start();

  await cancelAt(run.runId, "ToolInvoking");

  expect(await run.result).toMatchObject({ status: "Canceled" });
});

it.each([
  ["before it answers", () => new Promise(() => undefined)],
  ["in the middle of its answer", async () => ({ stream: silentStream() })],
])("does not wait for a provider that ignores the signal %s", async (_, doStream) => {
  const { start, cancel } = await engine([], {}, {
    ...scriptedModel([]),
    doStream,
  } as LanguageModel);
  const run = await start();

  await cancel(run.runId);

  expect(await run.result).toMatchObject({ status: "Canceled" });
});

it("closes the stream of a provider that answers after the end of its run", async () => {
  const closed = Promise.withResolvers<unknown>();
  const answer = Promise.withResolvers<unknown>();
  const stream = new ReadableStream({ cancel: closed.resolve });
  const { model, asked } = modelOf(() => answer.promise);
  const { start, cancel } = await engine([], {}, model);
  const run = await start();
  await asked;
  await cancel(run.runId);
  await run.result;

  answer.resolve({ stream });

  expect(await closed.promise).toBeDefined();
});

it("calls no model for a run that was cancelled before its first step", async () => {
  const { start, model } = await engine([]);

  const run = await start({ signal: AbortSignal.abort() });

  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect(model.calls).toEqual([]);
});

it("ends a run whose caller's signal fires", async () => {
  const caller = new AbortController();
  const { start, reached, events } = await engine([{ text: "a", ends: "hang" }]);
  const run = await start({ signal: caller.signal });
  await reached(run.runId, "MessageDelta");

  caller.abort();

  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect((await events(run.runId)).at(-1)?.payload).toMatchObject({
    reason: "canceled by the caller",
  });
});

it("leaves nothing on a signal that outlives its runs", async () => {
  const { signal } = new AbortController();
  const { start } = await engine(Array(200).fill("Hi."));

  for (let run = 0; run < 200; run++) await (await start({ signal })).result;

  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("tells the truth about what it cancels", async () => {
  const { start, cancel, cancelAt, it } = await engine([{ text: "a", ends: "hang" }]);
  const run = await start();

  const foreign = it.runs.cancel("other", run.runId);
  await expect(foreign).rejects.toMatchObject({ code: "run_not_found" });
  const unknown = cancel("01900000-0000-7000-8000-000000000000");
  await expect(unknown).rejects.toMatchObject({ code: "run_not_found" });
  expect(await cancelAt(run.runId, "MessageDelta")).toMatchObject({ status: "Running" });
  await run.result;
  await expect(cancel(run.runId)).rejects.toMatchObject({ code: "run_not_cancelable" });
  expect(await it.runs.get("default", run.runId)).toMatchObject({ status: "Canceled" });
});

it("cancels a run that cannot be recorded", async () => {
  const { start, cancel, stores } = await engine([{ text: "a", ends: "hang" }]);
  stores.journal.commit = () => Promise.reject(new Error("disk full"));
  const run = await start();

  const record = await cancel(run.runId);

  expect(record).toMatchObject({ id: run.runId, status: "Running" });
  expect(await run.result).toMatchObject({ status: "Canceled" });
});

it("writes exactly one terminal event, last, whatever races with a cancellation", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const ways = fc.constantFrom<ScriptedModelTurn>(
    { text: ["a", "b", "c"] },
    { text: "a", ends: { streamError: new Error("reset") } },
    { text: "a", ends: { errorPart: new Error("overloaded") } },
    { text: "a", ends: "cut" },
    { throws: new Error("refused") },
    { toolCalls: [{ name: "work" }, { name: "work" }] },
  );

  await fc.assert(
    fc.asyncProperty(ways, fc.nat(8), fc.nat(30), async (way, workTurns, cancelAfter) => {
      const work = tool({ inputSchema: z.object({}), execute: () => turns(workTurns) });
      const { start, it, events } = await engineOf(stores, [way, { ends: "hang" }], { work });
      const run = await start();
      await turns(cancelAfter);
      await it.runs.cancel("default", run.runId).catch(expectEnded);
      const result = await run.result;

      const recorded = await events(run.runId);
      expect(
        recorded.flatMap(({ type }, at) => (terminalEventTypes.has(type) ? [at] : [])),
      ).toEqual([recorded.length - 1]);
      expect(recorded.map(({ sequence }) => sequence)).toEqual(recorded.map((_, index) => index));
      expect(await it.runs.get("default", run.runId)).toMatchObject({
        status: result.status,
        eventCount: recorded.length,
      });
    }),
    { numRuns: 500 },
  );
});

/** A model that answers as given, and says when it was first asked. */
function modelOf(answer: () => unknown) {
  const asked = Promise.withResolvers<void>();
  const doStream = () => {
    asked.resolve();
    return answer();
  };
  return { model: { ...scriptedModel([]), doStream } as LanguageModel, asked: asked.promise };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function* endless() {
  for (;;) {
    await turns(1);
    yield "more";
  }
}

/** A stream of nothing that cannot be cancelled either. */
const silentStream = () => new ReadableStream({ cancel: never });

/** Lets the event loop turn a number of times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function expectEnded(error: unknown): void {
  expect(error).toMatchObject({ code: "run_not_cancelable" });
}

type Tools = Readonly<Record<string, Tool>>;

async function engine(script: readonly ScriptedStep[], tools: Tools = {}, model?: LanguageModel) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return engineOf(stores, script, tools, model);
}

async function engineOf(
  opened: Awaited<ReturnType<typeof openStores>>,
  script: readonly ScriptedStep[],
  tools: Tools,
  given?: LanguageModel,
) {
  const stores = { ...opened, journal: { commit: opened.journal.commit } };
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model: given ?? model, tools });
  const { engine: it } = started;
  const cancel = (runId: string) => it.runs.cancel("default", runId);

  /** Resolves once an event of `type` is committed. */
  async function reached(runId: string, type: RunEvent["type"]): Promise<void> {
    const { signal } = new AbortController();
    for await (const batch of await it.runs.events("default", runId, { after: -1, signal })) {
      if (batch.some((event) => event.type === type)) return;
    }
  }

  async function cancelAt(runId: string, type: RunEvent["type"]) {
    await reached(runId, type);
    return cancel(runId);
  }

  const start = (options: { signal?: AbortSignal } = {}) =>
    it.runs.start("default", "agent", { message: "Go." }, { isStreaming: true, ...options });
  return { ...started, it, model, stores, start, cancel, cancelAt, reached };
}
