/**
 * Reservations one by one, for those the commit statement had no room for: there a tree's reservations
 * are granted together or not at all, and what has expired is not looked for.
 */

import type { BudgetRefusal, JournalEntry } from "@tracon/core";
import type { Client } from "pg";
import { putBudgetRows } from "../budget-rows.ts";
import { postgresGrantedSql, postgresReserveSql } from "../budget-sql.ts";
import type { SqlValue } from "../sql-value.ts";
import { originalText, storedText } from "../stored-values.ts";

const ID = 2;

/** The `reserve` rows of a batch. */
function reserveRows(batch: readonly JournalEntry[]): readonly (readonly SqlValue[])[] {
  const rows: (readonly SqlValue[])[] = [];
  for (const { tenantId, budget } of batch) {
    if (budget === undefined) continue;
    putBudgetRows(storedText(tenantId), budget, (kind, values) => {
      if (kind === "reserve") rows.push(values);
    });
  }
  return rows;
}

/** Tries each of `ids` by itself, in the order of the batch. */
export async function reserveAlone(
  connected: () => Promise<Client>,
  batch: readonly JournalEntry[],
  ids: ReadonlySet<string>,
): Promise<readonly BudgetRefusal[]> {
  const refusals: BudgetRefusal[] = [];
  for (const values of reserveRows(batch)) {
    const id = String(values[ID]);
    if (!ids.has(id)) continue;
    const client = await connected();
    const { rows } = await client.query({
      name: "tracon-reserve",
      text: postgresReserveSql,
      values: [...values],
    });
    if (rows[0] !== undefined) {
      refusals.push({ reservationId: originalText(id), limit: rows[0].exceeded });
    }
  }
  return refusals;
}

/** Reservations of a batch that was committed, but whose answer was lost, that are not there. */
export async function unknownGrants(
  client: Client,
  batch: readonly JournalEntry[],
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const [tenant, root, id] of reserveRows(batch)) {
    const { rows } = await client.query(postgresGrantedSql, [tenant, root, id]);
    if (rows.length === 0) missing.add(String(id));
  }
  return missing;
}
