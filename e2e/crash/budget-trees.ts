/** What the processes of the budget trial and the test that kills them agree on. */

import type { BudgetReservation, BudgetSettlement, JournalEntry, RunRecord } from "@tracon/core";

export type BudgetOrder = {
  readonly storage: string;
  readonly trees: number;
  /** Counts the processes; also their time, so that only what the dead left behind expires. */
  readonly generation: number;
};

export type BudgetReport = { readonly loaded: true } | { readonly commits: number };

export const TENANT = "trees";
export const MAX_TOKENS = 300;
const GENERATION_MS = 60_000;
/** More than the generations that live at the same time. */
const LIFE = 4;
const START_MS = Date.parse("2026-01-01T00:00:00.000Z");

export const rootOf = (tree: number): string =>
  `01900000-0000-7000-8000-${tree.toString(16).padStart(12, "0")}`;

const timeOf = (generation: number): string =>
  new Date(START_MS + generation * GENERATION_MS).toISOString();

export function openingOf(tree: number): JournalEntry {
  const root = rootOf(tree);
  const record: RunRecord = {
    id: root,
    agentName: "tree",
    kind: "Agent",
    status: "Running",
    startedAt: timeOf(0),
    isStreaming: false,
    eventCount: 0,
    depth: 0,
    childRunCount: 0,
  };
  const opened = { currency: "USD", limits: { maxTokens: MAX_TOKENS } };
  const budget = { rootRunId: root, at: timeOf(0), opened, settlements: [], reservations: [] };
  return { tenantId: TENANT, runId: root, opened: { record }, budget };
}

export type Moves = {
  readonly settlements: readonly Pick<BudgetSettlement, "reservationId" | "tokens">[];
  readonly reservations: readonly Pick<BudgetReservation, "id" | "tokens">[];
};

export const moveOf = (
  tree: number,
  generation: number,
  { settlements, reservations }: Moves,
): JournalEntry => ({
  tenantId: TENANT,
  runId: rootOf(tree),

  budget: {
    rootRunId: rootOf(tree),
    at: timeOf(generation),
    settlements: settlements.map((it) => ({ ...it, estimatedTokens: 0, costNanos: 0 })),
    reservations: reservations.map((it) => ({
      ...it,
      costNanos: 0,
      childRuns: 0,
      toolCalls: 0,
      expiresAt: timeOf(generation + LIFE),
    })),
  },
});
