/**
 * The rows a journal commit writes, in a form free of dialects: a kind and its values in the order
 * of its columns. SQLite runs one prepared statement a row, PostgreSQL takes the columns of all rows
 * of a kind as arrays of one statement.
 *
 * The SQLite worker imports this file, so it must not import any package.
 */

export type SqlValue = string | number | null;

export type ColumnType = "text" | "integer" | "bigint" | "double precision";

export type Column = readonly [name: string, type: ColumnType];

export type RowKind = "run" | "input" | "chunk" | "tool" | "change";

/** The table of every kind that is inserted. `change` updates the row of a run instead. */
export const insertedInto: Readonly<Record<Exclude<RowKind, "change">, string>> = {
  run: "tracon_runs",
  input: "tracon_run_inputs",
  chunk: "tracon_run_events",
  tool: "tracon_tool_invocations",
};

/** How many columns of a `change` say which row it is for: tenant, run and the events it must have. */
export const CHANGE_KEY_COLUMNS = 3;

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
  ],
  chunk: [
    ["tenant_id", "text"],
    ["run_id", "text"],
    ["first_sequence", "integer"],
    ["last_sequence", "integer"],
    ["lines", "text"],
  ],
  tool: [
    ["tenant_id", "text"],
    ["run_id", "text"],
    ["iteration", "integer"],
    ["step", "integer"],
    ["position", "integer"],
    ["tool_call_id", "text"],
    ["tool_name", "text"],
    ["created_at", "bigint"],
    ["duration_ms", "double precision"],
    ["succeeded", "integer"],
    ["arguments", "text"],
    ["result", "text"],
    ["error", "text"],
  ],
  change: [
    ["tenant_id", "text"],
    ["id", "text"],
    ["expected_event_count", "integer"],
    ["event_count", "integer"],
    ["status", "text"],
    ["completed_at", "bigint"],
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
};

/** The kinds by number, as flat batches name them. */
export const rowKinds: readonly RowKind[] = ["run", "input", "chunk", "tool", "change"];

/**
 * A batch as one array: the number of a kind, its values, the next number, and so on. It crosses to
 * the worker in one message; objects or arrays in it would cost more than the statements themselves.
 */
export type FlatRows = readonly SqlValue[];

/** Why nothing of a batch was written, when the database itself had no objection. */
export const REFUSED =
  "the journal refused the batch: a run is unknown or has ended, or its events do not continue it";

/** Statuses of a run that still writes. The same set as core's `isFinalStatus`, as SQL. */
export const OPEN_STATUSES_SQL = "('Queued', 'Running')";
