/**
 * Reads of runs. No query of this file costs more because there is more history behind it: lists
 * walk an index from their cursor, events are read by run and sequence.
 */

import {
  type RunFilter,
  type RunPage,
  type RunStore,
  type StoredEvent,
  type ToolUsage,
  treeTotalsOf,
} from "@tracon/core";
import { CompiledQuery, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Driver, Row } from "./drivers/driver.ts";
import { RECORD_COLUMNS, type RunRow, runRecord } from "./run-row.ts";
import type { BudgetsTable, Schema } from "./schema.ts";
import type { SqlValue } from "./sql-value.ts";
import { OTHER } from "./statistics-cells.ts";
import { hourOf } from "./statistics-rows.ts";
import { isoTime, originalText, storedText, storedTime } from "./stored-values.ts";
import { treeBudget } from "./tree-budget-row.ts";

/** The largest value of the column, and more events than any run has. */
const MAX_SEQUENCE = 2_147_483_647;

export function sqlRunStore(driver: Driver): RunStore {
  return {
    async get(tenantId, runId) {
      const [row] = await driver.read(GET_SQL, [storedText(tenantId), storedText(runId)]);
      return row && runRecord(row as unknown as RunRow);
    },

    async list(tenantId, filter, page) {
      if (page.take <= 0) return [];
      const rows = await runListQuery(driver.reads, tenantId, filter, page).execute();
      return rows.map(runRecord);
    },

    async tree(tenantId, rootRunId, take) {
      if (take <= 0) return [];
      const key = [storedText(tenantId), storedText(rootRunId)];
      const query = CompiledQuery.raw(TREE_SQL, [...key, take]);
      return (await driver.reads.executeQuery<RunRow>(query)).rows.map(runRecord);
    },

    async treeTotals(tenantId, rootRunId) {
      const key = [storedText(tenantId), storedText(rootRunId)];
      const query = CompiledQuery.raw(TREE_TOTALS_SQL, key);
      return treeTotalsOf((await driver.reads.executeQuery<Row>(query)).rows.map(memberOf));
    },

    async events(tenantId, runId, { after, take }) {
      if (take <= 0) return [];
      const last = Math.min(after + take, MAX_SEQUENCE);
      const key = [storedText(tenantId), storedText(runId)];
      const chunks = await driver.read(EVENTS_SQL, [...key, Math.min(after, last) + 1, last]);
      return eventsOf(chunks, after, last);
    },

    async toolUsage(tenantId, query) {
      if (query.maxTools <= 0) return [];
      const rows = await toolUsageQuery(driver.reports, tenantId, query).execute();
      return rows.map(toolUsage);
    },

    async input(tenantId, runId) {
      const [row] = await driver.read(INPUT_SQL, [storedText(tenantId), storedText(runId)]);
      if (row === undefined) return undefined;
      return {
        runId,
        createdAt: isoTime(row.started_at as number),
        messages: JSON.parse(row.messages as string),
        ...(row.parameters === null ? {} : { parameters: JSON.parse(row.parameters as string) }),
      };
    },

    async budget(tenantId, rootRunId) {
      const key = [storedText(tenantId), storedText(rootRunId)];
      const [row] = await driver.read(BUDGET_SQL, key);
      return row && treeBudget(row as unknown as BudgetsTable);
    },
  };
}

const BUDGET_SQL = `select * from tracon_budgets where tenant_id = $1 and root_run_id = $2`;

const CHILD_RUN_COUNT = `(select count(*) from tracon_runs child
  where child.tenant_id = run.tenant_id and child.parent_run_id = run.id)`;

/**
 * A cost that became known after the run's end. Only runs that measured usage can have one, and most
 * tenants have none at all, which is asked once and not for each run.
 */
const CORRECTED_COST = [
  `(case when run.total_cost is null and run.usage is not null
    and exists (select 1 from tracon_cost_corrections where tenant_id = `,
  `) then (select correction.cost from tracon_cost_corrections correction
    where correction.tenant_id = run.tenant_id and correction.run_id = run.id) end)`,
] as const;

const RECORD_SQL = `select ${RECORD_COLUMNS.join(", ")}, ${CHILD_RUN_COUNT} as child_run_count,
    ${CORRECTED_COST.join("$1")} as corrected_cost
  from tracon_runs run where run.tenant_id = $1`;

const GET_SQL = `${RECORD_SQL} and run.id = $2`;

/**
 * A root has no root: it is found by its id, and its members in the order of an index. Reads of trees are
 * planned each time: PostgreSQL keeps the plan of a prepared one that it made while there were few runs,
 * which looks through all of them.
 */
export const TREE_SQL = `select * from (
    ${GET_SQL}
    union all
    select * from (${RECORD_SQL} and run.root_run_id = $2 order by run.id limit $3) members
  ) tree order by case when id = $2 then 0 else 1 end, id limit $3`;

const TOTALS_SQL = `select usage, coalesce(${CORRECTED_COST.join("$1")}, run.cost) as cost
  from tracon_runs run where run.tenant_id = $1`;

export const TREE_TOTALS_SQL = `${TOTALS_SQL} and run.id = $2
  union all ${TOTALS_SQL} and run.root_run_id = $2`;

const memberOf = ({ usage, cost }: Row) => ({ usage: parsed(usage), cost: parsed(cost) });

const parsed = (json: SqlValue | undefined) =>
  typeof json === "string" ? JSON.parse(json) : undefined;

/** From the chunk that holds the first wanted event to the one that holds the last. */
const EVENTS_SQL = `select first_sequence, lines from tracon_run_events
  where tenant_id = $1 and run_id = $2 and first_sequence <= $4
    and first_sequence >= coalesce((select max(first_sequence) from tracon_run_events
      where tenant_id = $1 and run_id = $2 and first_sequence <= $3), 0)
  order by first_sequence`;

const INPUT_SQL = `select run.started_at, input.messages, input.parameters
  from tracon_run_inputs input join tracon_runs run
    on run.tenant_id = input.tenant_id and run.id = input.run_id
  where input.tenant_id = $1 and input.run_id = $2`;

type RunsQuery = SelectQueryBuilder<{ run: Schema["tracon_runs"] }, "run", RunRow>;

/** Also for a test, which looks at its plan. */
export function runListQuery(
  db: Kysely<Schema>,
  tenantId: string,
  filter: RunFilter,
  { skip, take, before }: RunPage,
): RunsQuery {
  const query = db
    .selectFrom("tracon_runs as run")
    .select(RECORD_COLUMNS)
    .select(sql<number>`${sql.raw(CHILD_RUN_COUNT)}`.as("child_run_count"))
    .select(correctedCost(tenantId).as("corrected_cost"))
    .where("run.tenant_id", "=", storedText(tenantId))
    .orderBy("run.id", "desc")
    .limit(take)
    .$if(skip > 0, (it) => it.offset(skip))
    .$if(before !== undefined, (it) => it.where("run.id", "<", storedText(before ?? "")));
  return filtered(query, filter);
}

function correctedCost(tenantId: string): RawBuilder<string | null> {
  const [before, after] = CORRECTED_COST;
  return sql<string | null>`${sql.raw(before)}${storedText(tenantId)}${sql.raw(after)}`;
}

function filtered(unfiltered: RunsQuery, filter: RunFilter): RunsQuery {
  let query = unfiltered;
  for (const [member, column] of EQUAL_MEMBERS) {
    const wanted = filter[member];
    if (wanted !== undefined) query = query.where(column, "=", storedText(wanted));
  }
  if (filter.status !== undefined && filter.status !== "Completed") {
    // Says what the filter implies, in the words of the index's condition: SQLite needs them.
    query = query.where(sql<boolean>`run.status <> 'Completed'`);
  }
  if (filter.startedAfter !== undefined) {
    query = query.where("run.started_at", ">=", storedTime(filter.startedAfter));
  }
  const rootsOnly =
    filter.includeChildren !== true &&
    filter.parentRunId === undefined &&
    filter.rootRunId === undefined;
  return rootsOnly ? query.where("run.parent_run_id", "is", null) : query;
}

const EQUAL_MEMBERS = [
  ["agentName", "run.agent_name"],
  ["status", "run.status"],
  ["kind", "run.kind"],
  ["sessionId", "run.session_id"],
  ["userId", "run.user_id"],
  ["errorType", "run.error_type"],
  ["parentRunId", "run.parent_run_id"],
  ["rootRunId", "run.root_run_id"],
] as const;

/** The events of chunks that follow each other, without those before and after the wanted ones. */
function eventsOf(chunks: readonly Row[], after: number, last: number): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const { first_sequence, lines } of chunks) {
    let sequence = first_sequence as number;
    for (const json of (lines as string).split("\n")) {
      if (sequence > after && sequence <= last) events.push({ sequence, json });
      sequence += 1;
    }
  }
  return events;
}

type ToolUsageQuery = { readonly startedAfter?: string; readonly maxTools: number };

/** The most called tools first. */
const toolUsageQuery = (
  db: Kysely<Schema>,
  tenantId: string,
  { startedAfter, maxTools }: ToolUsageQuery,
) =>
  db
    .selectFrom("tracon_tool_statistics")
    .select(({ fn }) => [
      "tool_name",
      fn.sum<number>("calls").as("total_calls"),
      fn.sum<number>("failed_calls").as("failed_calls"),
      fn.sum<number>("duration_ms").as("duration_ms"),
      fn.max("last_called_at").as("last_called_at"),
    ])
    .where("tenant_id", "=", storedText(tenantId))
    .$if(startedAfter !== undefined, (it) => it.where("hour", ">=", hourOf(startedAfter ?? "")))
    .groupBy("tool_name")
    .orderBy("total_calls", "desc")
    .orderBy("tool_name")
    .limit(maxTools);

type ToolUsageRow = Awaited<ReturnType<ReturnType<typeof toolUsageQuery>["execute"]>>[number];

function toolUsage(row: ToolUsageRow): ToolUsage {
  const { total_calls: totalCalls, failed_calls: failedCalls } = row;
  return {
    ...(row.tool_name === OTHER
      ? { toolName: "other", isOther: true }
      : { toolName: originalText(row.tool_name) }),
    totalCalls,
    failedCalls,
    averageDurationMs: row.duration_ms / totalCalls,
    lastCalledAt: isoTime(row.last_called_at),
    errorRate: failedCalls / totalCalls,
  };
}
