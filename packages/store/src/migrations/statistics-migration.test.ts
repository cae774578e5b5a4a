/** That runs recorded before there were statistics are counted, and their tool calls too. */

import { storeMatrix } from "@tracon/testing";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDriver } from "../drivers/open-driver.ts";
import { migrate } from "../migrate.ts";
import { sqlRunStore } from "../runs.ts";
import { sqlStatisticsStore } from "../statistics.ts";
import { migrations } from "./index.ts";

const TENANT = "tenant";
/** Migrations of the version that had no statistics. */
const RELEASED = 2;
/** Half of an emoji, U+0000 and the mark of escapes, and what only looks like one of them. */
const MESSAGE = "late \ud83d \u0000\u0010 \\ud83d \\\u0000";
const NINE = Date.UTC(2026, 0, 1, 9);

describe.each(storeMatrix())("the statistics migration on $engine", ({ newUrl, engine }) => {
  it("counts the runs and tool calls that are there", async () => {
    const driver = await openDriver(await newUrl(), undefined);
    onTestFinished(() => driver.close());
    await migrate(driver, migrations.slice(0, RELEASED));
    const usage = JSON.stringify({ inputTokens: 10, outputTokens: 2, totalTokens: 12 });
    const cost = JSON.stringify({ source: "Catalog", totalCost: 0.5, currency: "EUR" });
    const error = JSON.stringify({
      type: "timeout",
      class: "Timeout",
      fingerprint: "f",
      message: MESSAGE,
    });
    await sql`insert into tracon_runs (tenant_id, id, depth, kind, agent_name, agent_version, status,
        started_at, completed_at, event_count, is_streaming, user_id, model_provider, model_id,
        total_tokens, total_cost, error_type, usage, cost, error)
      values
        (${TENANT}, 'a', 0, 'Agent', 'support', 2, 'Completed', ${NINE}, ${NINE + 2_000}, 1, 0, 'u',
          'p', 'm', 12, 0.5, null, ${usage}, ${cost}, null),
        (${TENANT}, 'b', 0, 'Agent', 'support', 2, 'Completed', ${NINE + 1}, ${NINE + 4_001}, 1, 0, 'u',
          'p', 'm', 12, null, null, ${usage}, '{"source":"Unknown"}', null),
        (${TENANT}, 'c', 0, 'Agent', 'other', null, 'Failed', ${NINE}, ${NINE + 500}, 1, 0, null,
          null, null, null, null, 'timeout', null, '{"source":"Unknown"}', ${error}),
        (${TENANT}, 'd', 0, 'Agent', 'other', null, 'Running', ${NINE}, null, 0, 0, null,
          null, null, null, null, null, null, null, null)`.execute(driver.writes);
    await sql`insert into tracon_tool_invocations (tenant_id, run_id, iteration, step, position,
        tool_call_id, tool_name, created_at, duration_ms, succeeded)
      values (${TENANT}, 'a', 1, 0, 0, 'c', 'look', ${NINE}, 4, 1),
        (${TENANT}, 'a', 1, 0, 1, 'd', 'look', ${NINE + 1}, 2, 0)`.execute(driver.writes);

    await migrate(driver);

    const counted = await sqlStatisticsStore(driver).statistics(TENANT, {}, { maxRows: 9 });
    expect(counted).toMatchObject({
      totalRuns: 4,
      completedRuns: 2,
      failedRuns: 1,
      runningRuns: 1,
      totalTokens: 24,
      inputTokens: 20,
      totalCost: 0.5,
      currency: "EUR",
      runsWithUnknownPricing: 1,
      byVersion: [{ agentName: "support", version: 2, totalRuns: 2 }],
      byModel: [{ modelId: "m", modelProvider: "p", totalRuns: 2, totalCost: 0.5 }],
      byUser: [{ userId: "u", totalRuns: 2 }],
      byErrorClass: [
        {
          class: "Timeout",
          topClusters: [
            {
              fingerprint: "f",
              sampleMessage: engine === "postgres" ? MESSAGE : expect.stringContaining("late"),
              sampleRunId: "c",
            },
          ],
        },
      ],
    });
    const from = new Date(NINE).toISOString();
    const to = new Date(NINE + 1).toISOString();
    const query = { from, to, bucket: "Hour", kind: "Agent" } as const;
    const [point] = await sqlStatisticsStore(driver).timeSeries(TENANT, query);
    expect(point).toMatchObject({ runs: 3, averageDurationMs: 6_500 / 3 });
    expect(await sqlRunStore(driver).toolUsage(TENANT, { maxTools: 9 })).toEqual([
      {
        toolName: "look",
        totalCalls: 2,
        failedCalls: 1,
        averageDurationMs: 3,
        lastCalledAt: new Date(NINE + 1).toISOString(),
        errorRate: 0.5,
      },
    ]);
    const unpriced = await sqlStatisticsStore(driver).unpricedRuns(TENANT, { take: 9 });
    expect(unpriced.map(({ id }) => id)).toEqual(["b"]);
  });
});
