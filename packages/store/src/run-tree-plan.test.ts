/** That a read of a tree costs what the tree has, however much history there is beside it. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Driver } from "./drivers/driver.ts";
import { openSqliteMemory } from "./drivers/sqlite.ts";
import { migrate } from "./migrate.ts";
import { TREE_SQL, TREE_TOTALS_SQL } from "./runs.ts";
import type { SqlValue } from "./sql-value.ts";

let driver: Driver;
beforeAll(async () => {
  driver = openSqliteMemory();
  await migrate(driver);
});
afterAll(() => driver.close());

const reads: readonly (readonly [what: string, sql: string, parameters: readonly SqlValue[]])[] = [
  ["the runs", TREE_SQL, ["tenant", "root", 200]],
  ["the totals", TREE_TOTALS_SQL, ["tenant", "root"]],
];

it.each(reads)("finds %s of a tree by its root alone", async (_, sql, parameters) => {
  const rows = await driver.read(`explain query plan ${sql}`, parameters);
  const steps = rows.map(({ detail }) => String(detail));

  const runs = steps.filter((step) => step.startsWith("SEARCH run "));
  expect(runs).toEqual([
    expect.stringMatching(/INDEX sqlite_autoindex_tracon_runs_1 \(tenant_id=\? AND id=\?\)/),
    expect.stringMatching(/INDEX tracon_runs_root \(tenant_id=\? AND root_run_id=\?\)/),
  ]);
  expect(steps.filter((step) => /SCAN (run|tracon)/.test(step))).toEqual([]);
});
