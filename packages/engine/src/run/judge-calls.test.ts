/** Calls of a loop's judge: part of what the run used and cost, and of its trace. */

import {
  type KnownPrice,
  LOOP_JUDGE_CALLED,
  type LoopJudgeCall,
  type RunEventDraft,
  type RunRecord,
  type RunUsage,
} from "@tracon/core";
import { expect, it } from "vitest";
import { eventJson, eventPrefix } from "./event-json.ts";
import { recalculateCosts } from "./recalculate-costs.ts";
import { RunFold } from "./run-fold.ts";
import { traceOfTree } from "./tree-trace.ts";

const RUN_ID = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const TOKENS: RunUsage = { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 };
const PRICES: Readonly<Record<string, number>> = { "test/agent-model": 1, "other/judge-model": 10 };

const opened: RunRecord = {
  id: RUN_ID,
  agentName: "agent",
  kind: "Agent",
  status: "Running",
  startedAt: "2026-01-01T00:00:00.000Z",
  isStreaming: false,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
};

it("adds the tokens of a judge to its run, at the price of the judge's own model", () => {
  const fold = folded([answer(), judged(), completed]);

  expect(fold.result()).toMatchObject({
    usage: { inputTokens: 2_000, outputTokens: 200, totalTokens: 2_200 },
    cost: { totalCost: 0.0011 + 0.011 },
    modelProvider: "test",
    modelId: "agent-model",
    output: "Done.",
  });
  expect(fold.tally(3).isUnpriced).toBe(false);
});

it("records what a call of a judge cost", () => {
  const fold = new RunFold(opened, { priceOf, hasJsonOutput: false });

  const recorded = fold.apply(judged(), at(0));

  expect(recorded.payload).toMatchObject({
    customType: LOOP_JUDGE_CALLED,
    data: { provider: "other", model: "judge-model", cost: { totalCost: 0.011 } },
  });
});

it("knows no cost of a run whose judge has no price, or measured nothing", () => {
  const unlisted = folded([answer(), judged({ model: "unlisted" }), completed]);
  const unmeasured = folded([answer(), judged({ usage: undefined }), completed]);

  expect(unlisted.result().cost).toEqual({ source: "Unknown" });
  expect(unlisted.tally(3).isUnpriced).toBe(true);
  expect(unmeasured.result().cost).toEqual({ source: "Unknown", hasUnmeasuredCalls: true });
  expect(unmeasured.result().usage).toEqual(TOKENS);
});

it("leaves events alone that only look like calls of a judge", () => {
  const fold = new RunFold(opened, { priceOf, hasJsonOutput: false });
  const others: readonly RunEventDraft[] = [
    { type: "Custom", payload: { customType: LOOP_JUDGE_CALLED, data: { usage: TOKENS } } },
    { type: "Custom", payload: { customType: "note", data: judged().payload.data } },
    { type: "Custom", payload: { customType: LOOP_JUDGE_CALLED } },
  ];

  const recorded = others.map((it) => fold.apply(it, at(0)));

  expect(recorded).toEqual(others);
  expect(fold.totals().usage).toBeUndefined();
});

it("prices the calls of a judge with the rest when its prices become known", async () => {
  const corrected: unknown[] = [];
  const journal = [answer(), judged(), completed];
  const record = { ...opened, status: "Completed" as const };

  await recalculateCosts(
    {
      priceOf,
      clock: { now: () => 0, monotonicMs: () => 0 },
      runs: { events: async () => stored(journal) } as never,
      statistics: {
        unpricedRuns: async () => [record],
        correctCosts: async (_: string, costs: readonly { readonly cost: unknown }[]) => {
          corrected.push(...costs.map(({ cost }) => cost));
          return costs;
        },
      } as never,
    },
    "default",
    undefined,
  );

  expect(corrected).toMatchObject([{ totalCost: 0.0011 + 0.011 }]);
});

it("shows the calls of a judge in the trace, and takes its fault for no call of the agent's model", async () => {
  const decided: RunEventDraft = {
    type: "LoopIterationCompleted",
    payload: {
      iteration: 1,
      continued: false,
      failedCriterion: "aiJudge",
      failsRun: true,
      criteria: [{ kind: "aiJudge", decision: "failed" }],
    },
  };
  const failed: RunEventDraft = {
    type: "RunFailed",
    payload: { error: { type: "provider_unavailable", message: "down" } },
  };

  const trace = await traceOfTree("default", [opened], async function* () {
    yield stored([answer(), judged(), judged(), decided, failed]);
  });

  const [, ...spans] = trace.spans;
  expect(spans.map(({ name, status }) => [name, status])).toEqual([
    ["chat agent-model", "Ok"],
    ["chat judge-model", "Ok"],
    ["chat judge-model", "Ok"],
  ]);
  expect(new Set(trace.spans.map(({ id }) => id)).size).toBe(4);
  expect(spans[1]?.attributes).toMatchObject({
    "gen_ai.provider.name": "other",
    "gen_ai.usage.input_tokens": "1000",
    "tracon.loop.iteration": "1",
  });
});

it("names the agent's first model for a call that failed behind a judge that was replaced", async () => {
  const journal: readonly RunEventDraft[] = [
    answer(),
    {
      type: "ModelFallbackUsed",
      payload: {
        primary: { provider: "other", model: "judge-model" },
        fallback: { provider: "other", model: "second-judge" },
      },
    },
    judged({ model: "second-judge" }),
    {
      type: "LoopIterationCompleted",
      payload: {
        iteration: 1,
        continued: true,
        continuedBy: "aiJudge",
        criteria: [{ kind: "aiJudge", decision: "continue" }],
      },
    },
    { type: "RunFailed", payload: { error: { type: "provider_unavailable", message: "down" } } },
  ];
  const record = { ...opened, modelProvider: "test", modelId: "agent-model" };

  const trace = await traceOfTree("default", [record], async function* () {
    yield stored(journal);
  });

  expect(trace.spans.at(-1)).toMatchObject({ name: "chat agent-model", status: "Error" });
});

function priceOf(provider: string, model: string): KnownPrice | undefined {
  const perMillion = PRICES[`${provider}/${model}`];
  if (perMillion === undefined) return undefined;
  const price = { currency: "USD", inputPerMillion: perMillion, outputPerMillion: perMillion };
  return { price, source: "Catalog" };
}

const answer = (): RunEventDraft => ({
  type: "MessageCompleted",
  text: "Done.",
  payload: {
    iteration: 1,
    step: 0,
    modelProvider: "test",
    modelId: "agent-model",
    finishReason: "stop",
    toolCallCount: 0,
    durationMs: 1,
    usage: TOKENS,
  },
});

function judged(over: Partial<LoopJudgeCall> = {}) {
  const data: LoopJudgeCall = {
    ...{ iteration: 1, criterion: 0, provider: "other", model: "judge-model", durationMs: 2 },
    usage: TOKENS,
    ...over,
  };
  return { type: "Custom", payload: { customType: LOOP_JUDGE_CALLED, data } } as const;
}

const completed: RunEventDraft = { type: "RunCompleted", payload: {} };

const at = (second: number): string => new Date(1_767_225_600_000 + second * 1_000).toISOString();

function folded(events: readonly RunEventDraft[]): RunFold {
  const fold = new RunFold(opened, { priceOf, hasJsonOutput: false });
  for (const event of events) fold.apply(event, at(0));
  return fold;
}

const stored = (events: readonly RunEventDraft[]) =>
  events.map((event, sequence) => ({
    sequence,
    json: eventJson(eventPrefix(RUN_ID), sequence, at(sequence), event),
  }));
