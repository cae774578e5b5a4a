/**
 * Reads of the hourly sums. Their cost is the number of hours asked for times the cells of an hour,
 * which are bounded; how many runs were counted does not matter. They run where reports run, away
 * from what serves requests.
 */

import type { RunStatistics, StatisticsFilter, StatisticsStore } from "@tracon/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { correctCosts, unpricedRuns } from "./cost-corrections.ts";
import type { Driver } from "./drivers/driver.ts";
import { labelsOf, labelText } from "./label-text.ts";
import type { Schema } from "./schema.ts";
import { NO_VERSION, NONE, OTHER } from "./statistics-cells.ts";
import { criterionStatistics } from "./statistics-criteria.ts";
import { errorStatistics } from "./statistics-errors.ts";
import { HOUR_MS, hourOf } from "./statistics-rows.ts";
import { costOfSums, roundedCost, SUMS, type Sums, tokensOf } from "./statistics-sums.ts";
import { timeSeries } from "./statistics-time-series.ts";
import { originalText, storedText } from "./stored-values.ts";

export const sqlStatisticsStore = (driver: Driver): StatisticsStore => ({
  statistics: (tenantId, filter, { maxRows }) =>
    statistics(driver.reports, tenantId, filter, maxRows),
  timeSeries: (tenantId, query) => timeSeries(driver.reports, tenantId, query),
  async errors(tenantId, { startedAfter, agentName }) {
    const filter = { startedAfter, ...(agentName === undefined ? {} : { agentName }) };
    return errorStatistics(driver.reports, conditionsOf(tenantId, filter));
  },
  async criteria(tenantId, filter, { maxRows }) {
    if (maxRows <= 0) return [];
    return criterionStatistics(driver.reports, cellsOf(tenantId, filter), maxRows);
  },
  unpricedRuns: (tenantId, page) => unpricedRuns(driver, tenantId, page),
  correctCosts: (tenantId, corrections) => correctCosts(driver, tenantId, corrections),
});

async function statistics(
  db: Kysely<Schema>,
  tenantId: string,
  filter: StatisticsFilter,
  maxRows: number,
): Promise<RunStatistics> {
  const where = conditionsOf(tenantId, filter);
  const grouped = async <Row>(
    columns: readonly string[],
    condition = sql`1 = 1`,
    limit = maxRows,
  ) => (await groupedSums<Row>(db, columns, sql`${where} and ${condition}`, limit)).rows;

  const [byOutcome, runningRuns, byAgent, byModel, byVersion, byUser, byLabels, byErrorClass] =
    await Promise.all([
      grouped<OutcomeRow>(["status", "currency"], sql`1 = 1`, MAX_OUTCOMES),
      countRunning(db, tenantId, filter),
      grouped<AgentRow>(["agent_name"]),
      grouped<ModelRow>(["model_provider", "model_id"], sql`model_id <> ${NONE}`),
      grouped<VersionRow>(["agent_name", "agent_version"], sql`agent_version <> ${NO_VERSION}`),
      grouped<UserRow>(["user_id"], sql`user_id <> ${NONE}`),
      grouped<LabelsRow>(["labels"], sql`labels not in (${NONE}, ${OTHER})`, MAX_LABEL_SETS),
      errorStatistics(db, where),
    ]);

  return {
    ...totalsOf(byOutcome, runningRuns),
    byAgent: byAgent.map((row) => ({
      ...named("agentName", row.agent_name),
      totalRuns: row.runs,
      failedRuns: row.failed_runs,
      ...totalTokensOf(row),
    })),
    byModel: byModel.map((row) => ({
      ...named("modelId", row.model_id),
      ...(row.model_id === OTHER ? {} : { modelProvider: originalText(row.model_provider) }),
      totalRuns: row.runs,
      ...modelTokensOf(row),
      ...costOfSums(row),
    })),
    byVersion: byVersion.map((row) => ({
      ...named("agentName", row.agent_name),
      version: row.agent_version,
      totalRuns: row.runs,
      failedRuns: row.failed_runs,
      ...totalTokensOf(row),
    })),
    byUser: byUser.map((row) => ({ ...named("userId", row.user_id), ...peopleSums(row) })),
    byLabel: byLabelOf(byLabels, maxRows),
    byErrorClass: [...byErrorClass],
  };
}

type OutcomeRow = Sums & { readonly status: string; readonly currency: string };
type AgentRow = Sums & { readonly agent_name: string };
type ModelRow = Sums & { readonly model_provider: string; readonly model_id: string };
type VersionRow = AgentRow & { readonly agent_version: number };
type UserRow = Sums & { readonly user_id: string };
type LabelsRow = Sums & { readonly labels: string };

/** Statuses times currencies. */
const MAX_OUTCOMES = 1_000;
/** Distinct sets of labels that are unfolded; the ones with the most runs. */
const MAX_LABEL_SETS = 10_000;

/** Which cells are summed up; every read has one tenant. */
function conditionsOf(tenantId: string, filter: StatisticsFilter): RawBuilder<unknown> {
  const { userId, label } = filter;
  const conditions = [cellsOf(tenantId, filter), sql`kind = 'Agent'`];
  if (userId !== undefined) conditions.push(sql`user_id = ${storedText(userId)}`);
  if (label !== undefined) {
    // The one way to look for a text that both engines have.
    conditions.push(sql`replace(labels, ${labelText(label.key, label.value)}, '') <> labels`);
  }
  return sql.join(conditions, sql` and `);
}

/** The conditions that all cells can have. */
function cellsOf(
  tenantId: string,
  { agentName, startedAfter }: StatisticsFilter,
): RawBuilder<unknown> {
  const conditions = [sql`tenant_id = ${storedText(tenantId)}`];
  if (startedAfter !== undefined) conditions.push(sql`hour >= ${hourOf(startedAfter)}`);
  if (agentName !== undefined) conditions.push(sql`agent_name = ${storedText(agentName)}`);
  return sql.join(conditions, sql` and `);
}

const groupedSums = <Row>(
  db: Kysely<Schema>,
  columns: readonly string[],
  where: RawBuilder<unknown>,
  limit: number,
) => {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  return sql<Row>`select ${names}, ${SUMS} from tracon_run_statistics where ${where}
    group by ${names} order by runs desc, ${names} limit ${limit}`.execute(db);
};

/** Runs that go on are few, and stand in an index of their own. */
async function countRunning(
  db: Kysely<Schema>,
  tenantId: string,
  { agentName, userId, label, startedAfter }: StatisticsFilter,
): Promise<number> {
  const rows = await db
    .selectFrom("tracon_runs as run")
    .select("run.labels")
    .where("run.tenant_id", "=", storedText(tenantId))
    // In the words of the index's condition, which SQLite needs.
    .where(sql<boolean>`run.status <> 'Completed' and run.status in ('Queued', 'Running')`)
    .where("run.kind", "=", "Agent")
    .$if(agentName !== undefined, (it) => it.where("agent_name", "=", storedText(agentName ?? "")))
    .$if(userId !== undefined, (it) => it.where("user_id", "=", storedText(userId ?? "")))
    .$if(startedAfter !== undefined, (it) =>
      it.where("started_at", ">=", hourOf(startedAfter ?? "") * HOUR_MS),
    )
    .execute();
  return label === undefined
    ? rows.length
    : rows.filter((row) => hasLabel(row.labels, label)).length;
}

function hasLabel(
  labels: string | null,
  { key, value }: NonNullable<StatisticsFilter["label"]>,
): boolean {
  const held = labels === null ? undefined : (JSON.parse(labels) as Record<string, string>)[key];
  return held !== undefined && (value === undefined || held === value);
}

function totalsOf(rows: readonly OutcomeRow[], runningRuns: number) {
  const runsOf = (...statuses: readonly string[]) =>
    sumOf(rows.filter(({ status }) => statuses.includes(status)).map(({ runs }) => runs));
  const completedRuns = runsOf("Completed");
  const failedRuns = runsOf("Failed");
  const canceledRuns = runsOf("Canceled");
  const settled = completedRuns + failedRuns + canceledRuns;
  const costs = costsOf(rows);
  const [only] = costs;
  return {
    totalRuns: sumOf(rows.map(({ runs }) => runs)) + runningRuns,
    completedRuns,
    failedRuns,
    canceledRuns,
    runningRuns,
    awaitingInputRuns: runsOf("AwaitingInput", "AwaitingApproval"),
    ...tokensOf(...rows),
    ...(costs.length === 1 ? only : {}),
    costs,
    runsWithUnknownPricing: sumOf(rows.map((row) => row.unpriced_runs)),
    ...(settled === 0 ? {} : { errorRate: failedRuns / settled }),
  };
}

function costsOf(rows: readonly OutcomeRow[]) {
  const costs = new Map<string, number>();
  for (const { currency, total_cost: cost } of rows) {
    if (cost !== null) costs.set(currency, (costs.get(currency) ?? 0) + cost);
  }
  return [...costs]
    .map(([currency, cost]) => ({ currency: originalText(currency), totalCost: roundedCost(cost) }))
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));
}

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

function modelTokensOf(row: Sums) {
  const { inputTokens, outputTokens, totalTokens } = tokensOf(row);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}

function totalTokensOf(...rows: readonly Sums[]): { readonly totalTokens?: number } {
  const { totalTokens } = tokensOf(...rows);
  return totalTokens === undefined ? {} : { totalTokens };
}

const peopleSums = (row: Sums) => ({
  totalRuns: row.runs,
  failedRuns: row.failed_runs,
  ...totalTokensOf(row),
  ...costOfSums(row),
});

/** A name, or that the row stands for all that were too many. */
const named = <Member extends string>(member: Member, stored: string) =>
  (stored === OTHER
    ? { [member]: "other", isOther: true }
    : { [member]: originalText(stored) }) as { readonly [Key in Member]: string } & {
    readonly isOther?: true;
  };

/** Each set of labels counts for each of its labels. */
function byLabelOf(rows: readonly LabelsRow[], maxRows: number): RunStatistics["byLabel"] {
  const sums = new Map<string, { key: string; value: string; rows: Sums[] }>();
  for (const row of rows) {
    for (const [key, value] of labelsOf(row.labels)) {
      const text = labelText(key, value);
      const sum = sums.get(text) ?? { key, value, rows: [] };
      sum.rows.push(row);
      sums.set(text, sum);
    }
  }
  return [...sums.values()]
    .map(({ key, value, rows: labeled }) => ({
      key,
      value,
      totalRuns: sumOf(labeled.map(({ runs }) => runs)),
      failedRuns: sumOf(labeled.map((row) => row.failed_runs)),
      ...totalTokensOf(...labeled),
      ...costOfSums(...labeled),
    }))
    .sort((left, right) => right.totalRuns - left.totalRuns)
    .slice(0, maxRows);
}
