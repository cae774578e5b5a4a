/** Examples of the statistics. */

import type {
  CriterionStatistics,
  RunCostRecalculation,
  RunErrorStatistics,
  RunStatistics,
  TimeSeriesPoint,
} from "@tracon/core";
import { runRecord } from "./examples.ts";

const cost = { totalCost: 0.42, currency: "USD" };
const tokens = { inputTokens: 848_000, outputTokens: 36_000, totalTokens: 884_000 };
const failures = { totalRuns: 4_000, failedRuns: 12, totalTokens: 884_000 };

export const runErrorStatistics: RunErrorStatistics = {
  class: "RateLimited",
  totalRuns: 9,
  topClusters: [
    {
      fingerprint: "rate_limited",
      count: 9,
      sampleMessage: "model provider 'openai' refused the call because of its rate limit",
      sampleRunId: runRecord.id,
      lastSeenAt: "2026-09-12T08:30:01.250Z",
    },
  ],
};

export const criterionStatistics: CriterionStatistics = {
  agentName: "researcher",
  kind: "aiJudge",
  position: 1,
  runs: 40,
  evaluations: 62,
  continued: 21,
  stopped: 40,
  failed: 1,
  decisive: 22,
  decisiveRate: 22 / 62,
  reviewerRuns: 0,
  judgeCalls: 62,
  inputTokens: 54_200,
  outputTokens: 2_480,
  totalCost: 0.031,
  currency: "USD",
  costs: [{ currency: "USD", totalCost: 0.031 }],
  unpricedCalls: 0,
};

export const runStatistics: RunStatistics = {
  totalRuns: 4_001,
  completedRuns: 3_980,
  failedRuns: 12,
  canceledRuns: 6,
  runningRuns: 1,
  awaitingInputRuns: 2,
  ...tokens,
  cachedInputTokens: 120_000,
  ...cost,
  costs: [cost],
  runsWithUnknownPricing: 3,
  errorRate: 0.003,
  byAgent: [{ agentName: "support", ...failures }],
  byModel: [
    { modelId: "gpt-5.4-mini", modelProvider: "openai", totalRuns: 4_000, ...tokens, ...cost },
  ],
  byVersion: [{ agentName: "support", version: 3, ...failures }],
  byUser: [{ userId: "u-17", ...failures, ...cost }],
  byLabel: [{ key: "channel", value: "mail", ...failures, ...cost }],
  byErrorClass: [runErrorStatistics],
};

export const timeSeriesPoint: TimeSeriesPoint = {
  bucket: "2026-09-12T08:00:00.000Z",
  runs: 167,
  failedRuns: 1,
  inputTokens: 35_400,
  outputTokens: 1_500,
  cost: 0.0175,
  currency: "USD",
  averageDurationMs: 1_180,
};

export const runCostRecalculation: RunCostRecalculation = {
  runsConsidered: 40,
  runsUpdated: 37,
  runsStillUnknown: 3,
  runsSkipped: 0,
};
