/**
 * What is on disk, read without a line of the product: plain SQL through the database's own client,
 * all of it at one moment.
 */

import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

export type StoredRun = {
  readonly id: string;
  readonly agentName: string;
  readonly status: string;
  /** Absent for a root. */
  readonly parentRunId: string | undefined;
  readonly eventCount: number;
  readonly chunks: readonly StoredChunk[];
};
export type StoredChunk = {
  readonly first: number;
  readonly last: number;
  readonly lines: string;
};

export type Snapshot = {
  /** Runs with an id above the given one, oldest first. */
  readonly runs: readonly StoredRun[];
  /** Version numbers of the agent `saved`, in order. */
  readonly versions: readonly number[];
  /** How many runs have ended, and how many the statistics have counted. */
  readonly endedRuns: number;
  readonly countedRuns: number;
};

export type StoreReader = {
  after(runId: string): Promise<Snapshot>;
  close(): Promise<void>;
};

type Query = (sql: string, parameters: readonly string[]) => Promise<readonly Row[]>;
type Row = Readonly<Record<string, string | number | null>>;

const RUNS = `select id, agent_name, status, parent_run_id, event_count from tracon_runs
  where id > $1 order by id`;
const CHUNKS = `select run_id, first_sequence, last_sequence, lines from tracon_run_events
  where run_id > $1 order by run_id, first_sequence`;
const COUNTS = `select
  (select count(*) from tracon_runs where status not in ('Queued', 'Running')) as ended,
  (select coalesce(sum(runs), 0) from tracon_run_statistics) as counted`;
const VERSIONS = "select version from tracon_agent_versions where name = $1 order by version";

/** Opens the file anew for every look, as a process that starts after the crash would. */
export function sqliteReader(path: string): StoreReader {
  return {
    async after(runId) {
      const database = new DatabaseSync(path);
      database.exec("begin");
      const snapshot = await readAll(
        async (sql, parameters) =>
          database.prepare(sql.replaceAll("$", "?")).all(...parameters) as unknown as Row[],
        runId,
      );
      const [integrity] = database.prepare("pragma integrity_check").all();
      database.close();
      if (integrity?.integrity_check !== "ok") throw new Error(JSON.stringify(integrity));
      return snapshot;
    },
    close: () => Promise.resolve(),
  };
}

export async function postgresReader(url: string): Promise<StoreReader> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    async after(runId) {
      // The server may still finish the last commit of a process that is dead already.
      await client.query("begin isolation level repeatable read read only");
      const snapshot = await readAll(
        async (sql, parameters) => (await client.query(sql, [...parameters])).rows as Row[],
        runId,
      );
      await client.query("commit");
      return snapshot;
    },
    close: () => client.end(),
  };
}

async function readAll(query: Query, runId: string): Promise<Snapshot> {
  const runs = await query(RUNS, [runId]);
  const chunks = await query(CHUNKS, [runId]);
  const [counts] = await query(COUNTS, []);
  const versions = await query(VERSIONS, ["saved"]);
  return {
    runs: runs.map((run) => ({
      id: String(run.id),
      agentName: String(run.agent_name),
      status: String(run.status),
      parentRunId: run.parent_run_id === null ? undefined : String(run.parent_run_id),
      eventCount: Number(run.event_count),
      chunks: chunks.filter((it) => it.run_id === run.id).map(chunkOf),
    })),
    versions: versions.map(({ version }) => Number(version)),
    endedRuns: Number(counts?.ended),
    countedRuns: Number(counts?.counted),
  };
}

const chunkOf = (row: Row): StoredChunk => ({
  first: Number(row.first_sequence),
  last: Number(row.last_sequence),
  lines: String(row.lines),
});
