import type {
  CriterionStatistics,
  RunCostRecalculation,
  RunErrorStatistics,
  RunKind,
  RunStatistics,
  TimeBucket,
  TimeSeriesPoint,
} from "@tracon/core";
import type { CallOptions, Transport } from "./transport.ts";

/** Which runs are counted. Everything given must match. */
export type StatisticsQuery = {
  readonly agentName?: string | undefined;
  readonly userId?: string | undefined;
  /** `key` or `key:value`. */
  readonly label?: string | undefined;
  /** ISO 8601, UTC; rounded down to its hour. */
  readonly startedAfter?: string | undefined;
  /** Rows of each breakdown, 1 to 200; 50 when absent. */
  readonly maxAgents?: number | undefined;
};

/** Which buckets a time series has. */
export type TimeSeriesClientQuery = {
  /** ISO 8601, UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `Hour` when absent. */
  readonly bucket?: TimeBucket | undefined;
  readonly agentName?: string | undefined;
  readonly modelId?: string | undefined;
  /** `Agent` when absent. */
  readonly kind?: RunKind | undefined;
};

/** Counts, tokens and cost over many runs. */
export type StatisticsClient = {
  get(query?: StatisticsQuery, options?: CallOptions): Promise<RunStatistics>;
  /** The last 24 hours by the hour when nothing is given; at most 500 buckets. */
  timeSeries(
    query?: TimeSeriesClientQuery,
    options?: CallOptions,
  ): Promise<readonly TimeSeriesPoint[]>;
  /** Failed runs of the last `hours` (24 when absent), by error class. */
  errors(
    query?: { readonly agentName?: string | undefined; readonly hours?: number | undefined },
    options?: CallOptions,
  ): Promise<readonly RunErrorStatistics[]>;
  /**
   * What the criteria of loops decided, how often that changed the outcome, and what their judges took;
   * the most evaluated first.
   */
  criteria(
    query?: {
      readonly agentName?: string | undefined;
      /** ISO 8601, UTC; rounded down to its hour. */
      readonly startedAfter?: string | undefined;
      /** 1 to 200; 50 when absent. */
      readonly maxCriteria?: number | undefined;
    },
    options?: CallOptions,
  ): Promise<readonly CriterionStatistics[]>;
  /** Prices runs whose price was missing at their end; a known cost never changes. */
  recalculateCosts(
    query?: { readonly after?: string | undefined },
    options?: CallOptions,
  ): Promise<RunCostRecalculation>;
};

export const statisticsClient = (transport: Transport): StatisticsClient => ({
  get: (query = {}, { signal } = {}) =>
    transport.json("statistics.get", { path: {}, query, signal }),
  timeSeries: (query = {}, { signal } = {}) =>
    transport.json("statistics.timeSeries", { path: {}, query, signal }),
  errors: (query = {}, { signal } = {}) =>
    transport.json("statistics.errors", { path: {}, query, signal }),
  criteria: (query = {}, { signal } = {}) =>
    transport.json("statistics.criteria", { path: {}, query, signal }),
  recalculateCosts: (query = {}, { signal } = {}) =>
    transport.json("statistics.recalculateCosts", { path: {}, query, signal }),
});
