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

export type RowKind = "run" | "input" | "chunk" | "tool" | UpdateKind;

/**
 * The kinds that update the row of a run. `progress` counts its events and nothing else: most
 * entries do only that, and an update that names more columns also renews their indexes.
 */
export type UpdateKind = "progress" | "change";

/** The table of every kind that is inserted. */
export const insertedInto: Readonly<Record<Exclude<RowKind, UpdateKind>, string>> = {
  run: "tracon_runs",
  input: "tracon_run_inputs",
  chunk: "tracon_run_events",
  tool: "tracon_tool_invocations",
};

/** How many columns of an update say which row it is for: tenant, run and the events it must have. */
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
    ["parameters", "text"],
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

/**
 * The kinds by number, as packed batches name them. The largest come first: `pg` grows its memory
 * as it writes the parameters, and copies what is there each time.
 */
export const rowKinds: readonly RowKind[] = ["chunk", "tool", "input", "run", "change", "progress"];

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

/** Why nothing of a batch was written, when the database itself had no objection. */
export const REFUSED =
  "the journal refused the batch: a run is unknown or has ended, or its events do not continue it";

/** Statuses of a run that still writes. The same set as core's `isFinalStatus`, as SQL. */
export const OPEN_STATUSES_SQL = "('Queued', 'Running')";
