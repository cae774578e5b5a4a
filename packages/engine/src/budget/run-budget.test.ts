import { tool } from "@ai-sdk/provider-utils";
import type { BudgetChange, JournalEntry, RunEvent, Stores, TreeBudget } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { ToolLoopAgent } from "ai";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { AgentFactory, SdkAgent } from "../catalog/sdk-agent.ts";
import { memoryResponseCache } from "../model/memory-response-cache.ts";

const USAGE = { inputTokens: 900, outputTokens: 100 };
const asking = (...names: readonly string[]): ScriptedModelTurn => ({
  toolCalls: names.map((name) => ({ name })),
  usage: USAGE,
});
const answer: ScriptedModelTurn = { text: "Done.", usage: USAGE };
const work = tool({ inputSchema: z.object({}), execute: () => "ok" });
const price = { currency: "USD", inputPerMillion: 1, outputPerMillion: 10 };
const priced = {
  provider: "test",
  model: "test-model",
  supportsTools: true,
  supportsStructuredOutput: false,
  price,
};

it("books what a run used at the end of each call, and keeps nothing reserved", async () => {
  const { run, budget } = await engine([asking("work"), answer], { models: [priced] });

  const { runId, result } = await run();

  expect(result.usage).toMatchObject({ inputTokens: 1_800, outputTokens: 200 });
  expect(await budget(runId)).toEqual({
    rootRunId: runId,
    usedTokens: 2_000,
    estimatedTokens: 0,
    reservedTokens: 0,
    maxTokens: 200_000,
    usedCost: 0.0038,
    reservedCost: 0,
    currency: "USD",
    childRuns: 0,
    maxChildRuns: 25,
    toolCalls: 0,
  });
});

it("asks one call ahead, so that a run waits for the disk no more often than without a budget", async () => {
  const limited = await engine([asking("work"), answer]);
  const unlimited = await engine([asking("work"), answer], { agentGraph: NO_LIMITS });

  await limited.run();
  await unlimited.run();

  expect(limited.entries).toHaveLength(3);
  expect(unlimited.entries).toHaveLength(3);
  expect(limited.entries.map(({ budget }) => sizes(budget))).toEqual([
    { opened: true, reservations: 1, settlements: 0 },
    { opened: false, reservations: 1, settlements: 1 },
    { opened: false, reservations: 0, settlements: 1 },
  ]);
  expect(unlimited.entries.every(({ budget }) => budget === undefined)).toBe(true);
});

it("ends a run before the call its tree has no tokens for, and keeps what it used", async () => {
  const usage = { inputTokens: 9_000, outputTokens: 500 };
  const script = [{ ...asking("work"), usage }, answer];
  const { run, model, budget } = await engine(script, { agentGraph: { maxTotalTokens: 10_000 } });

  const { runId, result, events } = await run();

  expect(model.calls).toHaveLength(1);
  expect(result).toMatchObject({
    status: "Failed",
    usage,
    error: { type: "budget_exceeded", class: "QuotaExceeded" },
  });
  expect(result.error?.message).toContain("10000 tokens");
  expect(result.error?.message).toContain("agentGraph.maxTotalTokens");
  expect(events.at(-1)?.type).toBe("RunFailed");
  expect(await budget(runId)).toMatchObject({ usedTokens: 9_500, reservedTokens: 0 });
});

it("ends a run before the call its tree cannot pay", async () => {
  const agentGraph = { maxTotalCost: 0.05 };
  const options = { models: [priced], agentGraph };
  const { run, model } = await engine([asking("work"), answer], options);
  const expensive = await engine([answer], {
    models: [priced],
    agentGraph: { maxTotalCost: 0.01 },
  });

  const { result } = await run();
  const { result: refused } = await expensive.run();

  expect(result.status).toBe("Completed");
  expect(model.calls).toHaveLength(2);
  expect(expensive.model.calls).toEqual([]);
  expect(refused.error).toMatchObject({ class: "QuotaExceeded" });
  expect(refused.error?.message).toContain("0.01 USD");
  expect(refused.error?.message).toContain("agentGraph.maxTotalCost");
});

it.each([
  ["a model without a price", []],
  [
    "a model that is priced in another currency",
    [{ ...priced, price: { ...price, currency: "EUR" } }],
  ],
])("lets the limit on tokens stand in for the one on cost with %s", async (_, models) => {
  const agentGraph = { maxTotalCost: 1e-9, maxTotalTokens: 10_000 };
  const usage = { inputTokens: 9_000, outputTokens: 500 };
  const { run, budget } = await engine([{ ...asking("work"), usage }, answer], {
    models,
    agentGraph,
  });

  const { runId, result } = await run();

  expect(result.error?.message).toContain("agentGraph.maxTotalTokens");
  expect(await budget(runId)).toMatchObject({ usedTokens: 9_500, usedCost: 0, maxCost: 1e-9 });
});

it("looks at the time of the tree between calls, and never interrupts a tool", async () => {
  const clock = manualClock();
  const slow = tool({ inputSchema: z.object({}), execute: () => clock.advance(60_000) });
  const options = { clock, tools: { slow }, agentGraph: { maxDurationMs: 30_000 } };
  const { run, model } = await engine([asking("slow"), answer], options);

  const { result, events } = await run();

  expect(events.some(({ type }) => type === "ToolInvoked")).toBe(true);
  expect(model.calls).toHaveLength(1);
  expect(result.error).toMatchObject({ type: "budget_exceeded", class: "QuotaExceeded" });
  expect(result.error?.message).toContain("30 s");
  expect(result.error?.message).toContain("agentGraph.maxDuration");
});

it("runs no call of a batch that has more than the tree has left", async () => {
  const ran: string[] = [];
  const counted = tool({ inputSchema: z.object({}), execute: () => void ran.push("ran") });
  const script = [asking("counted", "counted"), asking("counted", "counted"), answer];
  const options = { tools: { counted }, agentGraph: { maxToolCalls: 3 } };
  const { run, budget } = await engine(script, options);

  const { runId, result, events } = await run();

  expect(ran).toHaveLength(2);
  expect(result.error?.message).toContain("agentGraph.maxToolCalls");
  expect(failuresOf(events)).toMatchObject([{ kind: "NotRun" }, { kind: "NotRun" }]);
  expect(await budget(runId)).toMatchObject({ toolCalls: 2, maxToolCalls: 3, reservedTokens: 0 });
});

it("books nothing for an answer from the response cache", async () => {
  const responseCache = memoryResponseCache();
  const agent = {
    model: { provider: "test", model: "test-model", responseCache: { enabled: true } },
  };
  const { run, budget } = await engine([answer], { responseCache, agent });

  const first = await run();
  const second = await run();

  expect(await budget(first.runId)).toMatchObject({ usedTokens: 1_000 });
  expect(second.result.status).toBe("Completed");
  expect(await budget(second.runId)).toMatchObject({ usedTokens: 0, reservedTokens: 0 });
});

it("books an estimate, marked as one, where the provider reports nothing, and knows no usage", async () => {
  const { run, budget } = await engine([{ text: "x".repeat(300) }]);

  const { runId, result } = await run();

  expect(result.usage).toBeUndefined();
  const { usedTokens = 0, estimatedTokens } = (await budget(runId)) ?? {};
  expect(usedTokens).toBeGreaterThan(100);
  expect(estimatedTokens).toBe(usedTokens);
});

it("marks only the half of a usage that nobody measured", async () => {
  const { run, budget } = await engine([{ text: "x".repeat(300), usage: { inputTokens: 7 } }]);

  const { runId } = await run();

  expect(await budget(runId)).toMatchObject({ usedTokens: 107, estimatedTokens: 100 });
});

it.each([
  ["the provider cuts the answer", { ends: "cut" }],
  ["the connection breaks", { ends: { streamError: new Error("reset") } }],
] as const)("books what was received before %s, marked as an estimate", async (_, end) => {
  const { run, budget } = await engine([{ text: Array(20).fill("chunk "), ...end }]);

  const { runId, result } = await run();

  expect(result.status).toBe("Failed");
  const { usedTokens = 0, estimatedTokens, reservedTokens } = (await budget(runId)) ?? {};
  expect(usedTokens).toBeGreaterThanOrEqual(40);
  expect([estimatedTokens, reservedTokens]).toEqual([usedTokens, 0]);
});

it("books nothing for a call that the provider refused", async () => {
  const { run, budget } = await engine([{ throws: new Error("no") }]);

  const { runId } = await run();

  expect(await budget(runId)).toMatchObject({ usedTokens: 0, reservedTokens: 0 });
});

it("reserves once for a call and its repetitions, and again for a fallback and a repair", async () => {
  const failure = Object.assign(new Error("down"), { statusCode: 503 });
  const spare = scriptedModel([
    { text: "no json", usage: USAGE },
    { text: "{}", usage: USAGE },
  ]);
  const { run, budget, entries } = await engine([{ throws: failure }, { throws: failure }], {
    modelRetry: { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1 },
    sleep: () => Promise.resolve(),
    providers: { spare },
    structuredResponse: { enabled: true, maxRepairAttempts: 1 },
    agent: {
      toolNames: [],
      model: {
        provider: "test",
        model: "test-model",
        responseFormat: { kind: "Json" },
        fallbacks: [{ provider: "spare", model: "spare-model" }],
      },
    },
  });

  const { runId, result } = await run();

  // The repaired turn begins with the first model again, whose script is at its end.
  expect(spare.calls).toHaveLength(1);
  expect(result.status).toBe("Failed");
  const made = entries.flatMap((it) => it.budget?.reservations ?? []);
  expect(made).toHaveLength(3);
  expect(await budget(runId)).toMatchObject({ usedTokens: 1_000, reservedTokens: 0 });
});

it(
  "counts the calls of an agent that code builds, also those it makes at the same time",
  covers("agent-factory.registry-client-keeps-rings"),
  async () => {
    const together: AgentFactory = ({ createModel }) => {
      const model = createModel({ provider: "test", model: "test-model" });
      const agent = new ToolLoopAgent({ model });
      return {
        ...agent,
        version: "agent-v1",
        async stream(call) {
          await Promise.all([
            agent.generate({ prompt: "One." }),
            agent.generate({ prompt: "Two." }),
          ]);
          return agent.stream(call);
        },
      } as SdkAgent;
    };
    const { engine: it, budget } = await engine([answer, answer, answer], {
      agentFactories: { together },
    });

    const run = await it.runs.start("default", "together", { message: "Go." });

    expect(await run.result).toMatchObject({ status: "Completed" });
    expect(await budget(run.runId)).toMatchObject({ usedTokens: 3_000, reservedTokens: 0 });
  },
);

it("books a run once that another turn of its session came before", async () => {
  const sessionId = "01900000-0000-7000-8000-000000000001";
  const say = { message: "Go.", sessionId };
  const other = tool({
    inputSchema: z.object({}),
    execute: async () => {
      await (await it.runs.start("default", "agent", say)).result;
      return "said";
    },
  });
  const { engine: it, budget } = await engine([asking("other"), answer, answer], {
    tools: { other },
  });

  const run = await it.runs.start("default", "agent", say);

  expect(await run.result).toMatchObject({ error: { type: "session_conflict" } });
  expect(await budget(run.runId)).toMatchObject({ usedTokens: 2_000, reservedTokens: 0 });
});

it("takes what other runs of the tree have set aside for theirs", async () => {
  const rival = tool({
    inputSchema: z.object({}),
    execute: async () => {
      const refused = await stores.journal.commit([rivalOf(entries[0]?.runId ?? "", 195_000)]);
      return refused.refusals.length === 0 ? "took it" : "refused";
    },
  });
  const { run, stores, entries, model } = await engine([asking("rival"), answer], {
    tools: { rival },
    agent: { model: { provider: "test", model: "test-model", maxOutputTokens: 10_000 } },
  });

  const { result, events } = await run();

  // What the run set aside for its next call was there first, so the rival gets nothing.
  expect(events.find(({ type }) => type === "ToolInvoked")?.payload).toMatchObject({
    result: "refused",
  });
  expect(model.calls).toHaveLength(2);
  expect(result.status).toBe("Completed");
  expect(entries.length).toBeGreaterThan(2);
});

it("sends a call that the whole tree has no room for with the output limit that fits", async () => {
  const agent = { model: { provider: "test", model: "test-model", maxOutputTokens: 50_000 } };
  const { run, model } = await engine([answer], { agent, agentGraph: { maxTotalTokens: 5_000 } });

  const { result } = await run();

  expect(result.status).toBe("Completed");
  const { maxOutputTokens = 0 } = model.calls[0] ?? {};
  expect(maxOutputTokens).toBeGreaterThan(4_000);
  expect(maxOutputTokens).toBeLessThan(5_000);
});

it("refuses a prompt that is larger than the whole tree, and asks nobody", async () => {
  const { run, model } = await engine([], { agentGraph: { maxTotalTokens: 100 } });

  const { result } = await run("x".repeat(1_000));

  expect(model.calls).toEqual([]);
  expect(result.error).toMatchObject({ class: "QuotaExceeded" });
});

it("takes limits that are not positive away", async () => {
  const script = Array(30).fill(asking("work")).concat(answer);
  const { run, budget } = await engine(script, { agentGraph: NO_LIMITS });

  const { runId, result } = await run();

  expect(result.status).toBe("Completed");
  expect(await budget(runId)).toBeUndefined();
});

it("lets a run go on whose store fails, within its tree's limit by itself", async () => {
  const usage = { inputTokens: 4_000, outputTokens: 500 };
  const script = [{ ...asking("work"), usage }, { ...asking("work"), usage }, answer];
  const { run, stores, model } = await engine(script, { agentGraph: { maxTotalTokens: 10_000 } });
  stores.journal.commit = () => Promise.reject(new Error("disk full"));

  const { result } = await run();

  expect(model.calls).toHaveLength(2);
  expect(result.error).toMatchObject({ type: "budget_exceeded" });
});

const NO_LIMITS = { maxTotalTokens: 0, maxTotalCost: -1, maxTotalRuns: 0, maxToolCalls: -5 };

const sizes = (budget: BudgetChange | undefined) => ({
  opened: budget?.opened !== undefined,
  reservations: budget?.reservations.length,
  settlements: budget?.settlements.length,
});

const failuresOf = (events: readonly RunEvent[]) =>
  events.filter(({ type }) => type === "ToolFailed").map(({ payload }) => payload);

/** Somebody else of the tree who wants `tokens`. */
const rivalOf = (rootRunId: string, tokens: number): JournalEntry => ({
  tenantId: "default",
  runId: rootRunId,
  budget: {
    rootRunId,
    at: "2026-01-01T00:00:00.000Z",
    settlements: [],
    reservations: [
      {
        id: "rival",
        tokens,
        costNanos: 0,
        childRuns: 0,
        toolCalls: 0,
        expiresAt: "2126-01-01T00:00:00.000Z",
      },
    ],
  },
});

async function engine(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  const entries: JournalEntry[] = [];
  const stores: Stores = {
    ...opened,
    journal: {
      commit(batch) {
        entries.push(...batch);
        return opened.journal.commit(batch);
      },
    },
  };
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, tools: { work }, ...options });
  const budget = (runId: string): Promise<TreeBudget | undefined> =>
    stores.runs.budget("default", runId);
  return { ...started, model, stores, entries, budget };
}
