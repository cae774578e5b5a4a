import type { Migration } from "./migration.ts";

/**
 * Every index is paid for by the insert of every run, so each has its reason beside it. Indexes
 * over a condition cost nothing to the runs it does not hold for.
 */
export const agentsAndRuns: Migration = {
  id: "0001-agents-and-runs",
  statements: ({ key, engine }) => [
    `create table tracon_agents (
      tenant_id ${key} not null,
      name ${key} not null,
      current_version integer,
      last_version integer not null,
      changed_at bigint not null,
      primary key (tenant_id, name)
    )`,
    `create table tracon_agent_versions (
      tenant_id ${key} not null,
      name ${key} not null,
      version integer not null,
      content text not null,
      content_hash ${key} not null,
      saved_at bigint not null,
      primary key (tenant_id, name, version)
    )`,
    `create table tracon_definition_changes (
      only_row integer primary key check (only_row = 1),
      counter bigint not null
    )`,
    "insert into tracon_definition_changes (only_row, counter) values (1, 0)",

    `create table tracon_runs (
      tenant_id ${key} not null,
      id ${key} not null,
      parent_run_id ${key},
      root_run_id ${key},
      depth integer not null,
      kind ${key} not null,
      agent_name ${key} not null,
      agent_version integer,
      status ${key} not null,
      started_at bigint not null,
      completed_at bigint,
      event_count integer not null,
      is_streaming integer not null,
      user_id ${key},
      session_id ${key},
      culture ${key},
      model_provider ${key},
      model_id ${key},
      input_tokens bigint,
      output_tokens bigint,
      total_tokens bigint,
      total_cost double precision,
      error_type ${key},
      usage text,
      cost text,
      error text,
      labels text,
      replay_of_run_id ${key},
      continued_from_run_id ${key},
      lockfile_hash ${key},
      primary key (tenant_id, id)
    )`,
    ...familyIndexes[engine],
    // The runs of an agent; the parent stands in it for the same reason (most runs of a sub-agent
    // are children).
    "create index tracon_runs_agent on tracon_runs (tenant_id, agent_name, id, parent_run_id)",
    // What is running, and what went wrong: rare among many completed runs.
    `create index tracon_runs_status on tracon_runs (tenant_id, status, id)
      where status <> 'Completed'`,
    `create index tracon_runs_error on tracon_runs (tenant_id, error_type, id)
      where error_type is not null`,
    `create index tracon_runs_session on tracon_runs (tenant_id, session_id, id)
      where session_id is not null`,
    `create index tracon_runs_user on tracon_runs (tenant_id, user_id, id)
      where user_id is not null`,
    // The tree of a root.
    `create index tracon_runs_root on tracon_runs (tenant_id, root_run_id, id)
      where root_run_id is not null`,

    `create table tracon_run_inputs (
      tenant_id ${key} not null,
      run_id ${key} not null,
      messages text not null,
      primary key (tenant_id, run_id)
    )`,
    // One row for the events of one commit, one JSON text a line.
    `create table tracon_run_events (
      tenant_id ${key} not null,
      run_id ${key} not null,
      first_sequence integer not null,
      last_sequence integer not null,
      lines text not null,
      primary key (tenant_id, run_id, first_sequence)
    )`,
    `create table tracon_tool_invocations (
      tenant_id ${key} not null,
      run_id ${key} not null,
      iteration integer not null,
      step integer not null,
      position integer not null,
      tool_call_id text not null,
      tool_name ${key} not null,
      created_at bigint not null,
      duration_ms double precision,
      succeeded integer not null,
      arguments text,
      result text,
      error text,
      primary key (tenant_id, run_id, iteration, step, position)
    )`,
    // Usage by tool over a period, answered from the index alone: the rows carry long texts.
    `create index tracon_tool_usage on tracon_tool_invocations
      (tenant_id, created_at, tool_name, succeeded, duration_ms)`,
  ],
};

/**
 * The list everybody opens, roots, newest first; and the children of a run, which are also counted
 * for each run of a list. Start and kind stand in it so that runs that a filter drops are passed
 * over without a look at their row.
 *
 * SQLite reads roots in order from an index that begins with the parent, and would leave one over
 * a condition unused. PostgreSQL takes `is null` for no equality and would sort.
 */
const familyIndexes = {
  sqlite: [
    `create index tracon_runs_family on tracon_runs
      (tenant_id, parent_run_id, id, started_at, kind)`,
  ],
  postgres: [
    `create index tracon_runs_roots on tracon_runs (tenant_id, id, started_at, kind)
      where parent_run_id is null`,
    `create index tracon_runs_children on tracon_runs (tenant_id, parent_run_id, id)
      where parent_run_id is not null`,
  ],
};
