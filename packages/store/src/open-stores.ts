import { existsSync } from "node:fs";
import { type Log, type Stores, TraconError } from "@tracon/core";
import { sqlApprovalStore } from "./approvals.ts";
import { sqlAttachmentStore } from "./attachments.ts";
import { sqlDefinitionStore } from "./definitions.ts";
import type { Driver } from "./drivers/driver.ts";
import { openDriver } from "./drivers/open-driver.ts";
import { type MigrationStatus, migrate, migrationsOf, nothingApplied } from "./migrate.ts";
import { sqlRunStore } from "./runs.ts";
import { sqlSessionStore } from "./sessions.ts";
import { sqlStatisticsStore } from "./statistics.ts";
import { parseStoreUrl } from "./store-url.ts";

/** How to open stores. */
export type OpenStoresOptions = {
  /** Where lost connections are reported; nowhere by default. */
  readonly log?: Log;
  /**
   * Whether to bring the schema to this version first; true by default. With false, a database that
   * misses a migration is refused with `schema_outdated`.
   */
  readonly migrate?: boolean;
};

/**
 * Opens the stores at `sqlite:<path>`, `postgres://…` or `memory:`. The folder of a SQLite file is
 * created. Throws `configuration_invalid` for another url, `store_unavailable` when the database
 * cannot be reached and `schema_outdated` when it is newer than this version.
 */
export async function openStores(url: string, options: OpenStoresOptions = {}): Promise<Stores> {
  const driver = await openDriver(url, options.log);
  try {
    // Without its migrations a database in memory would be of no use to anybody.
    if (options.migrate === false && driver.engine !== "memory") await assertCurrent(driver);
    else await migrate(driver);
  } catch (error) {
    await driver.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    definitions: sqlDefinitionStore(driver),
    runs: sqlRunStore(driver),
    attachments: sqlAttachmentStore(driver),
    sessions: sqlSessionStore(driver),
    approvals: sqlApprovalStore(driver),
    journal: { commit: (batch) => driver.commit(batch) },
    statistics: sqlStatisticsStore(driver),
    engine: driver.engine,
    close() {
      closing ??= driver.close();
      return closing;
    },
  };
}

/** Brings the database at `url` to the schema of this version. Safe while another process does so. */
export async function migrateStores(url: string): Promise<void> {
  const driver = await openDriver(url, undefined);
  try {
    await migrate(driver);
  } finally {
    await driver.close();
  }
}

/** What `migrateStores` has done and would do. Changes nothing; creates no file. */
export async function migrationStatus(url: string): Promise<MigrationStatus> {
  const location = parseStoreUrl(url);
  if (location.engine === "sqlite" && !existsSync(location.path)) return nothingApplied();
  const driver = await openDriver(url, undefined);
  try {
    return await migrationsOf(driver);
  } finally {
    await driver.close();
  }
}

async function assertCurrent(driver: Driver): Promise<void> {
  const { pending } = await migrationsOf(driver);
  if (pending.length === 0) return;
  throw new TraconError(
    "schema_outdated",
    `the database misses ${pending.join(", ")}; migrate it first`,
  );
}
