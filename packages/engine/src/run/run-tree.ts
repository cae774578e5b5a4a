/** A run among the runs of its tree: those that are stored, and those of this process that are not yet. */

import { type RunRecord, type RunStore, type TreeTotals, treeTotalsOf } from "@tracon/core";

/** Runs of a tree that are answered at once; the oldest ones. */
const MAX_RUNS = 200;

/** The whole tree that a run is part of: the root first, then the oldest. */
export async function readTree(
  runs: Pick<RunStore, "tree">,
  /** Of the tenant's runs that are going on. */
  live: readonly RunRecord[],
  tenantId: string,
  record: RunRecord,
): Promise<readonly RunRecord[]> {
  const rootRunId = rootOf(record);
  const stored = await runs.tree(tenantId, rootRunId, MAX_RUNS);
  const known = new Map(stored.map((it) => [it.id, it]));
  for (const it of [record, ...live]) {
    if (rootOf(it) === rootRunId && !known.has(it.id)) known.set(it.id, it);
  }
  return [...known.values()].sort(oldestFirst).slice(0, MAX_RUNS);
}

/** The record with what its tree has used and may use, as that stands. */
export async function withTree(
  tenantId: string,
  record: RunRecord,
  runs: Pick<RunStore, "budget" | "treeTotals">,
): Promise<RunRecord> {
  const [budget, { usage, cost }] = await Promise.all([
    runs.budget(tenantId, rootOf(record)),
    totalsOf(tenantId, record, runs),
  ]);
  return {
    ...record,
    ...(budget === undefined ? {} : { budget }),
    ...(usage === undefined ? {} : { treeUsage: usage }),
    treeCost: cost,
  };
}

/** A root that called nobody is its whole tree, which is most runs: nothing more is read of it. */
async function totalsOf(
  tenantId: string,
  record: RunRecord,
  runs: Pick<RunStore, "treeTotals">,
): Promise<TreeTotals> {
  if (record.rootRunId === undefined && record.childRunCount === 0) return treeTotalsOf([record]);
  return runs.treeTotals(tenantId, rootOf(record));
}

const rootOf = ({ id, rootRunId }: RunRecord): string => rootRunId ?? id;

/** Ids of runs are time ordered. */
function oldestFirst(left: RunRecord, right: RunRecord): number {
  if (left.rootRunId === undefined) return -1;
  if (right.rootRunId === undefined) return 1;
  return left.id < right.id ? -1 : 1;
}
