/** A run is cancelled in whatever it waits for: it ends, asks nobody anything more, and keeps its books. */

import { tool } from "@ai-sdk/provider-utils";
import type { LanguageModel, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { ToolLoopAgent } from "ai";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

/** Something that never ends and ignores the signal, and says when it was reached. */
function stall() {
  const reached = Promise.withResolvers<void>();
  const begin = (): Promise<never> => {
    reached.resolve();
    return new Promise(() => undefined);
  };
  return { reached: reached.promise, begin };
}
type Stall = ReturnType<typeof stall>;

type Phase = {
  readonly script?: readonly ScriptedStep[];
  options?(it: Stall): Partial<TestEngineOptions>;
  /** Model calls of the run before the cancellation. */
  readonly calls: number;
  /** The journal's commits stall instead, from this one on. */
  readonly stallsCommit?: number;
};

const down = Object.assign(new Error("down"), { statusCode: 503 });
const withTool = { toolCalls: [{ name: "work" }] };
const inBuilding = (extension: Parameters<typeof extensionOf>[0]) => ({
  extensions: { added: extensionOf(extension) },
  agent: { extensionNames: ["added"] },
});

const phases: Readonly<Record<string, Phase>> = {
  "the opening of an answer": { options: ({ begin }) => ({ model: modelOf(begin) }), calls: 0 },
  "a tool that ignores the signal": {
    script: [withTool],
    options: ({ begin }) => ({ tools: { work: toolOf(begin) } }),
    calls: 1,
  },
  "the pause before a repetition": {
    script: [{ throws: down }],
    options: ({ begin }) => ({
      modelRetry: { maxRetries: 2, baseDelayMs: 1, maxDelayMs: 1 },
      sleep: (_, signal) => untilAborted(begin, signal),
    }),
    calls: 1,
  },
  "a fallback": {
    script: [{ throws: down }],
    options: ({ begin }) => ({
      providers: { spare: modelOf(begin) },
      agent: {
        model: {
          provider: "test",
          model: "test-model",
          fallbacks: [{ provider: "spare", model: "spare-model" }],
        },
      },
    }),
    calls: 1,
  },
  "a guard of the message": {
    options: ({ begin }) => ({ contentGuards: { slow: guardOf("UserMessage", begin) } }),
    calls: 0,
  },
  "a guard of the answer": {
    script: ["Hi."],
    options: ({ begin }) => ({ contentGuards: { slow: guardOf("ModelOutput", begin) } }),
    calls: 1,
  },
  "a guard of a tool's result": {
    script: [withTool],
    options: ({ begin }) => ({ contentGuards: { slow: guardOf("ToolResult", begin) } }),
    calls: 1,
  },
  "the validator of an answer": {
    script: ["{}"],
    options: ({ begin }) => ({
      structuredResponse: { enabled: true },
      structuredResponseValidator: begin,
      agent: json,
    }),
    calls: 1,
  },
  "the repair of an answer": {
    script: ["no json", () => repair.begin()],
    options: (it) => {
      repair = it;
      return { structuredResponse: { enabled: true, maxRepairAttempts: 1 }, agent: json };
    },
    calls: 2,
  },
  "the look into the response cache": {
    options: ({ begin }) => ({
      responseCache: { get: begin, set: () => undefined },
      agent: {
        model: { provider: "test", model: "test-model", responseCache: { enabled: true } },
      },
    }),
    calls: 0,
  },
  "what a context provider adds": {
    options: ({ begin }) =>
      inBuilding((it) => it.addContextProvider({ name: "slow", before: begin })),
    calls: 0,
  },
  "middleware around a model call": {
    options: ({ begin }) =>
      inBuilding((it) =>
        it.useChatClient({
          slot: "ModelCall",
          middleware: { specificationVersion: "v4", wrapStream: begin },
        }),
      ),
    calls: 0,
  },
  "an agent that code builds": {
    options: ({ begin }) => ({
      agentFactories: { own: () => new ToolLoopAgent({ model: modelOf(begin) }) },
    }),
    calls: 0,
  },
  "a reservation of its tree's budget": {
    script: [{ ...withTool, usage: { inputTokens: 5, outputTokens: 5 } }],
    options: () => ({ tools: { work: toolOf(() => Promise.resolve("x".repeat(60_000))) } }),
    stallsCommit: 3,
    calls: 1,
  },
};
let repair: Stall;

it.each(Object.keys(phases))("ends a run that is cancelled in %s", async (name) => {
  const { script = [], options, calls, stallsCommit } = phases[name] as Phase;
  const waiting = stall();
  const { stores, release } = await gatedStores(stallsCommit, waiting);
  const model = scriptedModel(script);
  const given = options?.(waiting) ?? {};
  const { engine } = await startTestEngine({
    stores,
    model,
    tools: { work: toolOf(() => Promise.resolve("ok")) },
    ...given,
  });
  const agent = given.agentFactories === undefined ? "agent" : "own";
  const run = await engine.runs.start("default", agent, { message: "Go." });
  await waiting.reached;

  await engine.runs.cancel("default", run.runId);
  release();

  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect(model.calls).toHaveLength(calls);
  const record = await engine.runs.get("default", run.runId);
  expect(record).toMatchObject({ status: "Canceled" });
  expect(record.budget?.reservedTokens).toBe(0);
  const tools = await engine.runs.toolInvocations("default", run.runId);
  expect(tools.every((it) => it.succeeded || it.error !== undefined)).toBe(true);
});

it("ends a run that waits for a place with its provider, and leaves the place to the next", async () => {
  const first = stall();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel([() => first.begin(), "Third."]);
  const { engine } = await startTestEngine({
    stores,
    model,
    modelConcurrency: { maxConcurrentCallsPerProvider: 1 },
  });
  const start = () => engine.runs.start("default", "agent", { message: "Go." });
  const holder = await start();
  await first.reached;
  const waiter = await start();
  const next = await start();

  await engine.runs.cancel("default", waiter.runId);
  expect(await waiter.result).toMatchObject({ status: "Canceled" });
  await engine.runs.cancel("default", holder.runId);

  expect(await holder.result).toMatchObject({ status: "Canceled" });
  expect(await next.result).toMatchObject({ status: "Completed", output: "Third." });
});

it("books what was received of an answer that is cancelled, as an estimate, and knows no usage", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const chunks = Array(10).fill("ten chars.");
  const model = scriptedModel([{ text: chunks, ends: "hang" }]);
  const { engine } = await startTestEngine({ stores, model });
  const start = { isStreaming: true };
  const run = await engine.runs.start("default", "agent", { message: "Go." }, start);
  let shown = 0;
  for await (const batch of run.frames()) {
    shown += batch.filter(({ event }) => event === "update").length;
    if (shown > 0) await engine.runs.cancel("default", run.runId).catch(() => undefined);
  }

  const result = await run.result;
  const { budget } = await engine.runs.get("default", run.runId);

  expect(result.status).toBe("Canceled");
  expect(result.usage).toBeUndefined();
  expect(budget?.usedTokens).toBeGreaterThan(0);
  expect(budget?.estimatedTokens).toBe(budget?.usedTokens);
});

it("keeps the usage of the calls before the one that was cancelled", async () => {
  const usage = { inputTokens: 40, outputTokens: 2 };
  const second = stall();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel([{ ...withTool, usage }, () => second.begin()]);
  const tools = { work: toolOf(() => Promise.resolve("ok")) };
  const { engine } = await startTestEngine({ stores, model, tools });
  const run = await engine.runs.start("default", "agent", { message: "Go." });
  await second.reached;

  await engine.runs.cancel("default", run.runId);

  expect(await run.result).toMatchObject({ status: "Canceled", usage });
});

it("tells runs that the process is stopping, once their time is over", async () => {
  const first = stall();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel([() => first.begin()]);
  const clock = manualClock();
  const { engine, events } = await startTestEngine({ stores, model, clock });
  const run = await engine.runs.start("default", "agent", { message: "Go." });
  await first.reached;

  await engine.close({ graceMs: 0 });

  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect((await events(run.runId)).at(-1)).toMatchObject({
    type: "RunCanceled",
    payload: { reason: "the process is stopping" },
  });
  await expect(engine.runs.start("default", "agent", { message: "Go." })).rejects.toMatchObject({
    code: "draining",
  });
});

const json = {
  model: { provider: "test", model: "test-model", responseFormat: { kind: "Json" as const } },
};

const toolOf = (execute: () => PromiseLike<string>) =>
  tool({ inputSchema: z.object({}), execute: () => execute() });

const modelOf = (doStream: () => Promise<never>) =>
  ({ ...scriptedModel([]), doStream }) as unknown as LanguageModel;

const guardOf = (source: string, begin: () => Promise<never>) => ({
  inspect: (content: { readonly source: string }) =>
    content.source === source ? begin() : { decision: "Allow" as const },
});

type Added = {
  addContextProvider(provider: { name: string; before(): Promise<never> }): void;
  useChatClient(ring: {
    slot: "ModelCall";
    middleware: { specificationVersion: "v4"; wrapStream(): Promise<never> };
  }): void;
};
const extensionOf = (apply: (context: Added) => void) => ({ apply });

async function untilAborted(begin: () => Promise<never>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  await Promise.race([begin(), aborted.promise]);
}

/** Stores whose journal stalls from one commit on, until it is released. */
async function gatedStores(from: number | undefined, waiting: Stall) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  const gate = Promise.withResolvers<void>();
  let commits = 0;
  const stores: Stores = {
    ...opened,
    journal: {
      async commit(batch) {
        commits += 1;
        if (from !== undefined && commits >= from) {
          void waiting.begin();
          await gate.promise;
        }
        return opened.journal.commit(batch);
      },
    },
  };
  return { stores, release: gate.resolve };
}
