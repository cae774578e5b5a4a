/** What statistics are, said the slow way: by looking at every run. */

import type {
  RunRecord,
  RunStatistics,
  RunTally,
  StatisticsFilter,
  TimeSeriesPoint,
  TimeSeriesQuery,
} from "@tracon/core";

const HOUR_MS = 3_600_000;

export const hourStart = (iso: string): string =>
  new Date(Math.floor(Date.parse(iso) / HOUR_MS) * HOUR_MS).toISOString();

type Row = Pick<RunStatistics, "totalRuns" | "failedRuns"> & Partial<RunStatistics>;

/** The statistics of ended runs, without those of failures. Breakdowns are in the order of their rows' names. */
export function foldStatistics(all: readonly RunTally[], filter: StatisticsFilter) {
  const tallies = all.filter(({ record }) => record.kind === "Agent" && matches(record, filter));
  const records = tallies.map(({ record }) => record);
  const ofStatus = (...statuses: readonly string[]) =>
    records.filter(({ status }) => statuses.includes(status)).length;
  const settled = ofStatus("Completed", "Failed", "Canceled");
  return {
    totalRuns: records.length,
    completedRuns: ofStatus("Completed"),
    failedRuns: ofStatus("Failed"),
    canceledRuns: ofStatus("Canceled"),
    awaitingInputRuns: ofStatus("AwaitingInput", "AwaitingApproval"),
    ...(records.length === 0 ? NO_TOKENS : {}),
    ...tokensOf(records, TOKENS),
    runsWithUnknownPricing: tallies.filter(({ isUnpriced }) => isUnpriced).length,
    ...(settled === 0 ? {} : { errorRate: ofStatus("Failed") / settled }),
    ...costOf(records),
    byAgent: rowsBy(records, ({ agentName }) => ({ agentName }), agentSums),
    byVersion: rowsBy(
      records.filter(({ agentVersion }) => agentVersion !== undefined),
      ({ agentName, agentVersion: version }) => ({ agentName, version }),
      agentSums,
    ),
    byModel: rowsBy(
      records.filter(({ modelId }) => modelId !== undefined),
      ({ modelId, modelProvider }) => ({ modelId, modelProvider }),
      (runs) => ({ totalRuns: runs.length, ...tokensOf(runs, MODEL_TOKENS), ...costOf(runs) }),
    ),
    byUser: rowsBy(
      records.filter(({ userId }) => userId !== undefined),
      ({ userId }) => ({ userId }),
      peopleSums,
    ),
    byLabel: rowsBy(
      records.flatMap((record) =>
        Object.entries(record.labels ?? {}).map(([key, value]) => ({
          ...record,
          label: { key, value },
        })),
      ),
      ({ label }) => label,
      peopleSums,
    ),
  };
}

/** The points of a time series. */
export function foldTimeSeries(
  all: readonly RunTally[],
  { from, to, bucket, agentName, modelId, kind }: TimeSeriesQuery,
): readonly TimeSeriesPoint[] {
  const bucketMs = bucket === "Hour" ? HOUR_MS : 24 * HOUR_MS;
  const points: TimeSeriesPoint[] = [];
  for (
    let startMs = Math.floor(Date.parse(from) / bucketMs) * bucketMs;
    startMs < Date.parse(to);
    startMs += bucketMs
  ) {
    const records = all
      .map(({ record }) => record)
      .filter((it) => it.kind === kind && (agentName ?? it.agentName) === it.agentName)
      .filter((it) => modelId === undefined || it.modelId === modelId)
      .filter(
        ({ startedAt }) => Math.floor(Date.parse(startedAt) / bucketMs) * bucketMs === startMs,
      );
    points.push(pointOf(startMs, records));
  }
  return points;
}

function pointOf(startMs: number, records: readonly RunRecord[]): TimeSeriesPoint {
  const { totalCost, currency } = costOf(records);
  const durations = records.flatMap(({ startedAt, completedAt }) =>
    completedAt === undefined ? [] : [Date.parse(completedAt) - Date.parse(startedAt)],
  );
  return {
    bucket: new Date(startMs).toISOString(),
    runs: records.length,
    failedRuns: failed(records),
    ...(records.length === 0 ? { inputTokens: 0, outputTokens: 0 } : {}),
    ...tokensOf(records, ["inputTokens", "outputTokens"]),
    ...(totalCost === undefined ? {} : { cost: totalCost, currency }),
    ...(durations.length === 0 ? {} : { averageDurationMs: total(durations) / durations.length }),
  };
}

const TOKENS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedInputTokens",
  "reasoningTokens",
  "audioInputTokens",
  "audioOutputTokens",
] as const;
const MODEL_TOKENS = ["inputTokens", "outputTokens", "totalTokens"] as const;
const NO_TOKENS = Object.fromEntries(TOKENS.map((name) => [name, 0]));

function matches(record: RunRecord, { agentName, userId, label, startedAfter }: StatisticsFilter) {
  if (agentName !== undefined && record.agentName !== agentName) return false;
  if (userId !== undefined && record.userId !== userId) return false;
  if (startedAfter !== undefined && record.startedAt < hourStart(startedAfter)) return false;
  if (label === undefined) return true;
  const value = record.labels?.[label.key];
  return value !== undefined && (label.value === undefined || value === label.value);
}

function rowsBy<Item extends RunRecord>(
  items: readonly Item[],
  nameOf: (item: Item) => object,
  sumsOf: (items: readonly Item[]) => object,
): readonly object[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(nameOf(item)));
  return [...groups.keys()]
    .sort()
    .map((name) => ({ ...JSON.parse(name), ...sumsOf(groups.get(name) ?? []) }));
}

const failed = (records: readonly RunRecord[]): number =>
  records.filter(({ status }) => status === "Failed").length;

const agentSums = (records: readonly RunRecord[]): Row => ({
  totalRuns: records.length,
  failedRuns: failed(records),
  ...tokensOf(records, ["totalTokens"]),
});

const peopleSums = (records: readonly RunRecord[]) => ({
  ...agentSums(records),
  ...costOf(records),
});

function tokensOf(records: readonly RunRecord[], names: readonly (typeof TOKENS)[number][]) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const measured = records.flatMap(({ usage }) => usage?.[name] ?? []);
      return measured.length === 0 ? [] : [[name, total(measured)]];
    }),
  );
}

function costOf(records: readonly RunRecord[]): { totalCost?: number; currency?: string } {
  const priced = records.filter(({ cost }) => cost?.totalCost !== undefined);
  const currency = priced[0]?.cost?.currency;
  if (currency === undefined || priced.some(({ cost }) => cost?.currency !== currency)) return {};
  const sum = total(priced.map(({ cost }) => cost?.totalCost ?? 0));
  return { totalCost: Number(sum.toFixed(9)), currency };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
