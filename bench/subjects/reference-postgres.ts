/** The reference's rows in PostgreSQL: one statement, one round trip and one commit for a batch. */

import { connectPostgres } from "../postgres-client.ts";
import {
  type ReferenceRow,
  type ReferenceStore,
  type RowKind,
  referenceColumns,
  referenceSchema,
  referenceTables,
  type Value,
} from "./reference-rows.ts";

/** The types of the columns of each kind, in the order of its values. */
const COLUMN_TYPES = {
  run: ["text", "text", "int", "text", "text", "bigint"],
  input: ["text", "text"],
  event: ["text", "int", "text", "bigint", "text"],
  tool: ["text", "text", "text", "text", "text", "bigint", "bigint"],
  end: ["text", "bigint", "int", "int", "text"],
} as const satisfies Readonly<Record<RowKind, readonly string[]>>;

const KINDS = Object.keys(COLUMN_TYPES) as readonly RowKind[];

export async function openReferencePostgres(url: string): Promise<ReferenceStore> {
  const client = await connectPostgres(url);
  for (const statement of referenceSchema) await client.query(statement);
  const text = batchStatement();
  return {
    async commit(rows) {
      await client.query({ name: "reference", text, values: columnsOf(rows) });
    },
    close: () => client.end(),
  };
}

function columnsOf(rows: readonly ReferenceRow[]): Value[][] {
  const byKind = new Map<RowKind, Value[][]>(
    KINDS.map((kind) => [kind, COLUMN_TYPES[kind].map(() => [])]),
  );
  for (const [kind, values] of rows) {
    const columns = byKind.get(kind) ?? [];
    for (const [index, value] of values.entries()) columns[index]?.push(value);
  }
  return [...byKind.values()].flat();
}

function batchStatement(): string {
  let place = 0;
  const arrays = (kind: RowKind) =>
    COLUMN_TYPES[kind].map((type) => `$${++place}::${type}[]`).join(", ");
  const insert = (kind: keyof typeof referenceColumns) =>
    `insert into ${referenceTables[kind]} (${referenceColumns[kind].join(", ")})
     select * from unnest(${arrays(kind)})`;
  return `with run as (${insert("run")}), input as (${insert("input")}), event as (${insert("event")}),
    tool as (${insert("tool")})
    update ${referenceTables.run} set status = ended.status, ended = ended.at,
      tokens_in = ended.tokens_in, tokens_out = ended.tokens_out
    from unnest(${arrays("end")}) as ended (status, at, tokens_in, tokens_out, id)
    where ${referenceTables.run}.id = ended.id`;
}
