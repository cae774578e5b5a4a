import { tool } from "@ai-sdk/provider-utils";
import type { DatedPrice, RunUsage, Stores } from "@tracon/core";
import { addUsage, sumCosts } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const T = "default";
const NOON = Date.UTC(2026, 6, 1, 12, 30);
const answered = { text: "Done.", usage: { inputTokens: 1_000, outputTokens: 100 } };
const listed: DatedPrice = {
  provider: "test",
  model: "test-model",
  currency: "USD",
  inputPerMillion: 1,
  outputPerMillion: 10,
};
const look = tool({ inputSchema: z.object({}), execute: () => "found" });

it("counts runs with their tokens, their cost and their failures", async () => {
  const { run, statistics } = await engine(
    [answered, answered, { ends: { streamError: new Error("x") } }],
    {
      prices: [listed],
    },
  );
  for (const message of ["One.", "Two.", "Three."]) await run(message);

  const counted = await statistics.get(T);

  expect(counted).toMatchObject({
    totalRuns: 3,
    completedRuns: 2,
    failedRuns: 1,
    runningRuns: 0,
    totalTokens: 2_200,
    totalCost: 0.004,
    currency: "USD",
    runsWithUnknownPricing: 0,
    byAgent: [{ agentName: "agent", totalRuns: 3, failedRuns: 1 }],
    byModel: [{ modelId: "test-model", modelProvider: "test", totalRuns: 2, totalCost: 0.004 }],
    byVersion: [{ agentName: "agent", version: 1, totalRuns: 3 }],
  });
  expect(counted.errorRate).toBeCloseTo(1 / 3);
  expect(await statistics.errors(T)).toMatchObject([
    { totalRuns: 1, topClusters: [{ count: 1, sampleMessage: expect.any(String) }] },
  ]);
});

it("counts the tool calls of runs that have ended", async () => {
  const { run, engine: it } = await engine(
    [{ toolCalls: [{ name: "look" }, { name: "look" }, { name: "nothing" }] }, answered],
    { tools: { look } },
  );

  const before = await it.runs.toolUsage(T, { maxTools: 5 });
  await run();

  expect(before).toEqual([]);
  expect(await it.runs.toolUsage(T, { maxTools: 5 })).toMatchObject([
    { toolName: "look", totalCalls: 2, failedCalls: 0, errorRate: 0 },
    { toolName: "nothing", totalCalls: 1, failedCalls: 1, errorRate: 1 },
  ]);
});

it("prices a run at what was in force when its model answered, and keeps those prices", async () => {
  const dearer = { ...listed, inputPerMillion: 2, validFrom: "2026-07-01T13:00:00.000Z" };
  const {
    run,
    clock,
    engine: it,
  } = await engine([answered, answered], {
    prices: [listed, dearer],
  });

  const { result: first } = await run();
  clock.advance(3_600_000);
  const { result: second, events } = await run();

  expect(first.cost).toMatchObject({ totalCost: 0.002, source: "Configuration" });
  expect(second.cost).toMatchObject({
    totalCost: 0.003,
    inputPricePerMillionTokens: 2,
    priceValidFrom: dearer.validFrom,
  });
  expect((await it.runs.get(T, first.runId)).cost).toEqual(first.cost);
  expect(events.find(({ type }) => type === "MessageCompleted")?.payload).toMatchObject({
    cost: second.cost,
  });
});

it("prices runs later whose price was missing, once, and no others", async () => {
  const stores = await memory();
  const cheap = await engine([answered, answered, { text: "Unmeasured." }], { stores });
  const { runId } = await cheap.run();
  const unpriced = await cheap.statistics.get(T);
  const priced = await engine([answered], { stores, prices: [listed] });
  const { runId: known } = await priced.run();
  const dearer = await engine([], { stores, prices: [{ ...listed, outputPerMillion: 1_000 }] });
  const journal = JSON.stringify(await priced.events(runId));

  const first = await priced.statistics.recalculateCosts(T);
  const again = await dearer.statistics.recalculateCosts(T);

  expect(unpriced).toMatchObject({ runsWithUnknownPricing: 1 });
  expect(unpriced).not.toHaveProperty("totalCost");
  expect(first).toEqual({
    runsConsidered: 1,
    runsUpdated: 1,
    runsStillUnknown: 0,
    runsSkipped: 0,
  });
  expect(again).toMatchObject({ runsConsidered: 0, runsUpdated: 0 });
  const { runs } = priced.engine;
  expect((await runs.get(T, runId)).cost).toMatchObject({
    totalCost: 0.002,
    pricedAt: new Date(NOON).toISOString(),
  });
  expect((await runs.get(T, known)).cost).not.toHaveProperty("pricedAt");
  expect(JSON.stringify(await priced.events(runId))).toBe(journal);
  expect(await priced.statistics.get(T)).toMatchObject({
    totalCost: 0.004,
    runsWithUnknownPricing: 0,
  });
});

it("leaves a cost unknown as long as a price or a measurement is missing", async () => {
  const stores = await memory();
  const toolTurn = { toolCalls: [{ name: "look" }] };
  const before = await engine([toolTurn, answered, answered], { stores, tools: { look } });
  await before.run();
  const after = await engine([], { stores, tools: { look }, prices: [listed] });
  const elsewhere = await engine([], { stores, prices: [{ ...listed, model: "another" }] });

  const partly = await after.statistics.recalculateCosts(T);
  const unlisted = await elsewhere.statistics.recalculateCosts(T);

  // The first of the run's calls reported no usage.
  expect(partly).toMatchObject({ runsConsidered: 1, runsUpdated: 0, runsStillUnknown: 1 });
  expect(unlisted).toMatchObject({ runsConsidered: 1, runsUpdated: 0, runsStillUnknown: 1 });
  expect((await after.statistics.get(T)).runsWithUnknownPricing).toBe(1);
});

it("keeps the usage of a run whose answer is not the JSON it has to be", async () => {
  const json = { responseFormat: { kind: "JsonSchema" as const, schema: { type: "object" } } };
  const wrong = { text: "not json", usage: { inputTokens: 100, outputTokens: 20 } };
  const agent = { model: { provider: "test", model: "test-model", ...json } };
  const structuredResponse = { enabled: true, maxRepairAttempts: 1 };
  const failing = await engine([wrong, wrong], { agent, structuredResponse, prices: [listed] });

  const { result } = await failing.run();

  expect(result).toMatchObject({
    status: "Failed",
    usage: { totalTokens: 240 },
    cost: { totalCost: 0.0006 },
  });
  expect(await failing.statistics.get(T)).toMatchObject({ totalTokens: 240, totalCost: 0.0006 });
});

it("keeps what a run used before an answer that was cut, and knows no cost for it", async () => {
  const cut = { text: ["Half an", " answer"], ends: { streamError: new Error("gone") } };
  const measured = { ...answered, text: "", toolCalls: [{ name: "look" }] };
  const { run, statistics } = await engine([measured, cut], { tools: { look }, prices: [listed] });

  const { result } = await run();
  const recalculated = await statistics.recalculateCosts(T);

  expect(result).toMatchObject({
    status: "Failed",
    usage: { totalTokens: 1_100 },
    cost: { source: "Unknown", hasUnmeasuredCalls: true },
  });
  expect(recalculated).toMatchObject({ runsConsidered: 1, runsStillUnknown: 1 });
  expect(await statistics.get(T)).toMatchObject({ totalTokens: 1_100, runsWithUnknownPricing: 1 });
});

it("answers the last day by the hour when nothing is said", async () => {
  const { run, statistics } = await engine([answered]);
  await run();

  const points = await statistics.timeSeries(T);

  expect(points).toHaveLength(24);
  expect(points[0]?.bucket).toBe("2026-06-30T13:00:00.000Z");
  expect(points.at(-1)).toMatchObject({ bucket: "2026-07-01T12:00:00.000Z", runs: 1 });
  expect(points[0]).toEqual({
    bucket: "2026-06-30T13:00:00.000Z",
    runs: 0,
    failedRuns: 0,
    inputTokens: 0,
    outputTokens: 0,
  });
});

it.each([
  ["more buckets than a chart shows", { from: "2026-06-01T00:00:00.000Z" }, "500"],
  ["an end before its beginning", { from: "2026-07-02T00:00:00.000Z" }, "before"],
])("refuses a time series of %s", async (_, request, words) => {
  const { statistics } = await engine([]);

  const series = statistics.timeSeries(T, request);

  await expect(series).rejects.toMatchObject({
    code: "request_invalid",
    details: { findings: [{ path: "query.from", message: expect.stringContaining(words) }] },
  });
});

it("adds up what the steps of a run used and cost, whatever they report", async () => {
  const counts = fc.option(fc.nat(100_000), { nil: undefined });
  const step = fc.record({ inputTokens: counts, outputTokens: counts, cachedInputTokens: counts });
  const script = fc.array(step, { minLength: 1, maxLength: 6 });
  const cached = { ...listed, cachedInputPerMillion: 0.1 };

  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const turns = steps.map((usage, index) => ({
        usage: definedOf(usage),
        ...(index === steps.length - 1 ? { text: "Done." } : { toolCalls: [{ name: "look" }] }),
      }));
      const { run, statistics } = await engine(turns, {
        tools: { look },
        prices: [cached],
        agentGraph: { maxTotalTokens: 0 },
      });

      const { result, events } = await run();

      const answers = events.flatMap((event) =>
        event.type === "MessageCompleted" ? [event.payload] : [],
      );
      const usage = answers.reduce<RunUsage | undefined>(
        (sum, { usage: own }) => addUsage(sum, own),
        undefined,
      );
      const cost = sumCosts(answers.map((answer) => answer.cost ?? { source: "Unknown" }));
      expect(answers).toHaveLength(steps.length);
      expect(result.usage).toEqual(usage);
      const isUnmeasured = answers.some((answer) => answer.usage === undefined);
      expect(result.cost).toEqual({
        ...cost,
        ...(isUnmeasured ? { hasUnmeasuredCalls: true } : {}),
      });
      const counted = await statistics.get(T);
      expect(counted.totalTokens).toBe(usage?.totalTokens);
      expect(counted.totalCost).toBe(cost.totalCost);
      expect(counted.runsWithUnknownPricing).toBe(cost.totalCost === undefined ? 1 : 0);
    }),
    { numRuns: 60 },
  );
});

const models = [
  {
    provider: "test",
    model: "test-model",
    contextWindowTokens: 100,
    supportsTools: true,
    supportsStructuredOutput: true,
  },
];

it("starts no run whose prompt leaves no room for an answer, and records nothing", async () => {
  const stores = await memory();
  const preflight = { enabled: true, reserveRatio: 0.5 };
  const { engine: it, run } = await engine([answered], { stores, models, preflight });

  const tooLarge = it.runs.start(T, "agent", { message: "x".repeat(204) });

  await expect(tooLarge).rejects.toMatchObject({
    code: "context_window_exceeded",
    details: {
      extensions: { promptTokens: 51, allowedPromptTokens: 50, contextWindowTokens: 100 },
    },
  });
  expect(await it.runs.list(T, {}, { skip: 0, take: 9 })).toEqual([]);
  const { result } = await run("x".repeat(200));
  expect(result.status).toBe("Completed");
});

it("measures no prompt unless it is told to, and none of a model whose window is unknown", async () => {
  const long = "x".repeat(10_000);
  const off = await engine([answered], { models });
  const unknown = await engine([answered], { preflight: { enabled: true, reserveRatio: 0.2 } });

  expect((await off.run(long)).result.status).toBe("Completed");
  expect((await unknown.run(long)).result.status).toBe("Completed");
  expect(await off.engine.runs.estimate(T, "agent", { message: long })).toMatchObject({
    allowedPromptTokens: 80,
    wouldBeRejected: true,
  });
});

async function memory(): Promise<Stores> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return stores;
}

async function engine(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = options.stores ?? (await openStores("memory:"));
  const clock = manualClock(NOON);
  const started = await startTestEngine({
    clock,
    ...options,
    stores,
    model: scriptedModel(script),
  });
  return { ...started, clock, statistics: started.engine.statistics };
}

/** The members that have a value. */
const definedOf = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]?: Exclude<Members[Key], undefined>;
  };
