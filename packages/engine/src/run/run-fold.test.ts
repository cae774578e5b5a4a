import type { KnownPrice, RunEventDraft, RunRecord, RunUsage } from "@tracon/core";
import { expect, it } from "vitest";
import { RunFold, type RunFoldOptions } from "./run-fold.ts";

const AT = "2026-01-01T00:00:00.000Z";

it("adds up the usage of the model calls and prices it once", () => {
  const fold = folded([
    answer("Working.", { inputTokens: 1_000, outputTokens: 10, totalTokens: 1_010 }),
    answer("Done.", { inputTokens: 2_000, outputTokens: 20, totalTokens: 2_020 }),
    completed(),
  ]);

  expect(fold.result()).toMatchObject({
    status: "Completed",
    output: "Done.",
    usage: { inputTokens: 3_000, outputTokens: 30, totalTokens: 3_030 },
    cost: { totalCost: 0.0036, currency: "USD", source: "Catalog" },
  });
});

it("leaves usage and cost unknown when nothing was measured", () => {
  const fold = folded([answer("Done.", undefined), completed()]);

  expect(fold.result()).not.toHaveProperty("usage");
  expect(fold.result().cost).toEqual({ source: "Unknown", hasUnmeasuredCalls: true });
});

it("keeps a measured zero apart from what is unknown", () => {
  const fold = folded([answer("Done.", { inputTokens: 0, outputTokens: 0 }), completed()]);

  expect(fold.result()).toMatchObject({
    usage: { inputTokens: 0, outputTokens: 0 },
    cost: { totalCost: 0 },
  });
});

it("keeps the usage of what was measured when a later call reports none", () => {
  const fold = folded([answer("a", { inputTokens: 5 }), answer("b", undefined), completed()]);

  expect(fold.result().usage).toEqual({ inputTokens: 5 });
});

it.each([
  [completed(), "Completed"],
  [{ type: "RunCanceled", payload: { reason: "asked" } }, "Canceled"],
  [{ type: "RunFailed", payload: { error: { type: "timeout", message: "late" } } }, "Failed"],
  [{ type: "RunAwaitingInput", payload: {} }, "AwaitingInput"],
] as [RunEventDraft, string][])("takes its status from the terminal event %j", (event, status) => {
  const fold = folded([event]);

  expect(fold.hasEnded).toBe(true);
  expect(fold.change(7)).toMatchObject({ status, eventCount: 7, completedAt: AT });
});

it("tallies tool calls by the hour in which they began, those of the ledger left out", () => {
  const fold = new RunFold(opened, UNPRICED);
  const call = (position: number, type: string, more: object, at: string) => {
    const place = { iteration: 1, step: 2, position, callId: "c", toolName: "look" };
    fold.apply({ type, payload: { ...place, ...more } } as RunEventDraft, at);
  };
  const later = "2026-01-01T01:00:00.000Z";

  call(0, "ToolInvoking", {}, AT);
  call(1, "ToolInvoking", {}, AT);
  call(2, "ToolInvoking", {}, later);
  call(3, "ToolInvoking", {}, later);
  call(0, "ToolInvoked", { durationMs: 4 }, later);
  call(1, "ToolFailed", { kind: "Failed", error: "no", durationMs: 2 }, later);
  call(2, "ToolInvoked", { durationMs: 1 }, later);
  call(3, "ToolInvoked", { durationMs: 0, fromLedger: true }, later);

  expect(fold.tally(9).toolCalls).toEqual([
    { toolName: "look", calls: 2, failedCalls: 1, durationMs: 6, lastCalledAt: AT },
    { toolName: "look", calls: 1, failedCalls: 0, durationMs: 1, lastCalledAt: later },
  ]);
});

it("tallies what the criteria of a loop decided, and what their judges took", () => {
  const judge = { provider: "test", model: "judge", durationMs: 1 };
  const fold = folded([
    {
      type: "Custom",
      payload: {
        customType: "tracon.loop.judge-called",
        data: { ...judge, iteration: 1, criterion: 0, usage: { inputTokens: 7 } },
      },
    },
    {
      type: "LoopIterationCompleted",
      payload: {
        iteration: 1,
        continued: false,
        criteria: [{ kind: "aiJudge", decision: "stop" }],
      },
    },
    completed(),
  ]);

  expect(fold.tally(3).criteria).toMatchObject([
    { kind: "aiJudge", position: 0, stopped: 1, judgeCalls: 1, usage: { inputTokens: 7 } },
  ]);
});

it("tallies the run as it ended, and whether its cost is not known", () => {
  const unmeasured = folded([answer("Done.", undefined), completed()]);
  const measured = folded([answer("Done.", { inputTokens: 1, outputTokens: 1 }), completed()]);
  const silent = folded([completed()]);

  expect(unmeasured.tally(2)).toMatchObject({
    isUnpriced: true,
    record: { id: "run-1", status: "Completed", completedAt: AT, eventCount: 2 },
  });
  expect(measured.tally(2).isUnpriced).toBe(false);
  expect(silent.tally(1).isUnpriced).toBe(false);
});

it("knows no cost when one of the calls was not measured, and none is missing from the cache's", () => {
  const usage = { inputTokens: 1_000, outputTokens: 10 };
  const cached = answer("a", undefined);
  Object.assign(cached.payload, { fromCache: true });

  const partly = folded([answer("a", usage), answer("b", undefined), completed()]);
  const wholly = folded([answer("a", usage), cached, completed()]);

  expect(partly.result().cost).toEqual({ source: "Unknown", hasUnmeasuredCalls: true });
  expect(wholly.result().cost?.totalCost).toBe(0.0012);
});

it("knows no cost of a run that ended within an answer, and keeps the usage before it", () => {
  const fold = new RunFold(opened, { priceOf: () => known, hasJsonOutput: false });
  fold.answering(0);
  fold.apply(answer("a", { inputTokens: 1_000, outputTokens: 10 }), AT);
  fold.answering(1);
  fold.apply({ type: "RunCanceled", payload: { reason: "asked" } }, AT);

  expect(fold.result()).toMatchObject({
    usage: { inputTokens: 1_000 },
    cost: { source: "Unknown", hasUnmeasuredCalls: true },
  });
  expect(fold.tally(3).isUnpriced).toBe(true);
});

it("knows no cost when a fallback answered in place of a model that was cut off", () => {
  const fold = new RunFold(opened, { priceOf: () => known, hasJsonOutput: false });
  const second = answer("a", { inputTokens: 1_000, outputTokens: 10 });
  Object.assign(second.payload, { step: 1 });
  fold.answering(0);
  fold.answering(1);
  fold.apply(second, AT);
  fold.apply(completed(), AT);

  expect(fold.result().cost).toEqual({ source: "Unknown", hasUnmeasuredCalls: true });
  expect(fold.tally(2).isUnpriced).toBe(true);
});

it("gives an answer its cost at the price of its moment", () => {
  const at: string[] = [];
  const priceOf = (_: string, __: string, moment: string) => {
    at.push(moment);
    return known;
  };
  const fold = new RunFold(opened, { priceOf, hasJsonOutput: false });

  const recorded = fold.apply(answer("a", { inputTokens: 1_000, outputTokens: 10 }), AT);

  expect(recorded.payload).toMatchObject({ cost: { totalCost: 0.0012, source: "Catalog" } });
  expect(at).toEqual([AT]);
});

function completed(): RunEventDraft {
  return { type: "RunCompleted", payload: {} };
}

const answer = (text: string, usage: RunUsage | undefined): RunEventDraft => ({
  type: "MessageCompleted",
  text,
  payload: {
    iteration: 1,
    step: 0,
    modelProvider: "test",
    modelId: "test-model",
    finishReason: "stop",
    toolCallCount: 0,
    durationMs: 1,
    ...(usage && { usage }),
  },
});

const opened: RunRecord = {
  id: "run-1",
  agentName: "agent",
  kind: "Agent",
  status: "Running",
  startedAt: AT,
  isStreaming: false,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
};

const UNPRICED: RunFoldOptions = { priceOf: () => undefined, hasJsonOutput: false };
const known: KnownPrice = {
  price: { currency: "USD", inputPerMillion: 1, outputPerMillion: 20 },
  source: "Catalog",
};

function folded(events: readonly RunEventDraft[]): RunFold {
  const fold = new RunFold(opened, { priceOf: () => known, hasJsonOutput: false });
  for (const event of events) fold.apply(event, AT);
  return fold;
}
