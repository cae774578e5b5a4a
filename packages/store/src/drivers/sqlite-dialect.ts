/** Kysely's dialect over one SQLite connection, wherever it lives. */

import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver as KyselyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Mutex } from "../mutex.ts";
import type { SqliteResult, SqliteValue } from "./sqlite-connection.ts";

export type SqliteQuery = (
  sql: string,
  parameters: readonly SqliteValue[],
) => Promise<SqliteResult>;

/** `mutex` keeps others off the connection while a transaction is open on it. */
export const sqliteDialect = (query: SqliteQuery, mutex: Mutex): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => sqliteKyselyDriver(query, mutex),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

function sqliteKyselyDriver(query: SqliteQuery, mutex: Mutex): KyselyDriver {
  const releases = new WeakMap<DatabaseConnection, () => void>();
  const execute = (sql: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };

  return {
    init: async () => undefined,
    async acquireConnection() {
      const release = await mutex.acquire();
      const connection = sqliteConnection(query);
      releases.set(connection, release);
      return connection;
    },
    // A transaction that begins with a read and then writes fails at once when another process
    // wrote in between; one that takes the write lock first waits for it instead.
    beginTransaction: execute("begin immediate"),
    commitTransaction: execute("commit"),
    rollbackTransaction: execute("rollback"),
    releaseConnection: async (connection) => releases.get(connection)?.(),
    destroy: async () => undefined,
  };
}

const sqliteConnection = (query: SqliteQuery): DatabaseConnection => ({
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await query(sql, parameters as readonly SqliteValue[]);
    return { rows: rows as readonly unknown[] as Row[], numAffectedRows: BigInt(changes) };
  },
  streamQuery() {
    throw new Error("queries are not streamed on SQLite");
  },
});
