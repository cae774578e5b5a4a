import type { RunRecord } from "./run-record.ts";

/** What a run that ended adds to the statistics: a fold over its events like the row itself. */
export type RunTally = {
  /** The run's row as it ended. */
  readonly record: RunRecord;
  /** A model answered, and what that cost is not known. */
  readonly isUnpriced: boolean;
  /** At most one for each tool and hour. */
  readonly toolCalls: readonly ToolCallTally[];
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
