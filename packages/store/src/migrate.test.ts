import { TraconError } from "@tracon/core";
import { storeMatrix } from "@tracon/testing";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Driver } from "./drivers/driver.ts";
import { openDriver } from "./drivers/open-driver.ts";
import { migrate, migrationsOf } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";

const RACING_PROCESSES = 4;
/** The checksums that databases have of the migrations that were released. They never change. */
const RELEASED = {
  sqlite: [
    "c333ba24780646eaaccc3e7fbd1fd993451e17df12a227d02f94d7a850d873a3",
    "f788aae383ef51ca21725d128446a411f517f3bf1a67e117878b9e2e3ffb281d",
  ],
  postgres: [
    "9c2508cab92cdf18791ed2b52851f68d5d4bb837819b2049602c38e71c83e423",
    "f788aae383ef51ca21725d128446a411f517f3bf1a67e117878b9e2e3ffb281d",
  ],
};

const first = migration("0001-first", "create table first_table (id integer primary key)");
const second = migration("0002-second", "create table second_table (id integer primary key)");

describe.each(storeMatrix())("migrations on $engine", ({ newUrl, engine }) => {
  const drivers: Driver[] = [];
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  });
  async function opened(url: string): Promise<Driver> {
    const driver = await openDriver(url, undefined);
    drivers.push(driver);
    return driver;
  }

  it("applies what is pending, in order, and nothing twice", async () => {
    const driver = await opened(await newUrl());
    const before = await migrationsOf(driver, [first, second]);

    await migrate(driver, [first]);
    await migrate(driver, [first, second]);
    await migrate(driver, [first, second]);

    expect(before).toEqual({ applied: [], pending: [first.id, second.id] });
    const after = await migrationsOf(driver, [first, second]);
    expect(after).toEqual({ applied: [first.id, second.id], pending: [] });
    await expect(countOf(driver, "second_table")).resolves.toBe(0);
  });

  it("undoes a migration that fails and keeps the ones before it", async () => {
    const driver = await opened(await newUrl());
    const broken = migration("0002-broken", "create table half (id integer)", "no sql at all");

    await expect(migrate(driver, [first, broken])).rejects.toThrow();

    expect((await migrationsOf(driver, [first, second])).applied).toEqual([first.id]);
    await expect(countOf(driver, "half")).rejects.toThrow();
    await migrate(driver, [first, second]);
    await expect(countOf(driver, "second_table")).resolves.toBe(0);
  });

  it("refuses a database whose migration was edited, and names it", async () => {
    const driver = await opened(await newUrl());
    await migrate(driver, [first, second]);
    const edited = migration(second.id, "create table another_table (id integer primary key)");

    const refusals = [migrate(driver, [first, edited]), migrationsOf(driver, [first, edited])];

    for (const error of await Promise.all(refusals.map(errorOf))) {
      expect(TraconError.is(error, "schema_outdated")).toBe(true);
      expect(error).toHaveProperty("message", expect.stringContaining("'0002-second'"));
    }
  });

  it("takes a migration for the same when only its white space changed", async () => {
    const driver = await opened(await newUrl());
    await migrate(driver, [first]);
    const indented = migration(first.id, "create table\n    first_table (id integer\tprimary key)");

    const status = await migrationsOf(driver, [indented]);

    expect(status.applied).toEqual([first.id]);
  });

  it("has the released migrations as databases know them", async () => {
    const driver = await opened(await newUrl());
    const released = RELEASED[engine === "postgres" ? "postgres" : "sqlite"];

    await migrate(driver, migrations.slice(0, released.length));

    const rows = await driver.reads
      .selectFrom("tracon_migrations")
      .select("checksum")
      .orderBy("id")
      .execute();
    expect(rows.map(({ checksum }) => checksum)).toEqual(released);
  });

  it("refuses a database that is newer", async () => {
    const driver = await opened(await newUrl());
    await migrate(driver, [first, second]);

    const error = await errorOf(migrate(driver, [first]));

    expect(TraconError.is(error, "schema_outdated")).toBe(true);
    expect(error).toHaveProperty("message", expect.stringMatching(/newer.*'0002-second'/));
  });

  it.skipIf(engine === "memory")("lets several processes migrate at once", async () => {
    const url = await newUrl();
    const racing = await Promise.all(Array.from({ length: RACING_PROCESSES }, () => opened(url)));

    await Promise.all(racing.map((driver) => migrate(driver, [first, second])));

    for (const driver of racing) {
      expect((await migrationsOf(driver, [first, second])).pending).toEqual([]);
    }
  });
});

function migration(id: string, ...statements: readonly string[]): Migration {
  return { id, statements: () => statements };
}

async function countOf(driver: Driver, table: string): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;
  const { rows } = await query.execute(driver.reads);
  return rows[0]?.count ?? Number.NaN;
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
