import type { RunInput } from "../run/message.ts";
import type { RunKind, RunRecord, RunStatus } from "../run/run-record.ts";
import type { ToolUsage } from "../run/tool-invocation.ts";
import type { TreeBudget } from "../run/tree-budget.ts";
import type { TreeTotals } from "../run/tree-totals.ts";

/** Which runs a list holds. Everything given must match. */
export type RunFilter = {
  readonly agentName?: string;
  readonly status?: RunStatus;
  readonly kind?: RunKind;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly errorType?: string;
  /** ISO 8601, UTC; runs started at or after it. */
  readonly startedAfter?: string;
  readonly parentRunId?: string;
  readonly rootRunId?: string;
  /** Child runs too; without it only runs that have no parent, unless a parent or root is asked for. */
  readonly includeChildren?: boolean;
};

/** Which part of a list: `before` continues after the run with that id and costs the same at any depth. */
export type RunPage = {
  readonly skip: number;
  readonly take: number;
  readonly before?: string;
};

/** Part of a run's journal: consecutive events as JSON texts. */
export type StoredEvent = { readonly sequence: number; readonly json: string };

/** Reads of runs. Newest first means by id: ids are time ordered. */
export interface RunStore {
  get(tenantId: string, runId: string): Promise<RunRecord | undefined>;
  list(tenantId: string, filter: RunFilter, page: RunPage): Promise<readonly RunRecord[]>;
  /** The root and every run below it, the root first and then the oldest, at most `take`. */
  tree(tenantId: string, rootRunId: string, take: number): Promise<readonly RunRecord[]>;
  /** What the rows of a tree add up to, each counted once. */
  treeTotals(tenantId: string, rootRunId: string): Promise<TreeTotals>;
  /** Events with a sequence above `after` (−1 for all), in order, at most `take`. */
  events(
    tenantId: string,
    runId: string,
    range: { readonly after: number; readonly take: number },
  ): Promise<readonly StoredEvent[]>;
  /**
   * Calls of runs that have ended, by tool, the most called first. `startedAfter` is rounded down to
   * its hour: calls are counted by the hour.
   */
  toolUsage(
    tenantId: string,
    query: { readonly startedAfter?: string; readonly maxTools: number },
  ): Promise<readonly ToolUsage[]>;
  /** The input of a run's first entry. Absent when it had none. */
  input(tenantId: string, runId: string): Promise<RunInput | undefined>;
  /** The budget of the tree below `rootRunId`; `undefined` when it has none. */
  budget(tenantId: string, rootRunId: string): Promise<TreeBudget | undefined>;
}
