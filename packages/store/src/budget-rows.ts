/** What an entry changes of its tree's budget, as rows. */

import {
  assert,
  type BudgetChange,
  type BudgetRefusal,
  type BudgetReservation,
  type BudgetSettlement,
  type JournalEntry,
} from "@tracon/core";
import type { PutRow } from "./journal-rows.ts";
import type { SqlValue } from "./sql-value.ts";
import { storedText, storedTime } from "./stored-values.ts";

export function putBudgetRows(tenantId: string, change: BudgetChange, put: PutRow): void {
  const key = [tenantId, storedText(change.rootRunId)] as const;
  if (change.opened === undefined) {
    for (const settlement of change.settlements) put("settle", settleValues(key, settlement));
    for (const reservation of change.reservations)
      put("reserve", reserveValues(key, reservation, change));
    return;
  }
  assert(change.settlements.length === 0, "a new budget has nothing to settle");
  const { granted, sum } = openingOf(change);
  const held = granted.find(({ isRoots }) => isRoots);
  const { currency, limits } = change.opened;
  put("budget", [
    ...key,
    storedText(currency),
    limits.maxTokens ?? null,
    limits.maxCostNanos ?? null,
    limits.maxChildRuns ?? null,
    limits.maxToolCalls ?? null,
    sum.tokens,
    sum.costNanos,
    held?.tokens ?? 0,
    held?.costNanos ?? 0,
    held === undefined ? null : storedTime(held.expiresAt),
    sum.toolCalls,
  ]);
  for (const reservation of granted) {
    if (reservation === held) continue;
    const { id, tokens, costNanos, expiresAt } = reservation;
    put("reservation", [...key, storedText(id), tokens, costNanos, storedTime(expiresAt)]);
  }
}

/** Reservations of new budgets there was no room for: a budget that nobody else has yet is not asked. */
export const openingRefusals = (batch: readonly JournalEntry[]): readonly BudgetRefusal[] =>
  batch.flatMap(({ budget }) => (budget?.opened === undefined ? [] : openingOf(budget).refusals));

type Sum = Pick<BudgetReservation, "tokens" | "costNanos" | "childRuns" | "toolCalls">;

/** What the reservations that come with a new budget leave in it. */
function openingOf({ opened, reservations }: BudgetChange) {
  const limits = opened?.limits ?? {};
  const granted: BudgetReservation[] = [];
  const refusals: BudgetRefusal[] = [];
  let sum: Sum = { tokens: 0, costNanos: 0, childRuns: 0, toolCalls: 0 };
  for (const reservation of reservations) {
    const with_ = added(sum, reservation);
    const limit = exceeded(with_, limits);
    if (limit === undefined) {
      granted.push(reservation);
      sum = with_;
    } else refusals.push({ reservationId: reservation.id, limit });
  }
  return { granted, refusals, sum };
}

const added = (left: Sum, right: Sum): Sum => ({
  tokens: left.tokens + right.tokens,
  costNanos: left.costNanos + right.costNanos,
  childRuns: left.childRuns + right.childRuns,
  toolCalls: left.toolCalls + right.toolCalls,
});

function exceeded(
  { tokens, costNanos, childRuns, toolCalls }: Sum,
  { maxTokens, maxCostNanos, maxChildRuns, maxToolCalls }: TreeLimitsOf,
): BudgetRefusal["limit"] | undefined {
  if (maxTokens !== undefined && tokens > maxTokens) return "tokens";
  if (maxCostNanos !== undefined && costNanos > maxCostNanos) return "cost";
  if (maxChildRuns !== undefined && childRuns > maxChildRuns) return "childRuns";
  if (maxToolCalls !== undefined && toolCalls > maxToolCalls) return "toolCalls";
  return undefined;
}

type TreeLimitsOf = NonNullable<BudgetChange["opened"]>["limits"];

const settleValues = (
  key: readonly [string, string],
  { reservationId, tokens, estimatedTokens, costNanos, isRoots }: BudgetSettlement,
): readonly SqlValue[] => [
  ...key,
  storedText(reservationId),
  tokens,
  estimatedTokens,
  costNanos,
  isRoots === true ? 1 : 0,
];

const reserveValues = (
  key: readonly [string, string],
  { id, tokens, costNanos, childRuns, toolCalls, expiresAt, isRoots }: BudgetReservation,
  { at }: BudgetChange,
): readonly SqlValue[] => [
  ...key,
  storedText(id),
  tokens,
  costNanos,
  childRuns,
  toolCalls,
  storedTime(expiresAt),
  storedTime(at),
  isRoots === true ? 1 : 0,
];
