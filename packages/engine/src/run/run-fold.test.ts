import type { ModelPrice, RunEventDraft, RunRecord, RunUsage } from "@tracon/core";
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
  expect(fold.result().cost).toEqual({ source: "Unknown" });
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

it("answers with a tool call once it has its outcome, with when it began", () => {
  const fold = new RunFold(opened, UNPRICED);
  const place = { iteration: 1, step: 2, position: 3, callId: "c", toolName: "look" };

  const invoking = { type: "ToolInvoking", payload: { ...place, arguments: "{}" } } as const;
  const open = fold.apply(invoking, AT);
  const failed = {
    type: "ToolFailed",
    payload: { ...place, error: "no", kind: "Failed", durationMs: 4 },
  };
  const settled = fold.apply(failed as RunEventDraft, "2026-01-01T00:00:01.000Z");

  expect(open).toBeUndefined();
  expect(settled).toEqual({
    runId: "run-1",
    iteration: 1,
    step: 2,
    position: 3,
    toolCallId: "c",
    toolName: "look",
    arguments: "{}",
    error: "no",
    createdAt: AT,
    durationMs: 4,
    succeeded: false,
  });
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
const price: ModelPrice = { currency: "USD", inputPerMillion: 1, outputPerMillion: 20 };

function folded(events: readonly RunEventDraft[]): RunFold {
  const fold = new RunFold(opened, { priceOf: () => price, hasJsonOutput: false });
  for (const event of events) fold.apply(event, AT);
  return fold;
}
