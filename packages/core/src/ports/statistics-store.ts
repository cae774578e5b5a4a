import type { RunCost } from "../run/cost.ts";
import type { CriterionStatistics } from "../run/criterion-statistics.ts";
import type { RunKind, RunRecord } from "../run/run-record.ts";
import type {
  RunErrorStatistics,
  RunStatistics,
  TimeBucket,
  TimeSeriesPoint,
} from "../run/run-statistics.ts";

/** Which runs are counted. Everything given must match. */
export type StatisticsFilter = {
  readonly agentName?: string;
  readonly userId?: string;
  /** With this label; with this value, when one is given. */
  readonly label?: { readonly key: string; readonly value?: string };
  /** ISO 8601, UTC; runs that started in its hour or later. */
  readonly startedAfter?: string;
};

/** Which buckets a time series has: from the one that holds `from` to the one before `to`. */
export type TimeSeriesQuery = {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
  readonly bucket: TimeBucket;
  readonly agentName?: string;
  readonly modelId?: string;
  readonly kind: RunKind;
};

/** A cost that became known after the end of its run. */
export type CostCorrection = { readonly record: RunRecord; readonly cost: RunCost };

/**
 * Sums over runs, kept by the hour in which the run started and written with the entry that ends it.
 * No read costs more because there were more runs in an hour.
 */
export interface StatisticsStore {
  /** Agent runs, all time by default; each breakdown has at most `maxRows` rows, the largest first. */
  statistics(
    tenantId: string,
    filter: StatisticsFilter,
    options: { readonly maxRows: number },
  ): Promise<RunStatistics>;
  /** Every bucket of the query in order, also those without a run. */
  timeSeries(tenantId: string, query: TimeSeriesQuery): Promise<readonly TimeSeriesPoint[]>;
  /** Failed agent runs by error class, the most frequent first. */
  errors(
    tenantId: string,
    query: { readonly startedAfter: string; readonly agentName?: string },
  ): Promise<readonly RunErrorStatistics[]>;
  /**
   * Criteria of loops in agent runs, all time by default; at most `maxRows`, the most evaluated first.
   * Costs are those that were known when the judges answered.
   */
  criteria(
    tenantId: string,
    filter: Pick<StatisticsFilter, "agentName" | "startedAfter">,
    options: { readonly maxRows: number },
  ): Promise<readonly CriterionStatistics[]>;
  /** Ended runs that measured usage and have no total cost, oldest first, with an id above `after`. */
  unpricedRuns(
    tenantId: string,
    page: { readonly after?: string; readonly take: number },
  ): Promise<readonly RunRecord[]>;
  /**
   * Adds costs that became known, to the runs' records and to the sums. A run that has one already
   * keeps it. Resolves to the ids of the runs that got theirs.
   */
  correctCosts(
    tenantId: string,
    corrections: readonly CostCorrection[],
  ): Promise<readonly string[]>;
}
