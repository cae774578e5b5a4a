/** The one statement that commits a batch of journal entries, and its parameters. */

import type { JournalEntry } from "@tracon/core";
import { putEntryRows } from "../journal-entry-rows.ts";
import {
  CHANGE_KEY_COLUMNS,
  type Column,
  insertedInto,
  OPEN_STATUSES_SQL,
  type RowKind,
  rowColumns,
  rowKinds,
  type SqlValue,
  type UpdateKind,
} from "../journal-rows.ts";
import { arrayWriter } from "./binary-array.ts";

export type CommitParameter = Buffer | number;

/** The code of the error with which the statement refuses a batch. */
export const REFUSAL_CODE = "22012";

/** Statement and parameters list the columns of the kinds in the same order. */
export const commitSql: string = makeCommitSql();

function makeCommitSql(): string {
  let parameter = 0;
  const unnested = (kind: RowKind) =>
    `unnest(${rowColumns[kind].map(([, type]) => `$${++parameter}::${type}[]`).join(", ")})`;
  const parts = rowKinds.map((kind) =>
    isUpdate(kind) ? updateSql(kind, unnested(kind)) : insertSql(kind, unnested(kind)),
  );
  // A run that does not accept its change must undo the whole statement, and dividing by zero is
  // the one way to say so in plain SQL.
  return `with ${parts.join(", ")}
    select 1 / (case when (select count(*) from change_rows) + (select count(*) from progress_rows) = $${++parameter}::integer then 1 else 0 end)`;
}

function insertSql(kind: Exclude<RowKind, UpdateKind>, rows: string): string {
  return `${kind}_rows as (
    insert into ${insertedInto[kind]} (${rowColumns[kind].map(nameOf).join(", ")})
    select * from ${rows})`;
}

function updateSql(kind: UpdateKind, rows: string): string {
  const names = rowColumns[kind].map(nameOf);
  const assignments = names
    .slice(CHANGE_KEY_COLUMNS)
    .map((name) => `${name} = coalesce(change.${name}, run.${name})`);
  return `${kind}_rows as (
    update tracon_runs run set ${assignments.join(", ")}
    from ${rows} as change (${names.join(", ")})
    where run.tenant_id = change.tenant_id and run.id = change.id
      and run.event_count = coalesce(change.expected_event_count, run.event_count)
      and run.status in ${OPEN_STATUSES_SQL}
    returning 1)`;
}

function isUpdate(kind: RowKind): kind is UpdateKind {
  return kind === "change" || kind === "progress";
}

function nameOf([name]: Column): string {
  return name;
}

/** The parameters are good until the next call. */
export function parameterWriter(): (batch: readonly JournalEntry[]) => readonly CommitParameter[] {
  const writeArrays = arrayWriter();

  return (batch) => {
    const columns = rowKinds.map((kind) =>
      rowColumns[kind].map(([, type]) => ({ type, values: [] as SqlValue[] })),
    );
    let changes = 0;
    for (const entry of batch) {
      putEntryRows(entry, (kind, values) => {
        if (isUpdate(kind)) changes += 1;
        const target = columns[rowKinds.indexOf(kind)] ?? [];
        for (const [index, column] of target.entries()) column.values.push(values[index] ?? null);
      });
    }
    return [...writeArrays(columns.flat()), changes];
  };
}
