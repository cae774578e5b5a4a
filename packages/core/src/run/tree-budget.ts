/**
 * One budget for a run and everything below it. The root opens it, every run of the tree reserves from
 * it before it spends and settles after.
 *
 * Cost is counted in billionths of the budget's currency: sums of whole numbers lose nothing, however
 * many calls add up.
 */

import * as z from "zod";

/** What runs out. Depth and duration are checked by the engine, which needs no store for them. */
export const budgetLimits = ["tokens", "cost", "childRuns", "toolCalls"] as const;
export type BudgetLimit = (typeof budgetLimits)[number];

/** The limits of a tree; one that is absent does not limit. */
export type TreeLimits = {
  readonly maxTokens?: number;
  readonly maxCostNanos?: number;
  /** Runs below the root. */
  readonly maxChildRuns?: number;
  readonly maxToolCalls?: number;
};

/** What is set aside before it is spent. */
export type BudgetReservation = {
  /** Unique in the tree. */
  readonly id: string;
  readonly tokens: number;
  readonly costNanos: number;
  /** Counted at once and never given back. */
  readonly childRuns: number;
  /** Counted at once and never given back. */
  readonly toolCalls: number;
  /** ISO 8601, UTC; from then on somebody who needs the room may take it. */
  readonly expiresAt: string;
  /**
   * Kept in the budget itself, which has one place: for the root, which mostly is the whole tree.
   * Whatever is still there gives way to it. Default false.
   */
  readonly isRoots?: boolean;
};

/** What a reservation came to. It is booked also when the reservation is gone. */
export type BudgetSettlement = {
  readonly reservationId: string;
  /** As the reservation said. */
  readonly isRoots?: boolean;
  readonly tokens: number;
  /** How many of `tokens` nobody measured. */
  readonly estimatedTokens: number;
  readonly costNanos: number;
};

/** What one entry changes of the budget of its tree. Settlements count before reservations. */
export type BudgetChange = {
  readonly rootRunId: string;
  /** ISO 8601, UTC; decides which reservations have expired. */
  readonly at: string;
  /** The budget of a new tree, with the root's first entry. */
  readonly opened?: { readonly currency: string; readonly limits: TreeLimits };
  readonly settlements: readonly BudgetSettlement[];
  readonly reservations: readonly BudgetReservation[];
};

/** A reservation there was no room for. */
export type BudgetRefusal = { readonly reservationId: string; readonly limit: BudgetLimit };

/** A budget as it stands, as part of a run. */
export const treeBudgetSchema = z.object({
  rootRunId: z.string(),
  usedTokens: z.int(),
  /** How many of `usedTokens` no provider measured. */
  estimatedTokens: z.int(),
  /** Set aside for calls that are under way. */
  reservedTokens: z.int(),
  maxTokens: z.int().optional(),
  /** Of calls whose price is known. */
  usedCost: z.number(),
  reservedCost: z.number(),
  maxCost: z.number().optional(),
  currency: z.string(),
  childRuns: z.int(),
  maxChildRuns: z.int().optional(),
  /** Counted only where there is a limit. */
  toolCalls: z.int(),
  maxToolCalls: z.int().optional(),
});
export type TreeBudget = z.output<typeof treeBudgetSchema>;

/** Billionths in one unit of a currency. */
export const NANOS = 1_000_000_000;
