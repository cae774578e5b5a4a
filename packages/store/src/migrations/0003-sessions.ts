import type { Migration } from "./migration.ts";

/** Conversations and their turns. Both indexes are lists that people open, newest first. */
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
    // One row for the messages of one turn, one JSON text a line, as with the events of a commit.
    `create table tracon_session_turns (
      tenant_id ${key} not null,
      session_id ${key} not null,
      first_sequence integer not null,
      item_count integer not null,
      run_id ${key} not null,
      lines text not null,
      primary key (tenant_id, session_id, first_sequence)
    )`,
  ],
};
