/** The rows of the reference recorder: the four tables a control plane cannot do without. */

export type Value = string | number | null;
export type RowKind = "run" | "input" | "event" | "tool" | "end";
export type ReferenceRow = readonly [kind: RowKind, values: readonly Value[]];

/** Where the reference's rows go. */
export type ReferenceStore = {
  /** Durable when it returns or resolves. */
  commit(rows: readonly ReferenceRow[]): void | Promise<void>;
  close(): void | Promise<void>;
};

/** Columns of every inserted kind, in the order of its values. */
export const referenceColumns = {
  run: ["id", "agent", "version", "tenant", "status", "started"],
  input: ["run_id", "input"],
  event: ["run_id", "sequence", "type", "at", "data"],
  tool: ["run_id", "call_id", "tool", "arguments", "result", "started", "ended"],
} as const satisfies Readonly<Record<Exclude<RowKind, "end">, readonly string[]>>;

export const referenceTables = {
  run: "reference_runs",
  input: "reference_inputs",
  event: "reference_events",
  tool: "reference_tools",
} as const;

/** The statements that create the tables. */
export const referenceSchema: readonly string[] = [
  `create table reference_runs (id text primary key, agent text not null, version integer not null,
     tenant text not null, status text not null, started bigint not null, ended bigint,
     tokens_in integer, tokens_out integer)`,
  "create index reference_runs_list on reference_runs (tenant, started)",
  "create table reference_inputs (run_id text primary key, input text not null)",
  `create table reference_events (run_id text not null, sequence integer not null,
     type text not null, at bigint not null, data text not null, primary key (run_id, sequence))`,
  `create table reference_tools (run_id text not null, call_id text not null, tool text not null,
     arguments text, result text, started bigint, ended bigint, primary key (run_id, call_id))`,
];
