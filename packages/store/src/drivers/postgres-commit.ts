/**
 * The one statement that commits a batch of journal entries, and its parameters.
 *
 * The server sets up every part of a statement, also one without rows, so a batch is sent with the
 * parts it has something for.
 */

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

/**
 * What is written together, or not at all by a batch: parts on their own would make hundreds of
 * statements.
 */
const partOf = {
  chunk: "events",
  change: "events",
  progress: "events",
  run: "run",
  input: "run",
  session: "session",
  version: "session",
  turn: "session",
  approval: "approvals",
  claim: "approvals",
  statistics: "statistics",
  toolStatistics: "statistics",
  criterionStatistics: "criteria",
  budget: "budget",
  reservation: "budget",
  settle: "moves",
  reserve: "moves",
} as const satisfies Readonly<Record<RowKind, string>>;

/** Stands in every batch, so that there are half as many statements. */
const ALWAYS = "events";

/** The statement of a batch, prepared once a connection under its name. */
export type CommitStatement = {
  readonly name: string;
  readonly text: string;
  readonly values: CommitParameter[];
};

/** What is the same for all batches with the same parts. */
type CommitPlan = Omit<CommitStatement, "values"> & { readonly kinds: readonly RowKind[] };

function commitPlans(): (written: Iterable<RowKind>) => CommitPlan {
  const plans = new Map<string, CommitPlan>();

  return (written) => {
    const parts = new Set<string>([ALWAYS]);
    for (const kind of written) parts.add(partOf[kind]);
    const key = [...parts].sort().join(" ");
    const known = plans.get(key);
    if (known !== undefined) return known;
    const kinds = rowKinds.filter((kind) => parts.has(partOf[kind]));
    const plan = { name: `tracon-commit-${plans.size}`, text: makeCommitSql(kinds), kinds };
    plans.set(key, plan);
    return plan;
  };
}

/** Statement and parameters list the columns of the kinds, and the refusals, in the same order. */
function makeCommitSql(kinds: readonly RowKind[]): string {
  let parameter = 0;
  const unnested = (kind: RowKind) =>
    `unnest(${rowColumns[kind].map(([, type]) => `$${++parameter}::${type}[]`).join(", ")})`;
  const moved: Partial<Record<BudgetMove, string>> = {};
  const parts = kinds.flatMap((kind) => {
    const rows = unnested(kind);
    if (isUpdate(kind)) return [updateSql(kind, rows)];
    if (!isMove(kind)) return [insertSql(kind, rows)];
    moved[kind] = rows;
    return [];
  });
  const { settle, reserve } = moved;
  const moves = settle !== undefined && reserve !== undefined;
  if (moves) parts.push(...postgresBudgetParts(settle, reserve));
  const checks = refusalsOf(kinds).map(({ refusal, failing }) => {
    const written = kinds
      .filter((kind) => refusalOf(kind) === refusal)
      .map((kind) => `(select count(*) from ${kind}_rows)`);
    return failing(`${written.join(" + ")} = $${++parameter}::integer`);
  });
  const refused = `${moves ? postgresRefusedIds : "null::text"} as refused`;
  return `with ${parts.join(", ")} select ${[...checks, refused].join(", ")}`;
}

/** The refusals that rows of these kinds can meet. */
const refusalsOf = (kinds: readonly RowKind[]) =>
  refusals.filter(({ refusal }) => kinds.some((kind) => refusalOf(kind) === refusal));

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

/** The parameters of a statement are good until the next call. */
export function statementWriter(
  statistics: StatisticsRows,
): (batch: readonly JournalEntry[]) => CommitStatement {
  const writeArrays = arrayWriter();
  const planOf = commitPlans();

  return (batch) => {
    const rows = new Map<RowKind, readonly (readonly SqlValue[])[]>();
    const put: PutRow = (kind, values) => {
      const known = rows.get(kind) as (readonly SqlValue[])[] | undefined;
      if (known === undefined) rows.set(kind, [values]);
      else known.push(values);
    };
    for (const entry of inLockOrder(batch)) putEntryRows(entry, put);
    statistics.put(batch, put);

    const { name, text, kinds } = planOf(rows.keys());
    const columns = kinds.flatMap((kind) =>
      rowColumns[kind].map(([, type], index) => ({
        type,
        values: (rows.get(kind) ?? []).map((values) => values[index] ?? null),
      })),
    );
    const written = refusalsOf(kinds).map(({ refusal }) =>
      sum(
        kinds.filter((kind) => refusalOf(kind) === refusal).map((kind) => rows.get(kind)?.length),
      ),
    );
    return { name, text, values: [...writeArrays(columns), ...written] };
  };
}

const sum = (counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/**
 * Two processes that write the same sessions lock them in the same order, so that neither waits for the
 * other: a deadlock takes a second to be noticed.
 */
function inLockOrder(batch: readonly JournalEntry[]): readonly JournalEntry[] {
  if (batch.length < 2 || batch.every(({ session }) => session === undefined)) return batch;
  const keyOf = ({ tenantId, session }: JournalEntry) => `${tenantId}\n${session?.sessionId ?? ""}`;
  return batch.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
