/** The reference's rows in a SQLite file, every commit on disk, on the main thread. */

import { DatabaseSync } from "node:sqlite";
import {
  type ReferenceRow,
  type ReferenceStore,
  referenceColumns,
  referenceSchema,
  referenceTables,
} from "./reference-rows.ts";

export function openReferenceSqlite(folder: string): ReferenceStore {
  const database = new DatabaseSync(`${folder}/reference.db`);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  for (const statement of referenceSchema) database.exec(statement);

  const insert = (kind: keyof typeof referenceColumns) => {
    const columns = referenceColumns[kind];
    const places = columns.map(() => "?").join(", ");
    const table = referenceTables[kind];
    return database.prepare(`insert into ${table} (${columns.join(", ")}) values (${places})`);
  };
  const statements = {
    run: insert("run"),
    input: insert("input"),
    event: insert("event"),
    tool: insert("tool"),
    end: database.prepare(
      `update ${referenceTables.run} set status = ?, ended = ?, tokens_in = ?, tokens_out = ?
       where id = ?`,
    ),
  };

  return {
    commit(rows: readonly ReferenceRow[]) {
      database.exec("begin immediate");
      for (const [kind, values] of rows) statements[kind].run(...values);
      database.exec("commit");
    },
    close: () => database.close(),
  };
}
