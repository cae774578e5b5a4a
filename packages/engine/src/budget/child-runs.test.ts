/** What runs below a root reserve, before there is anything that starts them. */

import { TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import { type ReservationOutcome, RunBudget, type RunTree } from "./run-budget.ts";
import { type AgentGraphSettings, treeSettings } from "./tree-settings.ts";

const ROOT: RunTree = { rootRunId: "root", depth: 0, startedAtMs: 0 };

it("counts a child before it starts, and places it below its parent in the same tree", async () => {
  const { budget, counted } = budgetOf({});

  const child = await budget.reserveChildRun();

  expect(child).toEqual({ rootRunId: "root", depth: 1, startedAtMs: 0 });
  expect(counted).toMatchObject([{ childRuns: 1, tokens: 0, toolCalls: 0 }]);
});

it("refuses a child below the deepest level, in words a model can read, and counts nothing", async () => {
  const { budget, counted } = budgetOf({}, { ...ROOT, depth: 3 });

  const refusal = await refusalOf(budget.reserveChildRun());

  expect(refusal.code).toBe("budget_exceeded");
  expect(refusal.message).toContain("3 levels of child runs");
  expect(refusal.message).toContain("agentGraph.maxDepth");
  expect(counted).toEqual([]);
});

it.each([
  [0, 0, true],
  [-1, 0, true],
  [1, 0, false],
  [1, 1, true],
])("takes a depth of %i for the deepest level", async (maxDepth, depth, isRefused) => {
  const { budget } = budgetOf({ maxDepth }, { ...ROOT, depth });

  const outcome = await budget.reserveChildRun().then(
    () => "granted",
    () => "refused",
  );

  expect(outcome === "refused").toBe(isRefused);
});

it("refuses a child its tree has no room for", async () => {
  const { budget } = budgetOf({ maxTotalRuns: 2 }, ROOT, "childRuns");

  const refusal = await refusalOf(budget.reserveChildRun());

  expect(refusal.message).toContain("2 child runs");
  expect(refusal.message).toContain("agentGraph.maxTotalRuns");
});

it("refuses a child after the time of its tree, which counts from the root", async () => {
  const { budget, setNow } = budgetOf({ maxDurationMs: 1_000 });
  setNow(999);
  await budget.reserveChildRun();

  setNow(1_000);
  const refusal = await refusalOf(budget.reserveChildRun());

  expect(refusal.message).toContain("agentGraph.maxDuration");
});

it("counts no children where their number has no limit", async () => {
  const { budget, counted } = budgetOf({ maxTotalRuns: 0 });

  await budget.reserveChildRun();

  expect(counted).toEqual([]);
});

async function refusalOf(work: Promise<unknown>): Promise<TraconError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!TraconError.is(error)) throw new Error("it was not refused");
  return error;
}

function budgetOf(
  settings: Partial<AgentGraphSettings>,
  tree: RunTree = ROOT,
  outcome: ReservationOutcome = "granted",
) {
  const counted: unknown[] = [];
  let now = 0;
  const budget = new RunBudget({
    runId: "run",
    tree,
    settings: treeSettings(settings),
    journal: {
      open: () => undefined,
      hurry: () => undefined,
      settle: () => undefined,
      reserve(reservation) {
        counted.push(reservation);
        return outcome;
      },
    },
    priceOf: () => undefined,
    now: () => now,
  });
  const setNow = (ms: number) => {
    now = ms;
  };
  return { budget, counted, setNow };
}
