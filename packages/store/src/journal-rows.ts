/**
 * The rows a journal commit writes, in a form free of dialects: a kind and its values in the order
 * of its columns. SQLite runs one prepared statement a row, PostgreSQL takes the columns of all rows
 * of a kind as arrays of one statement.
 *
 * The SQLite worker imports this file, so it must not import any package.
 */

import type { Column, ColumnType, SqlValue } from "./sql-value.ts";
import { columnsOf, onConflict, type SumKind, sumTables } from "./statistics-columns.ts";

export type RowKind = InsertKind | UpdateKind | BudgetMove;

/** The kinds that are inserted. */
export type InsertKind =
  | "run"
  | "input"
  | "chunk"
  | "session"
  | "turn"
  | "approval"
  | "budget"
  | "reservation"
  | SumKind;

/**
 * The kinds that update a row. `progress` counts the events of a run and nothing else: most entries
 * do only that, and an update that names more columns also renews their indexes. `version` makes a
 * session the next one of itself. `claim` takes a decision.
 */
export type UpdateKind = "progress" | "change" | "version" | "claim";

/** Why a batch was refused, when the database itself had no objection. */
export type Refusal = "journal" | "session" | "approval";

/** What the refusals are called on their way out of a driver. */
export const refusalMessages: Readonly<Record<Refusal, string>> = {
  journal:
    "the journal refused the batch: a run is unknown or has ended, or its events do not continue it",
  session: "a session is not what its run began with",
  approval: "a decision was taken by another run, or is none any more",
};

/** The kinds that move the counters of a tree's budget; `budget-sql.ts` says how. */
export type BudgetMove = "reserve" | "settle";

export const isMove = (kind: RowKind): kind is BudgetMove =>
  kind === "reserve" || kind === "settle";

/** The table of every kind that is inserted. */
export const insertedInto: Readonly<Record<InsertKind, string>> = {
  run: "tracon_runs",
  input: "tracon_run_inputs",
  chunk: "tracon_run_events",
  session: "tracon_sessions",
  turn: "tracon_session_turns",
  approval: "tracon_approvals",
  ...sumTables,
  budget: "tracon_budgets",
  reservation: "tracon_budget_reservations",
};

/** What is refused when a row of the kind is there already; the database objects to the others. */
export const refusedWhenThere: Readonly<Partial<Record<InsertKind, Refusal>>> = {
  session: "session",
  turn: "session",
};

/** A condition on the updated row, given how to name its columns and the value to hold against. */
type Guard = (column: (name: string) => string, value: string) => string;

/** Statuses of a run that still writes. The same set as core's `isFinalStatus`, as SQL. */
const OPEN_STATUSES_SQL = "('Queued', 'Running')";

const equals =
  (name: string): Guard =>
  (column, value) =>
    `${column(name)} = ${value}`;

/** The run is open and has exactly the expected events. */
const openWithEvents: Guard = (column, value) =>
  `${column("event_count")} = coalesce(${value}, ${column("event_count")}) and ${column("status")} in ${OPEN_STATUSES_SQL}`;

/** Nobody has taken the decision, and whoever makes it now is not too late. */
const untakenInTime: Guard = (column, value) =>
  `${column("claimed_by_run_id")} is null and ${column("expires_at")} > coalesce(${value}, ${column("expires_at")} - 1)`;

/** How rows are updated: the first columns of the kind are guards, the others are set. */
export const updates: Readonly<
  Record<
    UpdateKind,
    { readonly table: string; readonly guards: readonly Guard[]; readonly refusal: Refusal }
  >
> = {
  progress: {
    table: "tracon_runs",
    guards: [equals("tenant_id"), equals("id"), openWithEvents],
    refusal: "journal",
  },
  change: {
    table: "tracon_runs",
    guards: [equals("tenant_id"), equals("id"), openWithEvents],
    refusal: "journal",
  },
  // A session that was deleted and begun anew may have the same version, so its birth counts as well.
  version: {
    table: "tracon_sessions",
    guards: [equals("tenant_id"), equals("id"), equals("version"), equals("created_at")],
    refusal: "session",
  },
  claim: {
    table: "tracon_approvals",
    guards: [equals("tenant_id"), equals("id"), equals("status"), untakenInTime],
    refusal: "approval",
  },
};

export const isUpdate = (kind: RowKind): kind is UpdateKind => kind in updates;

/** What a row of the kind is refused for when it changes nothing. */
export const refusalOf = (kind: RowKind): Refusal | undefined =>
  isUpdate(kind) ? updates[kind].refusal : isMove(kind) ? undefined : refusedWhenThere[kind];

/** Whether rows of the kind are added to the row of their key. */
export const isSum = (kind: RowKind): kind is SumKind => kind in sumTables;

/** How an insert of rows of the kind ends. */
export const insertEnd = (kind: RowKind): string => (isSum(kind) ? onConflict(kind) : "");

/** The columns of every kind, in the order of the values. */
export const rowColumns: Readonly<Record<RowKind, readonly Column[]>> = {
  run: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["parent_run_id", "text"],
    ["root_run_id", "text"],
    ["depth", "integer"],
    ["kind", "text"],
    ["agent_name", "text"],
    ["agent_version", "integer"],
    ["status", "text"],
    ["started_at", "bigint"],
    ["completed_at", "bigint"],
    ["event_count", "integer"],
    ["is_streaming", "integer"],
    ["user_id", "text"],
    ["session_id", "text"],
    ["culture", "text"],
    ["model_provider", "text"],
    ["model_id", "text"],
    ["input_tokens", "bigint"],
    ["output_tokens", "bigint"],
    ["total_tokens", "bigint"],
    ["total_cost", "double precision"],
    ["error_type", "text"],
    ["usage", "text"],
    ["cost", "text"],
    ["error", "text"],
    ["labels", "text"],
    ["replay_of_run_id", "text"],
    ["continued_from_run_id", "text"],
    ["lockfile_hash", "text"],
  ],
  input: [
    ["tenant_id", "text"],
    ["run_id", "text"],
    ["messages", "text"],
    ["parameters", "text"],
  ],
  chunk: [
    ["tenant_id", "text"],
    ["run_id", "text"],
    ["first_sequence", "integer"],
    ["last_sequence", "integer"],
    ["lines", "text"],
  ],
  session: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["agent_name", "text"],
    ["version", "integer"],
    ["created_at", "bigint"],
    ["updated_at", "bigint"],
    ["item_count", "integer"],
    ["state_schema_version", "integer"],
    ["state", "text"],
  ],
  turn: [
    ["tenant_id", "text"],
    ["session_id", "text"],
    ["first_sequence", "integer"],
    ["item_count", "integer"],
    ["run_id", "text"],
    ["lines", "text"],
  ],
  version: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["expected_version", "integer"],
    ["expected_created_at", "bigint"],
    ["version", "integer"],
    ["updated_at", "bigint"],
    ["item_count", "integer"],
    ["state", "text"],
  ],
  approval: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["run_id", "text"],
    ["session_id", "text"],
    ["agent_name", "text"],
    ["iteration", "integer"],
    ["step", "integer"],
    ["position", "integer"],
    ["call_id", "text"],
    ["tool_name", "text"],
    ["arguments", "text"],
    ["arguments_hash", "text"],
    ["content_hash", "text"],
    ["presentation", "text"],
    ["status", "text"],
    ["created_at", "bigint"],
    ["expires_at", "bigint"],
    ["continuation_run_id", "text"],
  ],
  claim: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["expected_status", "text"],
    ["decided_before_expiry_at", "bigint"],
    ["status", "text"],
    ["decided_by", "text"],
    ["decided_at", "bigint"],
    ["reason", "text"],
    ["claimed_by_run_id", "text"],
  ],
  progress: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["expected_event_count", "integer"],
    ["event_count", "integer"],
  ],
  change: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["expected_event_count", "integer"],
    ["event_count", "integer"],
    ["status", "text"],
    ["completed_at", "bigint"],
    ["session_id", "text"],
    ["model_provider", "text"],
    ["model_id", "text"],
    ["input_tokens", "bigint"],
    ["output_tokens", "bigint"],
    ["total_tokens", "bigint"],
    ["total_cost", "double precision"],
    ["error_type", "text"],
    ["usage", "text"],
    ["cost", "text"],
    ["error", "text"],
  ],
  statistics: columnsOf("statistics"),
  toolStatistics: columnsOf("toolStatistics"),
  criterionStatistics: columnsOf("criterionStatistics"),
  budget: [
    ["tenant_id", "text"],
    ["root_run_id", "text"],
    ["currency", "text"],
    ["max_tokens", "bigint"],
    ["max_cost_nanos", "bigint"],
    ["max_child_runs", "integer"],
    ["max_tool_calls", "integer"],
    ["reserved_tokens", "bigint"],
    ["reserved_cost_nanos", "bigint"],
    ["held_tokens", "bigint"],
    ["held_cost_nanos", "bigint"],
    ["held_until", "bigint"],
    ["tool_calls", "integer"],
  ],
  reservation: [
    ["tenant_id", "text"],
    ["root_run_id", "text"],
    ["id", "text"],
    ["tokens", "bigint"],
    ["cost_nanos", "bigint"],
    ["expires_at", "bigint"],
  ],
  settle: [
    ["tenant_id", "text"],
    ["root_run_id", "text"],
    ["id", "text"],
    ["tokens", "bigint"],
    ["estimated_tokens", "bigint"],
    ["cost_nanos", "bigint"],
    ["is_held", "integer"],
  ],
  reserve: [
    ["tenant_id", "text"],
    ["root_run_id", "text"],
    ["id", "text"],
    ["tokens", "bigint"],
    ["cost_nanos", "bigint"],
    ["child_runs", "integer"],
    ["tool_calls", "integer"],
    ["expires_at", "bigint"],
    ["at", "bigint"],
    ["is_held", "integer"],
  ],
};

/**
 * The kinds by number, as packed batches name them. The largest come first: `pg` grows its memory
 * as it writes the parameters, and copies what is there each time.
 */
export const rowKinds: readonly RowKind[] = [
  "chunk",
  "turn",
  "input",
  "run",
  "change",
  "statistics",
  "toolStatistics",
  "criterionStatistics",
  "progress",
  "session",
  "version",
  "approval",
  "claim",
  "budget",
  "reservation",
  "settle",
  "reserve",
];

/**
 * A batch in the form in which it crosses to the worker: all its text as one string, and a number
 * for each kind and each value. The number of a text is its length, or -1 for `null`; a number that
 * is `null` is NaN. An array of the values themselves costs three times as much on both sides,
 * because the clone goes through it value by value.
 */
export type PackedRows = { readonly text: string; readonly numbers: Float64Array };

export type PutRow = (kind: RowKind, values: readonly SqlValue[]) => void;

export function packRows(produce: (put: PutRow) => void): PackedRows {
  const texts: string[] = [];
  const numbers: number[] = [];
  produce((kind, values) => {
    numbers.push(rowKinds.indexOf(kind));
    for (const [index, [, type]] of rowColumns[kind].entries()) {
      const value = values[index] ?? null;
      if (typeof value === "string") texts.push(value);
      numbers.push(slotOf(value, type));
    }
  });
  return { text: texts.join(""), numbers: Float64Array.from(numbers) };
}

function slotOf(value: SqlValue, type: ColumnType): number {
  if (typeof value === "string") return value.length;
  return value ?? (type === "text" ? -1 : Number.NaN);
}

/** Calls `take` with every row, in order. */
export function unpackRows(
  { text, numbers }: PackedRows,
  take: (kind: RowKind, values: readonly SqlValue[]) => void,
): void {
  let textAt = 0;
  for (let at = 0; at < numbers.length; ) {
    const kind = rowKinds[numbers[at++] as number] as RowKind;
    const values: SqlValue[] = [];
    for (const [, type] of rowColumns[kind]) {
      const number = numbers[at++] as number;
      if (type !== "text") {
        values.push(Number.isNaN(number) ? null : number);
      } else if (number < 0) {
        values.push(null);
      } else {
        values.push(text.slice(textAt, textAt + number));
        textAt += number;
      }
    }
    take(kind, values);
  }
}
