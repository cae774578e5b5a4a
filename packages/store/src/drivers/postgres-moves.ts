/**
 * What became of the budgets a batch moves, where the commit statement's own answer is not enough: for
 * reservations it had no room for, and when the answer was lost.
 *
 * The statement grants all of a tree's reservations or none, and does not look for what has expired.
 */

import type { BudgetRefusal, JournalEntry } from "@tracon/core";
import type { Client, QueryConfig } from "pg";
import { putBudgetRows } from "../budget-rows.ts";
import {
  moveMarks,
  postgresMovedSql,
  postgresReservedSql,
  postgresReserveSql,
} from "../budget-sql.ts";
import type { SqlValue } from "../sql-value.ts";
import { originalText, storedText } from "../stored-values.ts";

type Values = readonly SqlValue[];
const ID = 2;
const idOf = (values: Values): string => String(values[ID]);

/** The `settle` and `reserve` rows of one tree. */
type TreeMoves = { readonly settle: Values[]; readonly reserve: Values[] };

function movesOf(batch: readonly JournalEntry[]): readonly TreeMoves[] {
  const trees = new Map<string, TreeMoves>();
  for (const { tenantId, budget } of batch) {
    if (budget === undefined) continue;
    putBudgetRows(storedText(tenantId), budget, (kind, values) => {
      if (kind !== "settle" && kind !== "reserve") return;
      const key = JSON.stringify(values.slice(0, ID));
      const tree = trees.get(key) ?? { settle: [], reserve: [] };
      trees.set(key, tree);
      tree[kind].push(values);
    });
  }
  return [...trees.values()];
}

/** Sends a query until its outcome is known; without rows when `isDone` found that it was lost. */
export type SendUntilDone = (
  query: QueryConfig,
  isDone: (client: Client) => Promise<boolean>,
) => Promise<readonly { readonly [column: string]: string | null }[] | undefined>;

/** Tries each of the reservations `ids` by itself, in the order of the batch. */
export async function reserveAlone(
  send: SendUntilDone,
  batch: readonly JournalEntry[],
  ids: ReadonlySet<string>,
): Promise<readonly BudgetRefusal[]> {
  const refusals: BudgetRefusal[] = [];
  for (const values of movesOf(batch).flatMap(({ reserve }) => reserve)) {
    if (!ids.has(idOf(values))) continue;
    const query = { name: "tracon-reserve", text: postgresReserveSql, values: [...values] };
    const rows = await send(query, (client) => areGranted(client, [values]));
    if (rows?.[0] !== undefined) {
      const limit = rows[0].exceeded as BudgetRefusal["limit"];
      refusals.push({ reservationId: originalText(idOf(values)), limit });
    }
  }
  return refusals;
}

/**
 * Whether the server has made the moves of a batch whose answer was lost. A batch is written as a
 * whole, so one of its trees is enough; that tree's last move is another one only when another
 * process has moved it since.
 */
export async function areMoved(client: Client, batch: readonly JournalEntry[]): Promise<boolean> {
  for (const { settle, reserve } of movesOf(batch)) {
    const marks = [
      ...settle.map((values) => moveMarks.settled + idOf(values)),
      ...reserve.map((values) => moveMarks.refused + idOf(values)),
    ];
    const [values] = [...settle, ...reserve];
    if (values !== undefined && (await has(client, postgresMovedSql, values, marks))) return true;
    if (await areGranted(client, reserve)) return true;
  }
  return false;
}

/** Reservations of a batch that was committed, but whose answer was lost, that are not there. */
export async function unknownGrants(
  client: Client,
  batch: readonly JournalEntry[],
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const { reserve } of movesOf(batch)) {
    if (await areGranted(client, reserve)) continue;
    for (const values of reserve) missing.add(idOf(values));
  }
  return missing;
}

/** Whether the reservations of a tree, which are granted together, are there. */
async function areGranted(client: Client, reserve: readonly Values[]): Promise<boolean> {
  const [values] = reserve;
  if (values === undefined) return false;
  const ids = reserve.map(idOf);
  const marks = ids.map((id) => moveMarks.granted + id);
  return (
    (await has(client, postgresMovedSql, values, marks)) ||
    (await has(client, postgresReservedSql, values, ids))
  );
}

async function has(
  client: Client,
  sql: string,
  tree: Values,
  wanted: readonly string[],
): Promise<boolean> {
  const { rows } = await client.query(sql, [...tree.slice(0, ID), wanted]);
  return rows.length > 0;
}
