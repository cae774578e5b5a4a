import * as z from "zod";
import { runErrorClassSchema } from "./run-record.ts";

/** Sums over runs; a sum is absent when no run measured its part, and 0 when there was no run. */
const tokens = {
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  totalTokens: z.int().optional(),
};
const totalTokens = tokens.totalTokens;

/** Of the runs whose cost is known; absent when none is, or when they are in several currencies. */
const cost = { totalCost: z.number().optional(), currency: z.string().optional() };

/** The row stands for what was too much to be counted apart; see `isOther` in the documents. */
const isOther = z.literal(true).optional();

/** Runs that failed alike. */
export const errorClusterSchema = z.object({
  fingerprint: z.string(),
  count: z.int(),
  /** Of the last of these runs. */
  sampleMessage: z.string(),
  sampleRunId: z.string(),
  /** ISO 8601, UTC; when the last of them ended. */
  lastSeenAt: z.string(),
});

/** Failed runs of one error class, with the most frequent kinds of failure. */
export const runErrorStatisticsSchema = z.object({
  class: runErrorClassSchema,
  totalRuns: z.int(),
  topClusters: z.array(errorClusterSchema),
});
export type RunErrorStatistics = z.output<typeof runErrorStatisticsSchema>;

/** Counts, tokens and cost of runs. Everything but `runningRuns` is of runs that have ended. */
export const runStatisticsSchema = z.object({
  /** Ended and running ones. */
  totalRuns: z.int(),
  completedRuns: z.int(),
  failedRuns: z.int(),
  canceledRuns: z.int(),
  /** At this moment, queued ones included. */
  runningRuns: z.int(),
  /** Ended to wait for an answer or an approval. */
  awaitingInputRuns: z.int(),
  ...tokens,
  cachedInputTokens: z.int().optional(),
  reasoningTokens: z.int().optional(),
  audioInputTokens: z.int().optional(),
  audioOutputTokens: z.int().optional(),
  ...cost,
  /** The known cost in each currency; nothing is converted. */
  costs: z.array(z.object({ currency: z.string(), totalCost: z.number() })),
  /** Runs that a model answered and whose cost is not known. They are in no cost. */
  runsWithUnknownPricing: z.int(),
  /** Failed among completed, failed and canceled runs; absent when there is none. */
  errorRate: z.number().optional(),
  byAgent: z.array(
    z.object({
      agentName: z.string(),
      isOther,
      totalRuns: z.int(),
      failedRuns: z.int(),
      totalTokens,
    }),
  ),
  byModel: z.array(
    z.object({
      modelId: z.string(),
      modelProvider: z.string().optional(),
      isOther,
      totalRuns: z.int(),
      ...tokens,
      ...cost,
    }),
  ),
  byVersion: z.array(
    z.object({
      agentName: z.string(),
      version: z.int(),
      isOther,
      totalRuns: z.int(),
      failedRuns: z.int(),
      totalTokens,
    }),
  ),
  byUser: z.array(
    z.object({
      userId: z.string(),
      isOther,
      totalRuns: z.int(),
      failedRuns: z.int(),
      totalTokens,
      ...cost,
    }),
  ),
  /** A run counts in the row of each of its labels. */
  byLabel: z.array(
    z.object({
      key: z.string(),
      value: z.string(),
      totalRuns: z.int(),
      failedRuns: z.int(),
      totalTokens,
      ...cost,
    }),
  ),
  byErrorClass: z.array(runErrorStatisticsSchema),
});
export type RunStatistics = z.output<typeof runStatisticsSchema>;

/** How long a bucket of a time series is; days are UTC. */
export const timeBucketSchema = z.enum(["Hour", "Day"]);
export type TimeBucket = z.output<typeof timeBucketSchema>;

/** The ended runs that started in one bucket. */
export const timeSeriesPointSchema = z.object({
  /** ISO 8601, UTC; when the bucket begins. */
  bucket: z.string(),
  runs: z.int(),
  failedRuns: z.int(),
  inputTokens: tokens.inputTokens,
  outputTokens: tokens.outputTokens,
  /** Of the runs whose cost is known; absent when none is, or when they are in several currencies. */
  cost: z.number().optional(),
  currency: z.string().optional(),
  averageDurationMs: z.number().optional(),
});
export type TimeSeriesPoint = z.output<typeof timeSeriesPointSchema>;

/** What became of the runs whose cost was not known. */
export const runCostRecalculationSchema = z.object({
  runsConsidered: z.int(),
  /** Their cost is known from now on. */
  runsUpdated: z.int(),
  /** A price or the usage of a model call is still missing. */
  runsStillUnknown: z.int(),
  /** Another call priced them at the same time. */
  runsSkipped: z.int(),
  /** There are more runs: call again with this as `after`. */
  continueAfter: z.string().optional(),
});
export type RunCostRecalculation = z.output<typeof runCostRecalculationSchema>;
