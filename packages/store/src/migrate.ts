/**
 * Brings a database to the schema of this version, one migration a transaction.
 *
 * Two processes may start at once: each transaction first takes the engine's lock and then looks
 * what is still to be done.
 */

import { createHash } from "node:crypto";
import { TraconError } from "@tracon/core";
import { type Kysely, sql } from "kysely";
import type { Driver } from "./drivers/driver.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import type { MigrationsTable, Schema } from "./schema.ts";

/** Which migrations a database has, and which it misses, by id and in order. */
export type MigrationStatus = {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
};

export async function migrate(
  driver: Driver,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  while (await applyNext(driver, migrations)) {
    // Each round is a transaction of its own, so that another process may take the next one.
  }
}

/** Reads only. Throws `schema_outdated` when the database is not one this version can use. */
export async function migrationsOf(
  driver: Driver,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationStatus> {
  const [table] = await driver.read(driver.migrations.tableExists, []);
  const applied = table?.found === 1 ? await appliedRows(driver.reads) : [];
  assertKnown(applied, migrations, driver);
  return {
    applied: applied.map(({ id }) => id),
    pending: migrations.slice(applied.length).map(({ id }) => id),
  };
}

/** The status of a database that does not exist yet. */
export const nothingApplied = (): MigrationStatus => ({
  applied: [],
  pending: allMigrations.map(({ id }) => id),
});

/** True while there may be more to do. */
async function applyNext(driver: Driver, migrations: readonly Migration[]): Promise<boolean> {
  return driver.writes.transaction().execute(async (transaction) => {
    const { lock, dialect } = driver.migrations;
    if (lock !== undefined) await sql.raw(lock).execute(transaction);
    await sql
      .raw(
        `create table if not exists tracon_migrations (
          id ${dialect.key} primary key, checksum text not null, applied_at bigint not null
        )`,
      )
      .execute(transaction);
    const applied = await appliedRows(transaction);
    assertKnown(applied, migrations, driver);

    const next = migrations[applied.length];
    if (next === undefined) return false;
    for (const statement of statementsOf(next, driver)) {
      await sql.raw(statement).execute(transaction);
    }
    await transaction
      .insertInto("tracon_migrations")
      .values({ id: next.id, checksum: checksumOf(next, driver), applied_at: Date.now() })
      .execute();
    return true;
  });
}

const appliedRows = (db: Kysely<Schema>): Promise<MigrationsTable[]> =>
  db.selectFrom("tracon_migrations").selectAll().orderBy("id").execute();

function assertKnown(
  applied: readonly MigrationsTable[],
  migrations: readonly Migration[],
  driver: Driver,
): void {
  for (const [index, { id, checksum }] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      throw new TraconError(
        "schema_outdated",
        `the database is newer than this version of Tracon: it has migration '${id}'; upgrade Tracon`,
      );
    }
    if (known.id !== id || checksumOf(known, driver) !== checksum) {
      throw new TraconError(
        "schema_outdated",
        `migration '${id}' of the database is not the one of this version of Tracon (an applied migration was edited); use the version that applied it`,
      );
    }
  }
}

const statementsOf = (migration: Migration, driver: Driver): readonly string[] =>
  migration.statements(driver.migrations.dialect);

/** Over the meaning of the statements: a change of indentation is none. */
function checksumOf(migration: Migration, driver: Driver): string {
  const text = statementsOf(migration, driver).join(";\n").replaceAll(/\s+/g, " ");
  return createHash("sha256").update(text).digest("hex");
}
