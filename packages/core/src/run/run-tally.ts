import type { RunRecord } from "./run-record.ts";
import type { RunUsage } from "./usage.ts";

/** What a run that ended adds to the statistics: a fold over its events like the row itself. */
export type RunTally = {
  /** The run's row as it ended. */
  readonly record: RunRecord;
  /** A model answered, and what that cost is not known. */
  readonly isUnpriced: boolean;
  /** At most one for each tool and hour. */
  readonly toolCalls: readonly ToolCallTally[];
  /** At most one for each place in the list of the loop's criteria. */
  readonly criteria: readonly CriterionTally[];
};

/** The calls of one tool in one hour that have an outcome. */
export type ToolCallTally = {
  readonly toolName: string;
  readonly calls: number;
  readonly failedCalls: number;
  /** Of all calls together. */
  readonly durationMs: number;
  /** ISO 8601, UTC; when the last of them began. It also says which hour they belong to. */
  readonly lastCalledAt: string;
};

/** What one criterion of the run's loop decided, and what it took. */
export type CriterionTally = {
  readonly kind: string;
  /** Place in the agent's list of criteria, from 0. */
  readonly position: number;
  /** Evaluations by what they came to. */
  readonly continued: number;
  readonly stopped: number;
  readonly failed: number;
  /** Evaluations that changed the outcome. */
  readonly decisive: number;
  readonly reviewerRuns: number;
  readonly judgeCalls: number;
  /** Of the judge calls together; absent when none was measured. */
  readonly usage?: RunUsage;
  /** Of the judge calls whose cost is known, one for each currency. */
  readonly costs: readonly { readonly currency: string; readonly totalCost: number }[];
  /** Judge calls whose cost is not known. */
  readonly unpricedCalls: number;
};
