/**
 * Where the runs of a tree stand, in columns and rows. Two layouts: callers at the left with what they
 * called to their right, each in the middle of what is below it; and, where there is no room for that,
 * one under the other, indented.
 */

import type { TreeRun, TreeRuns } from "./run-tree.ts";

export type TreePlace = {
  readonly run: TreeRun;
  /** From 1, for those who hear the tree. */
  readonly level: number;
  readonly column: number;
  /** In the middle of two rows for a caller of an even number of runs. */
  readonly row: number;
  readonly callees: readonly string[];
};

export type TreeLayout = {
  /** The order in which they are read: each before what it called. */
  readonly places: readonly TreePlace[];
  readonly columns: number;
  readonly rows: number;
};

export function tidyLayout(runs: TreeRuns): TreeLayout {
  let leaves = 0;
  const place = (run: TreeRun, level: number): readonly TreePlace[] => {
    const below = calleesOf(runs, run).map((it) => place(it, level + 1));
    const rows = below.flatMap(([first]) => first?.row ?? []);
    const [top] = rows;
    const bottom = rows.at(-1);
    const row = top === undefined || bottom === undefined ? leaves++ : (top + bottom) / 2;
    return [placed(runs, run, [level, row]), ...below.flat()];
  };
  const places = rootsOf(runs).flatMap((root) => place(root, 1));
  return { places, columns: columnsOf(places), rows: leaves };
}

export function outlineLayout(runs: TreeRuns): TreeLayout {
  const { places, columns } = tidyLayout(runs);
  return {
    places: places.map((it, row) => ({ ...it, row })),
    columns,
    rows: places.length,
  };
}

/** A run whose caller is not among them stands on its own: of a large tree only a part is read. */
const rootsOf = (runs: TreeRuns): readonly TreeRun[] =>
  [...runs.values()].filter(
    ({ parentRunId }) => parentRunId === undefined || !runs.has(parentRunId),
  );

const calleesOf = (runs: TreeRuns, { runId }: TreeRun): readonly TreeRun[] =>
  [...runs.values()].filter(({ parentRunId }) => parentRunId === runId);

const placed = (
  runs: TreeRuns,
  run: TreeRun,
  [level, row]: readonly [number, number],
): TreePlace => ({
  run,
  level,
  column: level - 1,
  row,
  callees: calleesOf(runs, run).map(({ runId }) => runId),
});

const columnsOf = (places: readonly TreePlace[]): number =>
  places.reduce((most, { column }) => Math.max(most, column + 1), 0);
