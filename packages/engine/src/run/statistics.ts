import type {
  CriterionStatistics,
  RunCostRecalculation,
  RunErrorStatistics,
  RunKind,
  RunStatistics,
  StatisticsFilter,
  TimeBucket,
  TimeSeriesPoint,
} from "@tracon/core";

/** Which buckets are asked for; the last 24 hours, hour by hour, by default. */
export type TimeSeriesRequest = {
  /** ISO 8601; the series begins with the bucket that holds it. */
  readonly from?: string;
  /** ISO 8601; the series ends with the bucket before it, or with the one that holds it. */
  readonly to?: string;
  readonly bucket?: TimeBucket;
  readonly agentName?: string;
  readonly modelId?: string;
  readonly kind?: RunKind;
};

/** Counts, tokens and cost over many runs. Reading them costs the same however many runs there were. */
export interface Statistics {
  /** Agent runs, of all time unless `startedAfter` says otherwise. */
  get(
    tenantId: string,
    filter?: StatisticsFilter,
    options?: { readonly maxRows?: number },
  ): Promise<RunStatistics>;
  /** Throws `request_invalid` for more than 500 buckets, or when `from` is not before `to`. */
  timeSeries(tenantId: string, request?: TimeSeriesRequest): Promise<readonly TimeSeriesPoint[]>;
  /** The failed agent runs of the last hours (24 by default), by error class. */
  errors(
    tenantId: string,
    query?: { readonly agentName?: string; readonly hours?: number },
  ): Promise<readonly RunErrorStatistics[]>;
  /** The criteria of loops in agent runs, of all time by default; the most evaluated first, 50 of them. */
  criteria(
    tenantId: string,
    filter?: Pick<StatisticsFilter, "agentName" | "startedAfter">,
    options?: { readonly maxRows?: number },
  ): Promise<readonly CriterionStatistics[]>;
  /**
   * Prices runs whose cost was unknown at their end, at the prices that were in force when their
   * models answered. A cost that is known never changes.
   */
  recalculateCosts(
    tenantId: string,
    options?: { readonly after?: string },
  ): Promise<RunCostRecalculation>;
}
