/** The moves of budgets on a SQLite connection. The worker imports this file: no packages. */

import type { StatementSync } from "node:sqlite";
import { sqliteBudget } from "../budget-sql.ts";
import type { SqlValue } from "../sql-value.ts";

export type RefusedReservation = { readonly id: string; readonly limit: string };

export type BudgetMoves = {
  settle(values: readonly SqlValue[]): void;
  /** `undefined` when there was room. */
  reserve(values: readonly SqlValue[]): RefusedReservation | undefined;
};

type Released = { readonly tokens: number; readonly cost_nanos: number };

/** `values` of the moves are in the order of the columns of their kinds. */
export function sqliteBudgetMoves(
  prepare: (sql: string) => StatementSync,
  insertReservation: StatementSync,
): BudgetMoves {
  const reserve = prepare(sqliteBudget.reserve);
  const limitOf = prepare(sqliteBudget.limit);
  const hold = prepare(sqliteBudget.hold);
  const settle = prepare(sqliteBudget.settle);
  const settleHeld = prepare(sqliteBudget.settleHeld);
  const expireHeld = prepare(sqliteBudget.expireHeld);
  const release = prepare(sqliteBudget.release);
  const expire = prepare(sqliteBudget.expire);

  /** Makes room of what nobody has settled in time. */
  function takeBackExpired(key: readonly SqlValue[], at: SqlValue): boolean {
    const expired = expire.all(...key, at) as unknown as readonly Released[];
    for (const { tokens, cost_nanos } of expired) {
      settle.run(...key, 0, 0, 0, tokens, cost_nanos);
    }
    return expireHeld.run(...key, at).changes > 0 || expired.length > 0;
  }

  return {
    settle(values) {
      const [tenant = null, root = null, id = null, ...amounts] = values;
      const [tokens = 0, estimated = 0, cost = 0, isHeld] = amounts;
      const key = [tenant, root];
      if (isHeld === 1) return void settleHeld.run(...key, tokens, estimated, cost);
      const held = release.get(...key, id) as Released | undefined;
      settle.run(...key, tokens, estimated, cost, held?.tokens ?? 0, held?.cost_nanos ?? 0);
    },

    reserve(values) {
      const [tenant = null, root = null, id = null, ...amounts] = values;
      const [tokens = 0, cost = 0, childRuns = 0, toolCalls = 0, ...rest] = amounts;
      const [expiresAt = 0, at = 0, isHeld] = rest;
      const key = [tenant, root];
      const asked = [...key, tokens, cost, childRuns, toolCalls];
      const isTaken = (): boolean =>
        (isHeld === 1 ? hold.run(...asked, expiresAt) : reserve.run(...asked)).changes === 1;
      const isGranted = isTaken() || (takeBackExpired(key, at) && isTaken());
      if (!isGranted) {
        // A tree without a budget has no limits.
        const row = limitOf.get(...asked) as { readonly limit: string } | undefined;
        return row && { id: String(id), limit: row.limit };
      }
      if (isHeld !== 1 && Number(tokens) + Number(cost) > 0) {
        insertReservation.run(...key, id, tokens, cost, expiresAt);
      }
      return undefined;
    },
  };
}
