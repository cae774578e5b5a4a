import type { Migration } from "./migration.ts";

/**
 * Tool calls that wait for a decision, and the rules that make waiting unneeded. What waits, and what
 * is decided but not taken yet, is little beside what once was: the indexes that look for it are over a
 * condition.
 */
export const approvals: Migration = {
  id: "0004-approvals",
  statements: ({ key }) => [
    `create table tracon_approvals (
      tenant_id ${key} not null,
      id ${key} not null,
      run_id ${key} not null,
      session_id ${key} not null,
      agent_name ${key} not null,
      iteration integer not null,
      step integer not null,
      position integer not null,
      call_id text not null,
      tool_name ${key} not null,
      arguments text not null,
      arguments_hash ${key} not null,
      content_hash ${key} not null,
      presentation text,
      status ${key} not null,
      created_at bigint not null,
      expires_at bigint not null,
      decided_by ${key},
      decided_at bigint,
      reason text,
      continuation_run_id ${key} not null,
      claimed_by_run_id ${key},
      primary key (tenant_id, id)
    )`,
    // The mailbox of a tenant, oldest first.
    `create index tracon_approvals_pending on tracon_approvals (tenant_id, id)
      where status = 'Pending'`,
    // What the scan for expired ones looks at, of all tenants.
    `create index tracon_approvals_due on tracon_approvals (expires_at)
      where status = 'Pending'`,
    // Decided, and no run has gone on with it.
    `create index tracon_approvals_unclaimed on tracon_approvals (decided_at)
      where claimed_by_run_id is null and status <> 'Pending'`,
    // What a run that goes on in a session takes.
    `create index tracon_approvals_session on tracon_approvals (tenant_id, session_id)
      where claimed_by_run_id is null`,
    // What a run waited for, also when it is long over.
    "create index tracon_approvals_run on tracon_approvals (tenant_id, run_id)",

    `create table tracon_approval_rules (
      tenant_id ${key} not null,
      id ${key} not null,
      agent_name ${key},
      tool_name ${key} not null,
      arguments_hash ${key},
      argument_conditions text not null,
      created_by ${key},
      created_at bigint not null,
      primary key (tenant_id, id)
    )`,
    "create index tracon_approval_rules_tool on tracon_approval_rules (tenant_id, tool_name)",
  ],
};
