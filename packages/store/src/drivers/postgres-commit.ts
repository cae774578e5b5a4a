/** The one statement that commits a batch of journal entries, and its parameters. */

import type { JournalEntry } from "@tracon/core";
import { postgresBudgetParts, postgresRefusedIds } from "../budget-sql.ts";
import { putEntryRows } from "../journal-entry-rows.ts";
import {
  type BudgetMove,
  type InsertKind,
  insertEnd,
  insertedInto,
  isMove,
  isUpdate,
  type PutRow,
  type Refusal,
  type RowKind,
  refusalOf,
  refusedWhenThere,
  rowColumns,
  rowKinds,
  type UpdateKind,
  updates,
} from "../journal-rows.ts";
import type { Column, SqlValue } from "../sql-value.ts";
import type { StatisticsRows } from "../statistics-rows.ts";
import { arrayWriter } from "./binary-array.ts";

export type CommitParameter = Buffer | number;

/**
 * How the statement refuses a batch: a row that does not accept what is written to it must undo the
 * whole statement, and a computation that has no result is the one way to say so in plain SQL. The
 * code of the error tells which refusal it is.
 */
const refusals: readonly {
  readonly refusal: Refusal;
  readonly code: string;
  readonly failing: (isFine: string) => string;
}[] = [
  {
    refusal: "journal",
    code: "22012",
    failing: (isFine) => `1 / (case when ${isFine} then 1 else 0 end)`,
  },
  {
    refusal: "session",
    code: "2201E",
    failing: (isFine) => `ln(case when ${isFine} then 1 else 0 end)`,
  },
  {
    refusal: "approval",
    code: "2201F",
    failing: (isFine) => `sqrt(case when ${isFine} then 1 else -1 end)`,
  },
];

/** The refusal that an error of the statement stands for. */
export const refusalOfCode = (code: string | undefined): Refusal | undefined =>
  refusals.find((it) => it.code === code)?.refusal;

/** Statement and parameters list the columns of the kinds in the same order. */
export const commitSql: string = makeCommitSql();

function makeCommitSql(): string {
  let parameter = 0;
  const unnested = (kind: RowKind) =>
    `unnest(${rowColumns[kind].map(([, type]) => `$${++parameter}::${type}[]`).join(", ")})`;
  const moved: Partial<Record<BudgetMove, string>> = {};
  const parts = rowKinds.flatMap((kind) => {
    const rows = unnested(kind);
    if (isUpdate(kind)) return [updateSql(kind, rows)];
    if (!isMove(kind)) return [insertSql(kind, rows)];
    moved[kind] = rows;
    return [];
  });
  const { settle = "", reserve = "" } = moved;
  parts.push(...postgresBudgetParts(settle, reserve));
  const checks = refusals.map(({ refusal, failing }) => {
    const written = rowKinds
      .filter((kind) => refusalOf(kind) === refusal)
      .map((kind) => `(select count(*) from ${kind}_rows)`);
    return failing(`${written.join(" + ")} = $${++parameter}::integer`);
  });
  return `with ${parts.join(", ")} select ${checks.join(", ")}, ${postgresRefusedIds} as refused`;
}

function insertSql(kind: InsertKind, rows: string): string {
  const unlessThere =
    refusedWhenThere[kind] === undefined ? "" : " on conflict do nothing returning 1";
  return `${kind}_rows as (
    insert into ${insertedInto[kind]} (${rowColumns[kind].map(nameOf).join(", ")})
    select * from ${rows}${unlessThere} ${insertEnd(kind)})`;
}

function updateSql(kind: UpdateKind, rows: string): string {
  const { table, guards } = updates[kind];
  const names = rowColumns[kind].map(nameOf);
  const assignments = names
    .slice(guards.length)
    .map((name) => `${name} = coalesce(written.${name}, target.${name})`);
  const conditions = guards.map((guard, index) =>
    guard((name) => `target.${name}`, `written.${names[index]}`),
  );
  return `${kind}_rows as (
    update ${table} target set ${assignments.join(", ")}
    from ${rows} as written (${names.join(", ")})
    where ${conditions.join(" and ")}
    returning 1)`;
}

function nameOf([name]: Column): string {
  return name;
}

/** The parameters are good until the next call. */
export function parameterWriter(
  statistics: StatisticsRows,
): (batch: readonly JournalEntry[]) => readonly CommitParameter[] {
  const writeArrays = arrayWriter();

  return (batch) => {
    const columns = rowKinds.map((kind) =>
      rowColumns[kind].map(([, type]) => ({ type, values: [] as SqlValue[] })),
    );
    const written = refusals.map(() => 0);
    const put: PutRow = (kind, values) => {
      const check = refusals.findIndex(({ refusal }) => refusal === refusalOf(kind));
      if (check !== -1) written[check] = (written[check] ?? 0) + 1;
      const target = columns[rowKinds.indexOf(kind)] ?? [];
      for (const [index, column] of target.entries()) column.values.push(values[index] ?? null);
    };
    for (const entry of inLockOrder(batch)) putEntryRows(entry, put);
    statistics.put(batch, put);
    return [...writeArrays(columns.flat()), ...written];
  };
}

/**
 * Two processes that write the same sessions lock them in the same order, so that neither waits for the
 * other: a deadlock takes a second to be noticed.
 */
function inLockOrder(batch: readonly JournalEntry[]): readonly JournalEntry[] {
  if (batch.length < 2 || batch.every(({ session }) => session === undefined)) return batch;
  const keyOf = ({ tenantId, session }: JournalEntry) => `${tenantId}\n${session?.sessionId ?? ""}`;
  return batch.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
