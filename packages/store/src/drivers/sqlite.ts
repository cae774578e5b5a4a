/**
 * SQLite: a file with one writer in a worker thread and a reader on the main thread, or a database
 * in memory with one connection in this thread.
 *
 * Writes and checkpoints stay off the main thread because they wait for the disk: a checkpoint there
 * stalls every stream of the process. Reads stay on it because they are shorter than a message to
 * another thread.
 */

import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BudgetLimit, JournalEntry } from "@tracon/core";
import { Kysely } from "kysely";
import { openingRefusals } from "../budget-rows.ts";
import { putEntryRows } from "../journal-entry-rows.ts";
import { type PackedRows, packRows } from "../journal-rows.ts";
import { createMutex, type Mutex } from "../mutex.ts";
import type { Schema } from "../schema.ts";
import { StatisticsRows } from "../statistics-rows.ts";
import { closedError, refusalNamed, refused, unavailable } from "../store-error.ts";
import { originalText } from "../stored-values.ts";
import type { Driver, Row } from "./driver.ts";
import { openSqliteConnection, resultCode } from "./sqlite-connection.ts";
import { type SqliteQuery, sqliteDialect } from "./sqlite-dialect.ts";
import { type SqliteExecutor, sqliteInThread, sqliteThread } from "./sqlite-thread.ts";

export async function openSqliteFile(file: string): Promise<Driver> {
  const path = resolve(file);
  return translated(async () => {
    mkdirSync(dirname(path), { recursive: true });
    const writer = sqliteThread({ path, mode: "writer" });
    // The writer creates the file and turns it to WAL, which a reader could not.
    await writer.query("select 1", []);
    const reader = openSqliteConnection(path, "reader");
    const reports = sqliteThread({ path, mode: "reader" });
    const mutex = createMutex();
    const read: SqliteQuery = async (sql, parameters) => reader.query(sql, parameters);

    return sqliteDriver({
      engine: "sqlite",
      writer,
      mutex,
      read,
      reads: kysely(read, noMutex),
      reports: kysely(reports.query, noMutex),
      async close() {
        // The last connection to close folds the log into the file, and only a writer can.
        reader.close();
        await reports.close();
        await writer.close();
      },
    });
  });
}

export function openSqliteMemory(): Driver {
  const writer = sqliteInThread(openSqliteConnection(":memory:", "memory"));
  const mutex = createMutex();
  // Reads share the connection, so they wait for an open transaction rather than look into it.
  const reads = kysely(writer.query, mutex);
  return sqliteDriver({
    engine: "memory",
    writer,
    mutex,
    read: (sql, parameters) => mutex.run(() => writer.query(sql, parameters)),
    reads,
    reports: reads,
    close: writer.close,
  });
}

type Parts = {
  readonly engine: "sqlite" | "memory";
  readonly writer: SqliteExecutor;
  readonly mutex: Mutex;
  readonly read: SqliteQuery;
  readonly reads: Kysely<Schema>;
  readonly reports: Kysely<Schema>;
  close(): Promise<void>;
};

function sqliteDriver({ engine, writer, mutex, read, reads, reports, close }: Parts): Driver {
  const statistics = new StatisticsRows(ONLY_SHARD);
  return {
    engine,
    reads,
    reports,
    writes: kysely(writer.query, mutex),
    // What goes this way holds no bytes.
    read: (sql, parameters) =>
      translated(async () => (await read(sql, parameters)).rows as readonly Row[]),
    statistics,
    async commit(batch) {
      const rows = packed(batch, statistics);
      const moved = (await translated(() => mutex.run(() => writer.commit(rows)))).map(
        ({ id, limit }) => ({
          reservationId: originalText(id),
          limit: limit as BudgetLimit,
        }),
      );
      return { refusals: [...openingRefusals(batch), ...moved] };
    },
    migrations: {
      dialect: { engine: "sqlite", key: "text" },
      lock: undefined,
      tableExists:
        "select count(*) as found from sqlite_schema where type = 'table' and name = 'tracon_migrations'",
    },
    // After whatever is under way.
    close: () => translated(() => mutex.run(close)),
  };
}

const kysely = (query: SqliteQuery, mutex: Mutex): Kysely<Schema> =>
  new Kysely<Schema>({
    dialect: sqliteDialect((sql, parameters) => translated(() => query(sql, parameters)), mutex),
  });

/** For a connection without transactions. */
const noMutex: Mutex = {
  acquire: async () => () => undefined,
  run: (work) => work(),
};

const packed = (batch: readonly JournalEntry[], statistics: StatisticsRows): PackedRows =>
  packRows((put) => {
    for (const entry of batch) putEntryRows(entry, put);
    statistics.put(batch, put);
  });

/** One process at a time writes a file, so nobody waits for a row. */
const ONLY_SHARD = 0;

/** Result codes that say something about the statement, not about the database. */
const STATEMENT_FAULTS: ReadonlySet<number> = new Set([
  1, // error in the SQL
  19, // constraint
  20, // mismatch
  21, // misuse
  25, // range
]);

async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw sqliteError(error);
  }
}

function sqliteError(error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined) return isClosed(error) ? closedError() : error;
  const { message } = error as Error;
  const refusal = refusalNamed(message, error);
  if (refusal !== undefined) return refusal;
  return STATEMENT_FAULTS.has(code)
    ? refused(`SQLite refused a statement: ${message}`, error)
    : unavailable(`SQLite: ${message}`, error);
}

const isClosed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
