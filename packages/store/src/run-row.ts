import type { RunRecord } from "@tracon/core";
import type { RunsTable } from "./schema.ts";
import { isoTime, originalText } from "./stored-values.ts";

/** The columns a record is made of; the others are for statistics and filters. */
export const RECORD_COLUMNS = [
  "tenant_id",
  "id",
  "parent_run_id",
  "root_run_id",
  "depth",
  "kind",
  "agent_name",
  "agent_version",
  "status",
  "started_at",
  "completed_at",
  "event_count",
  "is_streaming",
  "user_id",
  "session_id",
  "culture",
  "model_provider",
  "model_id",
  "usage",
  "cost",
  "error",
  "labels",
  "replay_of_run_id",
  "continued_from_run_id",
  "lockfile_hash",
] as const satisfies readonly (keyof RunsTable)[];

/** A run's row with the number of its children, which is counted, and a cost known later. */
export type RunRow = Pick<RunsTable, (typeof RECORD_COLUMNS)[number]> & {
  readonly child_run_count: number;
  readonly corrected_cost: string | null;
};

/** Members that have no value are absent from the record. */
export function runRecord(row: RunRow): RunRecord {
  const record: { -readonly [Member in keyof RunRecord]: RunRecord[Member] } = {
    id: originalText(row.id),
    agentName: originalText(row.agent_name),
    kind: row.kind,
    status: row.status,
    startedAt: isoTime(row.started_at),
    tenantId: originalText(row.tenant_id),
    isStreaming: row.is_streaming === 1,
    eventCount: row.event_count,
    depth: row.depth,
    childRunCount: row.child_run_count,
  };
  if (row.agent_version !== null) record.agentVersion = row.agent_version;
  if (row.completed_at !== null) record.completedAt = isoTime(row.completed_at);
  if (row.usage !== null) record.usage = JSON.parse(row.usage);
  const cost = row.corrected_cost ?? row.cost;
  if (cost !== null) record.cost = JSON.parse(cost);
  if (row.error !== null) record.error = JSON.parse(row.error);
  if (row.labels !== null) record.labels = JSON.parse(row.labels);
  for (const [column, member] of TEXT_MEMBERS) {
    const text = row[column];
    if (text !== null) record[member] = originalText(text);
  }
  return record;
}

const TEXT_MEMBERS = [
  ["parent_run_id", "parentRunId"],
  ["root_run_id", "rootRunId"],
  ["user_id", "userId"],
  ["session_id", "sessionId"],
  ["culture", "culture"],
  ["model_provider", "modelProvider"],
  ["model_id", "modelId"],
  ["replay_of_run_id", "replayOfRunId"],
  ["continued_from_run_id", "continuedFromRunId"],
  ["lockfile_hash", "lockfileHash"],
] as const;
