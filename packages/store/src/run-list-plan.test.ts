/** That no list reads more because there is more history, by the plans SQLite makes. */

import type { RunFilter } from "@tracon/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Driver } from "./drivers/driver.ts";
import { openSqliteMemory } from "./drivers/sqlite.ts";
import { migrate } from "./migrate.ts";
import { runListQuery } from "./runs.ts";
import type { SqlValue } from "./sql-value.ts";

let driver: Driver;
beforeAll(async () => {
  driver = openSqliteMemory();
  await migrate(driver);
});
afterAll(() => driver.close());

const plans: readonly (readonly [RunFilter, index: string, columns: string])[] = [
  [{}, "tracon_runs_family", "tenant_id=? AND parent_run_id=? AND id<?"],
  [{ includeChildren: true }, "sqlite_autoindex_tracon_runs_1", "tenant_id=? AND id<?"],
  [{ kind: "Eval" }, "tracon_runs_family", "tenant_id=? AND parent_run_id=? AND id<?"],
  [
    { startedAfter: "2026-01-01T00:00:00Z" },
    "tracon_runs_family",
    "tenant_id=? AND parent_run_id=? AND id<?",
  ],
  [{ agentName: "a" }, "tracon_runs_agent", "tenant_id=? AND agent_name=? AND id<?"],
  [
    { agentName: "a", includeChildren: true },
    "tracon_runs_agent",
    "tenant_id=? AND agent_name=? AND id<?",
  ],
  [{ status: "Running" }, "tracon_runs_status", "tenant_id=? AND status=? AND id<?"],
  [{ status: "Completed" }, "tracon_runs_family", "tenant_id=? AND parent_run_id=? AND id<?"],
  [{ errorType: "e" }, "tracon_runs_error", "tenant_id=? AND error_type=? AND id<?"],
  [{ sessionId: "s" }, "tracon_runs_session", "tenant_id=? AND session_id=? AND id<?"],
  [{ userId: "u" }, "tracon_runs_user", "tenant_id=? AND user_id=? AND id<?"],
  [{ parentRunId: "p" }, "tracon_runs_family", "tenant_id=? AND parent_run_id=? AND id<?"],
  [{ rootRunId: "r" }, "tracon_runs_root", "tenant_id=? AND root_run_id=? AND id<?"],
];

it.each(plans)("walks an index in order from its cursor for %j", async (filter, index, columns) => {
  const steps = await planOf(filter);

  expect(steps[0]).toContain(`USING INDEX ${index} (${columns})`);
  expect(steps.join("\n")).not.toMatch(/SCAN|TEMP B-TREE/);
  // For each run: its children are counted, and a cost that became known later is looked up.
  const lookUps = steps.filter((step) => step.startsWith("SEARCH")).slice(1);
  expect(lookUps).toEqual([
    expect.stringContaining("tracon_runs_family (tenant_id=? AND parent_run_id=?)"),
    expect.stringContaining("tracon_cost_corrections USING COVERING INDEX"),
    expect.stringContaining("correction USING INDEX"),
  ]);
});

async function planOf(filter: RunFilter): Promise<readonly string[]> {
  const page = { skip: 0, take: 50, before: "z" };
  const query = runListQuery(driver.reads, "tenant", filter, page).compile();
  const rows = await driver.read(
    `explain query plan ${query.sql}`,
    query.parameters as readonly SqlValue[],
  );
  return rows.map(({ detail }) => String(detail));
}
