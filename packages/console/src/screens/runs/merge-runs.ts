/**
 * Lays the newest runs over the pages that were loaded before: runs that are new come on top, runs
 * that went on are replaced, runs that no longer match the filter go.
 */

import type { RunRecord } from "@tracon/core";

export type MergedRuns = {
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  /** More runs started in between than one look shows: the pages must be read anew. */
  readonly hasGap: boolean;
};

export function mergeRuns(
  paged: readonly RunRecord[],
  newest: { readonly runs: readonly RunRecord[]; readonly isAll: boolean } | undefined,
): MergedRuns {
  if (newest === undefined) return { runs: paged, hasGap: false };
  const oldestOfNewest = newest.runs.at(-1)?.id;
  if (newest.isAll || oldestOfNewest === undefined) return { runs: newest.runs, hasGap: false };

  // Ids are time ordered, so they say which part of the pages the newest runs cover.
  const rest = paged.filter((run) => run.id < oldestOfNewest);
  const touches = paged.length === 0 || paged.some((run) => run.id >= oldestOfNewest);
  return { runs: [...newest.runs, ...rest], hasGap: !touches };
}
