/**
 * The tables of hourly sums, and how a row is added to one that is there: said once, for the sums
 * of a batch and for the statement of both engines.
 *
 * The SQLite worker imports this file, so it must not import any package.
 */

import type { Column, ColumnType, SqlValue } from "./sql-value.ts";

/** The kinds of rows that are added to the row of their key. */
export type SumKind = "statistics" | "toolStatistics" | "criterionStatistics";

/**
 * `key` says which row, `kept` what the key stands for. `sum` adds. `measured` adds where anything
 * was measured and is `null` where nothing was. `latest` follows the row's time of that name.
 */
type Merge = "key" | "kept" | "sum" | "measured" | "latest";

type SumColumn = readonly [name: string, type: ColumnType, merge: Merge];

export const sumTables: Readonly<Record<SumKind, string>> = {
  statistics: "tracon_run_statistics",
  toolStatistics: "tracon_tool_statistics",
  criterionStatistics: "tracon_criterion_statistics",
};

/** The column that says which of two rows is the later one, for the kinds that have one. */
const LATEST: Readonly<Partial<Record<SumKind, string>>> = {
  statistics: "last_seen_at",
  toolStatistics: "last_called_at",
};

const sumColumns: Readonly<Record<SumKind, readonly SumColumn[]>> = {
  statistics: [
    ["tenant_id", "text", "key"],
    ["hour", "integer", "key"],
    ["cell", "text", "key"],
    ["shard", "integer", "key"],
    ["kind", "text", "kept"],
    ["status", "text", "kept"],
    ["error_class", "text", "kept"],
    ["currency", "text", "kept"],
    ["agent_name", "text", "kept"],
    ["agent_version", "integer", "kept"],
    ["model_provider", "text", "kept"],
    ["model_id", "text", "kept"],
    ["user_id", "text", "kept"],
    ["labels", "text", "kept"],
    ["fingerprint", "text", "kept"],
    ["runs", "integer", "sum"],
    ["unpriced_runs", "integer", "sum"],
    ["timed_runs", "integer", "sum"],
    ["duration_ms", "bigint", "sum"],
    ["input_tokens", "bigint", "measured"],
    ["output_tokens", "bigint", "measured"],
    ["total_tokens", "bigint", "measured"],
    ["cached_input_tokens", "bigint", "measured"],
    ["audio_input_tokens", "bigint", "measured"],
    ["reasoning_tokens", "bigint", "measured"],
    ["audio_output_tokens", "bigint", "measured"],
    ["total_cost", "double precision", "measured"],
    ["sample_run_id", "text", "latest"],
    ["sample_message", "text", "latest"],
    ["last_seen_at", "bigint", "latest"],
  ],
  toolStatistics: [
    ["tenant_id", "text", "key"],
    ["hour", "integer", "key"],
    ["tool_name", "text", "key"],
    ["shard", "integer", "key"],
    ["calls", "integer", "sum"],
    ["failed_calls", "integer", "sum"],
    ["duration_ms", "double precision", "sum"],
    ["last_called_at", "bigint", "latest"],
  ],
  criterionStatistics: [
    ["tenant_id", "text", "key"],
    ["hour", "integer", "key"],
    ["cell", "text", "key"],
    ["shard", "integer", "key"],
    ["agent_name", "text", "kept"],
    ["kind", "text", "kept"],
    ["position", "integer", "kept"],
    ["currency", "text", "kept"],
    ["runs", "integer", "sum"],
    ["continued", "integer", "sum"],
    ["stopped", "integer", "sum"],
    ["failed", "integer", "sum"],
    ["decisive", "integer", "sum"],
    ["reviewer_runs", "integer", "sum"],
    ["judge_calls", "integer", "sum"],
    ["unpriced_calls", "integer", "sum"],
    ["input_tokens", "bigint", "measured"],
    ["output_tokens", "bigint", "measured"],
    ["total_cost", "double precision", "measured"],
  ],
};

export const columnsOf = (kind: SumKind): readonly Column[] =>
  sumColumns[kind].map(([name, type]) => [name, type]);

const namesOf = (kind: SumKind, merge: Merge): readonly string[] =>
  sumColumns[kind].filter((column) => column[2] === merge).map(([name]) => name);

/** The end of an insert of the kind's rows. */
export function onConflict(kind: SumKind): string {
  const table = sumTables[kind];
  const latest = LATEST[kind];
  const assignments = sumColumns[kind].flatMap(([name, , merge]) => {
    const stored = `${table}.${name}`;
    const added = `excluded.${name}`;
    switch (merge) {
      case "sum":
        return [`${name} = ${stored} + ${added}`];
      case "measured":
        return [`${name} = coalesce(${stored} + ${added}, ${stored}, ${added})`];
      case "latest":
        return [
          `${name} = case when ${table}.${latest} > excluded.${latest} then ${stored} else ${added} end`,
        ];
      default:
        return [];
    }
  });
  return `on conflict (${namesOf(kind, "key").join(", ")}) do update set ${assignments.join(", ")}`;
}

/** Two rows of one key as one: what `onConflict` does in the database. */
export function merged(
  kind: SumKind,
  stored: readonly SqlValue[],
  added: readonly SqlValue[],
): readonly SqlValue[] {
  const at = sumColumns[kind].findIndex(([name]) => name === LATEST[kind]);
  const isOlder = numberOf(stored[at]) > numberOf(added[at]);
  return sumColumns[kind].map(([, , merge], index) => {
    const left = stored[index] ?? null;
    const right = added[index] ?? null;
    if (merge === "sum") return numberOf(left) + numberOf(right);
    if (merge === "measured")
      return left === null || right === null ? (left ?? right) : numberOf(left) + numberOf(right);
    return merge === "latest" && !isOlder ? right : left;
  });
}

const numberOf = (value: SqlValue | undefined): number => (typeof value === "number" ? value : 0);
