import type { Clock, RunRecord } from "@tracon/core";
import { type BudgetJournal, RunBudget, type RunTree } from "../budget/run-budget.ts";
import type { TreeSettings } from "../budget/tree-settings.ts";
import type { PriceOf } from "./cost-fold.ts";

/** A run's hold on the budget of its tree; a run without a root is one. */
export const openBudget = (
  { id, startedAt }: RunRecord,
  journal: BudgetJournal,
  {
    tree: settings,
    place,
    priceOf,
    clock,
    recorderHost: { timestamp },
  }: {
    readonly tree: TreeSettings;
    /** Absent for a root. */
    readonly place: RunTree | undefined;
    readonly priceOf: PriceOf;
    readonly clock: Clock;
    readonly recorderHost: { readonly timestamp: () => string };
  },
): RunBudget =>
  new RunBudget({
    runId: id,
    tree: place ?? { rootRunId: id, depth: 0, startedAtMs: Date.parse(startedAt) },
    settings,
    journal,
    priceOf: (provider, model) => priceOf(provider, model, timestamp()),
    now: () => clock.now(),
  });
