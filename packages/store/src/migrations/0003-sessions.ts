import type { Migration } from "./migration.ts";

/** Conversations and their messages. Both indexes are lists that people open, newest first. */
export const sessions: Migration = {
  id: "0003-sessions",
  statements: ({ key }) => [
    `create table tracon_sessions (
      tenant_id ${key} not null,
      id ${key} not null,
      agent_name ${key} not null,
      version integer not null,
      created_at bigint not null,
      updated_at bigint not null,
      owner_id ${key},
      parent_session_id ${key},
      branch_from_sequence integer,
      item_count integer not null,
      state text,
      state_schema_version integer not null,
      primary key (tenant_id, id)
    )`,
    "create index tracon_sessions_updated on tracon_sessions (tenant_id, updated_at, id)",
    `create index tracon_sessions_agent on tracon_sessions
      (tenant_id, agent_name, updated_at, id)`,
    `create table tracon_session_items (
      tenant_id ${key} not null,
      session_id ${key} not null,
      sequence integer not null,
      run_id ${key} not null,
      message text not null,
      primary key (tenant_id, session_id, sequence)
    )`,
  ],
};
