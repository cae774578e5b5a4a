/** What the contract of budgets writes. */

import type { BudgetChange, BudgetReservation, TreeLimits } from "@tracon/core";
import type { ContractStores } from "./contract.ts";
import { entry, newTenant, opening, runIds, runRecord } from "./fixtures.ts";

export const AT = "2026-01-01T00:00:00.000Z";
export const EXPIRES_AT = "2026-01-01T00:10:00.000Z";

type Change = Partial<Pick<BudgetChange, "settlements" | "reservations" | "at">>;

export const changeOf = (rootRunId: string, change: Change): BudgetChange => ({
  rootRunId,
  at: AT,
  settlements: [],
  reservations: [],
  ...change,
});

export const reservation = (id: string, over: Partial<BudgetReservation>): BudgetReservation => ({
  id,
  tokens: 0,
  costNanos: 0,
  childRuns: 0,
  toolCalls: 0,
  expiresAt: EXPIRES_AT,
  ...over,
});

export const settlement = (
  reservationId: string,
  over: Partial<BudgetChange["settlements"][number]>,
): BudgetChange["settlements"][number] => ({
  reservationId,
  tokens: 0,
  estimatedTokens: 0,
  costNanos: 0,
  ...over,
});

/** A root run with a budget, in a tenant of its own. */
export async function openTree(
  { journal, runs }: ContractStores,
  limits: TreeLimits,
  reservations: readonly BudgetReservation[] = [],
) {
  const tenant = newTenant();
  const [root = ""] = runIds(1);
  const opened = { currency: "EUR", limits };
  const budget = { ...changeOf(root, { reservations }), opened };
  await journal.commit([opening(tenant, runRecord(root), { budget })]);
  return {
    tenant,
    root,
    change: (change: Change, parts = {}) =>
      journal.commit([entry(tenant, root, { ...parts, budget: changeOf(root, change) })]),
    budget: () => runs.budget(tenant, root),
    record: () => runs.get(tenant, root),
  };
}
