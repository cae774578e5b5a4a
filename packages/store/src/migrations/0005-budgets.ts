import type { Migration } from "./migration.ts";

/**
 * One budget a tree. Both tables are found by the tree alone and have no other index: their counters
 * change with every model call. The reservation of the root stands in the budget itself, so that a
 * run without children writes one row. What expired is looked for within one tree, when it has no room.
 */
export const budgets: Migration = {
  id: "0005-budgets",
  statements: ({ key, engine }) => [
    `create table tracon_budgets (
      tenant_id ${key} not null,
      root_run_id ${key} not null,
      currency text not null,
      max_tokens bigint,
      max_cost_nanos bigint,
      max_child_runs integer,
      max_tool_calls integer,
      used_tokens bigint not null default 0,
      estimated_tokens bigint not null default 0,
      used_cost_nanos bigint not null default 0,
      reserved_tokens bigint not null default 0,
      reserved_cost_nanos bigint not null default 0,
      held_tokens bigint not null default 0,
      held_cost_nanos bigint not null default 0,
      held_until bigint,
      child_runs integer not null default 0,
      tool_calls integer not null default 0,
      ${engine === "postgres" ? "last_move text," : ""}
      primary key (tenant_id, root_run_id)
    )${keyed[engine]}`,
    `create table tracon_budget_reservations (
      tenant_id ${key} not null,
      root_run_id ${key} not null,
      id ${key} not null,
      tokens bigint not null,
      cost_nanos bigint not null,
      expires_at bigint not null,
      primary key (tenant_id, root_run_id, id)
    )${keyed[engine]}`,
  ],
};

/** The rows are small and found by their key only: on SQLite the key is the table. */
const keyed = { sqlite: " without rowid", postgres: "" };
