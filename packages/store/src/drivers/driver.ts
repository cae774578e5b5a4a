/**
 * The seam between the stores and a database engine.
 *
 * Statements of the event path go through `read` and `commit` as prepared SQL; everything else is
 * Kysely's. Whatever an engine throws leaves a driver as a `TraconError`.
 */

import type { CommitOutcome, JournalEntry, Stores } from "@tracon/core";
import type { Kysely } from "kysely";
import type { MigrationDialect } from "../migrations/migration.ts";
import type { Schema } from "../schema.ts";
import type { SqlValue } from "../sql-value.ts";
import type { StatisticsRows } from "../statistics-rows.ts";

export type Row = Readonly<Record<string, SqlValue>>;

export type Driver = {
  readonly engine: Stores["engine"];
  /** Queries that change nothing. They see every commit that resolved before them. */
  readonly reads: Kysely<Schema>;
  /** Everything that changes something; its transactions exclude the journal's where they must. */
  readonly writes: Kysely<Schema>;
  /** Queries over much data, kept away from what serves requests. */
  readonly reports: Kysely<Schema>;
  /** A prepared query; parameters are `$1`, `$2`, … in the text of both engines. */
  read(sql: string, parameters: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Atomic and on disk when it resolves. */
  commit(batch: readonly JournalEntry[]): Promise<CommitOutcome>;
  /** How `commit` counts runs. */
  readonly statistics: StatisticsRows;
  /** What migrations need to know of the engine. */
  readonly migrations: {
    readonly dialect: MigrationDialect;
    /** Makes other processes that migrate wait until the transaction ends. */
    readonly lock: string | undefined;
    /** One row with a `found` of 1 when there is a table of migrations. */
    readonly tableExists: string;
  };
  close(): Promise<void>;
};
