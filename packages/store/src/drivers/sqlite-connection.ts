/**
 * One SQLite connection and everything that is done on it: queries, journal commits, checkpoints.
 *
 * It is synchronous. A file's writer runs in a worker, its reader on the main thread; a database in
 * memory has this one connection for both. The worker imports this file, so it must not import any
 * package.
 */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type InsertKind,
  insertEnd,
  insertedInto,
  isMove,
  isUpdate,
  type PackedRows,
  refusalMessages,
  refusalOf,
  refusedWhenThere,
  rowColumns,
  rowKinds,
  type UpdateKind,
  unpackRows,
  updates,
} from "../journal-rows.ts";
import type { Column, SqlValue } from "../sql-value.ts";
import { type BudgetMoves, type RefusedReservation, sqliteBudgetMoves } from "./sqlite-budget.ts";

/** What a query takes and answers: rows of the journal hold no bytes, those of attachments do. */
export type SqliteValue = SqlValue | Uint8Array;
export type SqliteRow = Record<string, SqliteValue>;
export type SqliteResult = { readonly rows: readonly SqliteRow[]; readonly changes: number };

export type SqliteConnection = {
  query(sql: string, parameters: readonly SqliteValue[]): SqliteResult;
  /**
   * Writes all rows in one transaction, or none and throws. Answers with the reservations there was
   * no room for.
   */
  commit(rows: PackedRows): readonly RefusedReservation[];
  /**
   * Copies the log into the file once it is long, without waiting for anyone. To be called when
   * nobody waits for the connection: it takes some milliseconds.
   */
  checkpointWhenLong(): void;
  close(): void;
};

/** How long a statement waits for another process's lock. */
const BUSY_TIMEOUT_MS = 5_000;
/** Prepared statements kept; the oldest goes first. The queries of Tracon are some dozens. */
const MAX_STATEMENTS = 256;
const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT = 19;
const LOCK_RETRY_MS = 10;

/**
 * Length of the log at which it is copied into the file. With 32 runs at once a commit waits at most
 * 7 ms for that, and 15 ms at SQLite's own 1,000 pages; shorter logs sync the file too often.
 */
const CHECKPOINT_PAGES = 300;
/** SQLite's own checkpoint, inside a commit, in case the estimate of the length is far off. */
const AUTO_CHECKPOINT_PAGES = 4_000;
/** An estimate of the pages a commit writes: the last ones of each table and index, and its text. */
const PAGES_OF_A_COMMIT = 12;
const PAGE_TEXT = 3_000;

export type SqliteMode = "writer" | "reader" | "memory";

export function openSqliteConnection(path: string, mode: SqliteMode): SqliteConnection {
  const database = new DatabaseSync(mode === "memory" ? ":memory:" : path, {
    readOnly: mode === "reader",
  });
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma foreign_keys = on`);
  if (mode === "writer") prepareFile(database);

  let logPages = 0;
  const statements = new Map<string, PreparedStatement>();
  const rowStatements = mode === "reader" ? undefined : lazily(() => prepareRows(database));

  return {
    query(sql, parameters) {
      const { statement, columns } = prepared(database, statements, sql);
      if (columns.length > 0) {
        const rows = statement.all(...parameters) as unknown as readonly SqliteValue[][];
        return { rows: rows.map((values) => rowOf(columns, values)), changes: 0 };
      }
      return { rows: [], changes: Number(statement.run(...parameters).changes) };
    },

    commit(rows) {
      if (rowStatements === undefined) throw new Error("a reader does not commit");
      database.exec("begin immediate");
      try {
        const refused = writeRows(rowStatements(), rows);
        database.exec("commit");
        logPages += PAGES_OF_A_COMMIT + rows.text.length / PAGE_TEXT;
        return refused;
      } catch (error) {
        // SQLite itself rolls back on some errors (a full disk), and a second rollback would throw.
        if (database.isTransaction) database.exec("rollback");
        throw error;
      }
    },

    checkpointWhenLong() {
      if (logPages < CHECKPOINT_PAGES) return;
      database.exec("pragma wal_checkpoint(passive)");
      logPages = 0;
    },

    close: () => database.close(),
  };
}

/** Write-ahead log, every commit on disk before it returns. */
function prepareFile(database: DatabaseSync): void {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal");
      break;
    } catch (error) {
      // Two processes that create the file at once: this pragma does not honour busy_timeout.
      if (resultCode(error) !== SQLITE_BUSY || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
  }
  database.exec(`pragma synchronous = full; pragma wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`);
}

/** SQLite's primary result code of an error, or `undefined` when it is not one of SQLite's. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** Without columns a statement returns no rows. */
type PreparedStatement = {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
};

function prepared(
  database: DatabaseSync,
  statements: Map<string, PreparedStatement>,
  sql: string,
): PreparedStatement {
  const known = statements.get(sql);
  if (known !== undefined) return known;

  const statement = database.prepare(numbered(sql));
  const columns = statement.columns().map(({ name }) => name);
  // Its own row objects have no shape the engine could learn: reading one member of them costs more
  // than making the object here.
  statement.setReturnArrays(true);
  const entry = { statement, columns };
  const [oldest] = statements.keys();
  if (statements.size >= MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
  statements.set(sql, entry);
  return entry;
}

function rowOf(columns: readonly string[], values: readonly SqliteValue[]): SqliteRow {
  const row: SqliteRow = {};
  for (let index = 0; index < columns.length; index++) {
    row[columns[index] as string] = values[index] as SqliteValue;
  }
  return row;
}

/** Our statements number their parameters `$1`, which SQLite takes for a name and not for a place. */
const numbered = (sql: string): string => sql.replaceAll(/\$(\d+)/g, "?$1");

type RowStatements = {
  readonly written: ReadonlyMap<WrittenKind, StatementSync>;
  readonly moves: BudgetMoves;
};
type WrittenKind = InsertKind | UpdateKind;

function prepareRows(database: DatabaseSync): RowStatements {
  const prepare = (sql: string) => database.prepare(numbered(sql));
  const sqlOf = (kind: WrittenKind) => (isUpdate(kind) ? updateSql(kind) : insertSql(kind));
  const kinds = rowKinds.filter((kind) => !isMove(kind));
  return {
    written: new Map(kinds.map((kind) => [kind, prepare(sqlOf(kind))])),
    moves: sqliteBudgetMoves(prepare, prepare(insertSql("reservation"))),
  };
}

function insertSql(kind: InsertKind): string {
  const columns = rowColumns[kind];
  const places = columns.map((_, index) => `$${index + 1}`);
  const unlessThere = refusedWhenThere[kind] === undefined ? "" : " on conflict do nothing";
  return `insert into ${insertedInto[kind]} (${columns.map(nameOf).join(", ")}) values (${places.join(", ")})${unlessThere}
    ${insertEnd(kind)}`;
}

function updateSql(kind: UpdateKind): string {
  const { table, guards } = updates[kind];
  const assignments = rowColumns[kind]
    .map((column, index) => `${nameOf(column)} = coalesce($${index + 1}, ${nameOf(column)})`)
    .slice(guards.length);
  const conditions = guards.map((guard, index) => guard((name) => name, `$${index + 1}`));
  return `update ${table} set ${assignments.join(", ")} where ${conditions.join(" and ")}`;
}

const nameOf = ([name]: Column): string => name;

function writeRows(statements: RowStatements, rows: PackedRows): readonly RefusedReservation[] {
  const refused: RefusedReservation[] = [];
  unpackRows(rows, (kind, values) => {
    if (kind === "settle") return statements.moves.settle(values);
    if (kind === "reserve") {
      const refusal = statements.moves.reserve(values);
      if (refusal !== undefined) refused.push(refusal);
      return;
    }
    const changes = statements.written.get(kind)?.run(...values).changes;
    if (changes === 1) return;
    const message = refusalMessages[refusalOf(kind) ?? "journal"];
    throw Object.assign(new Error(message), { errcode: SQLITE_CONSTRAINT });
  });
  return refused;
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
