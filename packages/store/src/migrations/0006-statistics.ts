import type { Migration, MigrationDialect } from "./migration.ts";

/**
 * Sums by the hour in place of the table of tool calls, which was a second copy of the journal's
 * events: it and its index were a fifth of what a run cost on SQLite.
 */
export const statistics: Migration = {
  id: "0006-statistics",
  statements: (dialect) => [
    ...tables(dialect),
    countEndedRuns(dialect),
    COUNT_TOOL_CALLS,
    "drop table tracon_tool_invocations",
  ],
};

/** The hour comes first after the tenant: what an hour adds lies together, in one page or two. */
const tables = ({ key, engine }: MigrationDialect): readonly string[] => [
  `create table tracon_run_statistics (
    tenant_id ${key} not null,
    hour integer not null,
    cell ${key} not null,
    shard integer not null,
    kind ${key} not null,
    status ${key} not null,
    error_class ${key} not null,
    currency ${key} not null,
    agent_name ${key} not null,
    agent_version integer not null,
    model_provider ${key} not null,
    model_id ${key} not null,
    user_id ${key} not null,
    labels ${key} not null,
    fingerprint ${key} not null,
    runs integer not null,
    unpriced_runs integer not null,
    timed_runs integer not null,
    duration_ms bigint not null,
    input_tokens bigint,
    output_tokens bigint,
    total_tokens bigint,
    cached_input_tokens bigint,
    audio_input_tokens bigint,
    reasoning_tokens bigint,
    audio_output_tokens bigint,
    total_cost double precision,
    sample_run_id ${key},
    sample_message text,
    last_seen_at bigint,
    primary key (tenant_id, hour, cell, shard)
  ) ${UPDATED_IN_PLACE[engine]}`,
  `create table tracon_tool_statistics (
    tenant_id ${key} not null,
    hour integer not null,
    tool_name ${key} not null,
    shard integer not null,
    calls integer not null,
    failed_calls integer not null,
    duration_ms double precision not null,
    last_called_at bigint not null,
    primary key (tenant_id, hour, tool_name, shard)
  ) ${UPDATED_IN_PLACE[engine]}`,
  `create table tracon_cost_corrections (
    tenant_id ${key} not null,
    run_id ${key} not null,
    cost text not null,
    priced_at bigint not null,
    primary key (tenant_id, run_id)
  )`,
  // What recalculating costs looks for. Only runs whose cost is not known are in it.
  `create index tracon_runs_unpriced on tracon_runs (tenant_id, id)
    where total_cost is null and usage is not null`,
];

/** PostgreSQL writes a changed row beside the old one, without touching the index while there is room. */
const UPDATED_IN_PLACE = { sqlite: "without rowid", postgres: "with (fillfactor = 60)" };

/**
 * PostgreSQL refuses a whole JSON text for one U+0000 or one half of a surrogate pair in it, so these
 * become what `stored-values.ts` makes of them. A backslash that is itself escaped begins no escape.
 */
const STORED_ESCAPES = String.raw`'(?<!\\)((?:\\\\)*)\\u(0000|0010|d[89a-f][0-9a-f]{2})', '\1\\u0010\2', 'g'`;

const MEMBER = {
  sqlite: (column: string, member: string) => `json_extract(run.${column}, '$.${member}')`,
  postgres: (column: string, member: string) =>
    `(regexp_replace(run.${column}, ${STORED_ESCAPES})::json ->> '${member}')`,
};

/**
 * Runs that ended before there were sums. Labels were never set then. A cell of theirs needs a key
 * of its own and no other: nothing is added to it.
 */
function countEndedRuns({ engine }: MigrationDialect): string {
  const member = MEMBER[engine];
  const tokens = (name: string) => `sum(cast(${member("usage", name)} as bigint))`;
  const dimensions = [
    "tenant_id",
    "started_at / 3600000",
    "kind",
    "status",
    `coalesce(${member("error", "class")}, case when error is null then '' else 'Unknown' end)`,
    `case when total_cost is null then '' else coalesce(${member("cost", "currency")}, '') end`,
    "agent_name",
    "coalesce(agent_version, 0)",
    "coalesce(model_provider, '')",
    "coalesce(model_id, '')",
    "coalesce(user_id, '')",
    `coalesce(${member("error", "fingerprint")}, error_type, '')`,
  ];
  const places = dimensions.map((_, index) => index + 1).join(", ");
  return `insert into tracon_run_statistics (
      tenant_id, hour, kind, status, error_class, currency, agent_name, agent_version,
      model_provider, model_id, user_id, fingerprint, cell, shard, labels,
      runs, unpriced_runs, timed_runs, duration_ms,
      input_tokens, output_tokens, total_tokens, cached_input_tokens, audio_input_tokens,
      reasoning_tokens, audio_output_tokens, total_cost, sample_run_id, sample_message, last_seen_at)
    select ${dimensions.join(", ")}, 'before-' || min(id), 0, '',
      count(*),
      sum(case when total_cost is null and model_id is not null then 1 else 0 end),
      count(completed_at), coalesce(sum(completed_at - started_at), 0),
      ${tokens("inputTokens")}, ${tokens("outputTokens")}, ${tokens("totalTokens")},
      ${tokens("cachedInputTokens")}, ${tokens("audioInputTokens")},
      ${tokens("reasoningTokens")}, ${tokens("audioOutputTokens")},
      sum(total_cost),
      max(case when status = 'Failed' then id end),
      max(case when status = 'Failed' then ${member("error", "message")} end),
      max(case when status = 'Failed' then completed_at end)
    from tracon_runs run where status not in ('Queued', 'Running') group by ${places}`;
}

const COUNT_TOOL_CALLS = `insert into tracon_tool_statistics
    (tenant_id, hour, tool_name, shard, calls, failed_calls, duration_ms, last_called_at)
  select tenant_id, created_at / 3600000, tool_name, 0, count(*),
    sum(1 - succeeded), sum(coalesce(duration_ms, 0)), max(created_at)
  from tracon_tool_invocations group by 1, 2, 3`;
