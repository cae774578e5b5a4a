/** Records of the HTTP API for what keeps runs under control. */

import type { RunErrorClass } from "@tracon/core";

export type ErrorCluster = {
  readonly fingerprint: string;
  readonly count: number;
  readonly sampleMessage: string;
  readonly sampleRunId: string;
  readonly lastSeenAt: string;
};

export type RunErrorStatistics = {
  readonly class: RunErrorClass;
  readonly totalRuns: number;
  readonly topClusters: readonly ErrorCluster[];
};

export type RunStatistics = {
  readonly totalRuns: number;
  readonly completedRuns: number;
  readonly failedRuns: number;
  readonly canceledRuns: number;
  readonly runningRuns: number;
  readonly awaitingInputRuns: number;
  readonly totalTokens?: number;
  readonly byAgent: readonly {
    readonly agentName: string;
    readonly isOther?: true;
    readonly totalRuns: number;
    readonly failedRuns: number;
    readonly totalTokens?: number;
  }[];
  readonly byModel: readonly {
    readonly modelId: string;
    readonly modelProvider?: string;
    readonly isOther?: true;
    readonly currency?: string;
    readonly totalRuns: number;
    readonly totalTokens?: number;
    readonly totalCost?: number;
  }[];
  readonly totalCost?: number;
  readonly currency?: string;
  readonly costs: readonly { readonly currency: string; readonly totalCost: number }[];
  readonly runsWithUnknownPricing: number;
  readonly errorRate?: number;
};

export type TimeSeriesPoint = {
  readonly bucket: string;
  readonly runs: number;
  readonly failedRuns: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: number;
  readonly currency?: string;
  readonly averageDurationMs?: number;
};

export type TreeBudget = {
  readonly rootRunId: string;
  readonly usedTokens: number;
  readonly estimatedTokens: number;
  readonly reservedTokens: number;
  readonly maxTokens?: number | undefined;
  readonly usedCost: number;
  readonly reservedCost: number;
  readonly maxCost?: number | undefined;
  readonly currency: string;
  readonly childRuns: number;
  readonly maxChildRuns?: number | undefined;
  readonly toolCalls: number;
  readonly maxToolCalls?: number | undefined;
};
