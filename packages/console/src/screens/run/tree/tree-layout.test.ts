import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TreeRun, TreeRuns } from "./run-tree.ts";
import { outlineLayout, tidyLayout } from "./tree-layout.ts";

describe("the tidy layout", () => {
  it("puts callers left of what they called, in the middle of it", () => {
    const { places, columns, rows } = tidyLayout(
      tree(["root"], ["a", "root"], ["b", "root"], ["c", "root"], ["d", "a"], ["e", "a"]),
    );

    expect(places.map(({ run, column, row }) => [run.runId, column, row])).toEqual([
      ["root", 0, 1.75],
      ["a", 1, 0.5],
      ["d", 2, 0],
      ["e", 2, 1],
      ["b", 1, 2],
      ["c", 1, 3],
    ]);
    expect({ columns, rows }).toEqual({ columns: 3, rows: 4 });
  });

  it("gives every run a place of its own, next to no other, whatever the tree", () => {
    fc.assert(
      fc.property(trees(), (runs) => {
        const { places, rows } = tidyLayout(runs);

        expect(new Set(places.map(({ run }) => run.runId)).size).toBe(runs.size);
        for (const column of Map.groupBy(places, (it) => it.column).values()) {
          const gaps = column.slice(1).map(({ row }, index) => row - (column[index]?.row ?? 0));
          expect(gaps.every((gap) => gap >= 1)).toBe(true);
        }
        expect(places.every(({ row }) => row >= 0 && row <= rows - 1)).toBe(true);
      }),
    );
  });

  it("keeps runs whose caller was not read", () => {
    const { places } = tidyLayout(tree(["root"], ["lost", "gone"]));

    expect(places.map(({ run, column }) => [run.runId, column])).toEqual([
      ["root", 0],
      ["lost", 0],
    ]);
  });

  it("is empty for no runs", () => {
    expect(tidyLayout(new Map())).toEqual({ places: [], columns: 0, rows: 0 });
  });
});

describe("the outline", () => {
  it("has one run under the other, each before what it called", () => {
    const { places, rows } = outlineLayout(
      tree(["root"], ["a", "root"], ["b", "root"], ["c", "a"]),
    );

    expect(places.map(({ run, column, row }) => [run.runId, column, row])).toEqual([
      ["root", 0, 0],
      ["a", 1, 1],
      ["c", 2, 2],
      ["b", 1, 3],
    ]);
    expect(rows).toBe(4);
  });
});

/** Each run after the first is called by one before it. */
const trees = () =>
  fc
    .array(fc.nat(), { maxLength: 40 })
    .map((callers) =>
      tree(
        ["0"],
        ...callers.map((caller, index) => [`${index + 1}`, `${caller % (index + 1)}`] as const),
      ),
    );

function tree(...runs: readonly (readonly [id: string, caller?: string])[]): TreeRuns {
  return new Map(runs.map(([runId, parentRunId]) => [runId, run({ runId, parentRunId })]));
}

const run = (over: Partial<TreeRun>): TreeRun => ({
  runId: "r",
  agentName: "a",
  agentVersion: undefined,
  parentRunId: undefined,
  status: "Running",
  startedMs: 0,
  endedMs: undefined,
  timedOut: undefined,
  record: undefined,
  ...over,
});
