/** Failed runs by error class, with the most frequent failures of each. */

import type { RunErrorClass, RunErrorStatistics } from "@tracon/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";
import { OTHER } from "./statistics-cells.ts";
import { isoTime, originalText } from "./stored-values.ts";

/** Clusters shown of each class. */
const TOP_CLUSTERS = 3;

type ClusterRow = {
  readonly error_class: string;
  readonly class_runs: number;
  readonly fingerprint: string;
  readonly runs: number;
  readonly sample_message: string | null;
  readonly sample_run_id: string | null;
  readonly last_seen_at: number | null;
};

/** `where` says which cells are looked at. */
export async function errorStatistics(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
): Promise<readonly RunErrorStatistics[]> {
  // The newest cell of a cluster has its sample.
  const { rows } = await sql<ClusterRow>`
    select error_class, fingerprint, runs, sample_message, sample_run_id, last_seen_at,
      sum(runs) over (partition by error_class) as class_runs
    from (
      select error_class, fingerprint, sample_message, sample_run_id, last_seen_at,
        cast(sum(runs) over (partition by error_class, fingerprint) as double precision) as runs,
        row_number() over (partition by error_class, fingerprint
          order by coalesce(last_seen_at, 0) desc, sample_run_id desc) as place
      from tracon_run_statistics where ${where} and status = 'Failed' and runs > 0
    ) cells
    where place = 1 order by class_runs desc, error_class, runs desc, fingerprint`.execute(db);
  return classesOf(rows);
}

function classesOf(rows: readonly ClusterRow[]): readonly RunErrorStatistics[] {
  const classes = new Map<string, RunErrorStatistics>();
  for (const row of rows) {
    const known = classes.get(row.error_class) ?? {
      class: (row.error_class === "" ? "Unknown" : row.error_class) as RunErrorClass,
      totalRuns: row.class_runs,
      topClusters: [],
    };
    classes.set(row.error_class, known);
    if (known.topClusters.length < TOP_CLUSTERS) known.topClusters.push(clusterOf(row));
  }
  return [...classes.values()];
}

const clusterOf = (row: ClusterRow): RunErrorStatistics["topClusters"][number] => ({
  fingerprint: row.fingerprint === OTHER ? "other" : originalText(row.fingerprint),
  count: row.runs,
  sampleMessage: originalText(row.sample_message ?? ""),
  sampleRunId: originalText(row.sample_run_id ?? ""),
  lastSeenAt: isoTime(row.last_seen_at ?? 0),
});
