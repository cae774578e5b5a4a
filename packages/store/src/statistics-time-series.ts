/** Runs by the hour or the day in which they started. */

import type { TimeBucket, TimeSeriesPoint, TimeSeriesQuery } from "@tracon/core";
import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";
import { HOUR_MS } from "./statistics-rows.ts";
import { costOfSums, SUMS, type Sums, tokensOf } from "./statistics-sums.ts";
import { isoTime, storedText, storedTime } from "./stored-values.ts";

const HOURS: Readonly<Record<TimeBucket, number>> = { Hour: 1, Day: 24 };

type BucketRow = Sums & { readonly bucket: number };

export async function timeSeries(
  db: Kysely<Schema>,
  tenantId: string,
  query: TimeSeriesQuery,
): Promise<readonly TimeSeriesPoint[]> {
  const hours = HOURS[query.bucket];
  const bucketMs = hours * HOUR_MS;
  const first = Math.floor(storedTime(query.from) / bucketMs);
  const end = Math.ceil(storedTime(query.to) / bucketMs);
  const { agentName, modelId } = query;
  const conditions = [
    sql`tenant_id = ${storedText(tenantId)}`,
    sql`hour >= ${first * hours}`,
    sql`hour < ${end * hours}`,
    sql`kind = ${query.kind}`,
  ];
  if (agentName !== undefined) conditions.push(sql`agent_name = ${storedText(agentName)}`);
  if (modelId !== undefined) conditions.push(sql`model_id = ${storedText(modelId)}`);

  // Whole numbers in the text: a parameter would be another expression where it is grouped by.
  const bucket = sql.raw(`hour / ${hours}`);
  const { rows } = await sql<BucketRow>`select ${bucket} as bucket, ${SUMS}
    from tracon_run_statistics where ${sql.join(conditions, sql` and `)}
    group by ${bucket}`.execute(db);
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return Array.from({ length: Math.max(end - first, 0) }, (_, index) =>
    pointOf((first + index) * bucketMs, byBucket.get(first + index)),
  );
}

function pointOf(startMs: number, row: BucketRow | undefined): TimeSeriesPoint {
  const rows = row === undefined ? [] : [row];
  const { inputTokens, outputTokens } = tokensOf(...rows);
  const { totalCost, currency } = costOfSums(...rows);
  return {
    bucket: isoTime(startMs),
    runs: row?.runs ?? 0,
    failedRuns: row?.failed_runs ?? 0,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(totalCost === undefined ? {} : { cost: totalCost, currency }),
    ...(row === undefined || row.timed_runs === 0
      ? {}
      : { averageDurationMs: row.duration_ms / row.timed_runs }),
  };
}
