/**
 * PostgreSQL, 15 or newer: a pool for queries and a connection of its own for the journal.
 *
 * A server that goes away costs the statements that were under way: connections are made anew, and
 * no `error` event of an idle one reaches the process.
 */

import { randomInt } from "node:crypto";
import type { Log } from "@tracon/core";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { type ClientConfig, Pool, TypeOverrides } from "pg";
import type { Schema } from "../schema.ts";
import { StatisticsRows } from "../statistics-rows.ts";
import type { Driver } from "./driver.ts";
import { translated } from "./postgres-error.ts";
import { postgresJournal } from "./postgres-journal.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** Any number that no other program uses for its advisory locks. */
const MIGRATION_LOCK = 7_229_410_155;
const INT8_OID = 20;
/** Rows that processes spread one sum over. Two that draw the same number wait for each other. */
const SHARDS = 32;

export async function openPostgres(url: string, log: Log | undefined): Promise<Driver> {
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: numbersForBigints(),
  };
  const pool = new Pool({ ...config, application_name: "tracon", max: MAX_CONNECTIONS });
  const lost = (error: Error) =>
    log?.warn("lost a connection to PostgreSQL", { error: error.message });
  pool.on("error", lost);
  // The pool listens to idle clients only.
  pool.on("connect", (client) => client.on("error", lost));

  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: translatedPool(pool) }),
  });
  const statistics = new StatisticsRows(randomInt(SHARDS));
  const journal = postgresJournal(config, log, statistics);
  const names = new Map<string, string>();

  return {
    engine: "postgres",
    reads: kysely,
    writes: kysely,
    reports: kysely,
    read: (sql, parameters) =>
      translated(async () => {
        const name = names.get(sql) ?? `tracon-${names.size}`;
        names.set(sql, name);
        return (await pool.query({ name, text: sql, values: [...parameters] })).rows;
      }),
    commit: journal.commit,
    statistics,
    migrations: {
      // Order and equality of code points, whatever the database's own collation is.
      dialect: { engine: "postgres", key: 'text collate "C"' },
      lock: `select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
      tableExists: "select count(to_regclass('tracon_migrations')) as found",
    },
    async close() {
      await journal.close();
      // Waits for the queries under way; later ones are told that the pool has ended.
      await pool.end();
    },
  };
}

/** Counts and sums are `bigint`, which `pg` gives as text for fear of more than 2^53. */
function numbersForBigints(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  return types;
}

function translatedPool(pool: Pool): PostgresPool {
  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect();
    // Kysely's type has a second form, for cursors, which nothing here uses.
    const query = (sql: string, parameters: unknown[]) =>
      translated(() => client.query(sql, parameters));
    return {
      query: query as unknown as PostgresPoolClient["query"],
      release: (destroy) => client.release(destroy),
    };
  }
  return { options: pool.options, connect: () => translated(connect), end: () => pool.end() };
}
