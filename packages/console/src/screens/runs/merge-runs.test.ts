import type { RunRecord, RunStatus } from "@tracon/core";
import { expect, it } from "vitest";
import { mergeRuns } from "./merge-runs.ts";

it("shows the pages until there is a newer look", () => {
  expect(mergeRuns([run(2), run(1)], undefined)).toEqual({
    runs: [run(2), run(1)],
    hasGap: false,
  });
});

it("puts new runs on top, replaces those that went on and keeps the older ones", () => {
  const paged = [run(3, "Running"), run(2), run(1)];

  const merged = mergeRuns(paged, { runs: [run(4), run(3, "Completed")], isAll: false });

  expect(merged).toEqual({
    runs: [run(4), run(3, "Completed"), run(2), run(1)],
    hasGap: false,
  });
});

it("drops a run that no longer matches", () => {
  const merged = mergeRuns([run(3), run(2), run(1)], { runs: [run(4), run(2)], isAll: false });

  expect(merged.runs.map((it) => it.id)).toEqual(["4", "2", "1"]);
});

it("shows the newest look alone when it holds every run", () => {
  expect(mergeRuns([run(1)], { runs: [], isAll: true })).toEqual({ runs: [], hasGap: false });
});

it("says when more runs started than the look shows", () => {
  const merged = mergeRuns([run(2), run(1)], { runs: [run(9), run(8)], isAll: false });

  expect(merged.hasGap).toBe(true);
});

const run = (id: number, status: RunStatus = "Completed") =>
  ({ id: String(id), status }) as RunRecord;
