/**
 * The tables as Kysely sees them. The migrations create them; a change here is a change there.
 *
 * Text that people choose (names, ids, tool results) is in the form of `stored-text.ts`, times are
 * milliseconds since the epoch.
 */

import type { ApprovalStatus, RunKind, RunStatus } from "@tracon/core";

export type AgentsTable = {
  readonly tenant_id: string;
  readonly name: string;
  /** `null` while no definition of the name lives; the row stays for the numbering. */
  readonly current_version: number | null;
  readonly last_version: number;
  readonly changed_at: number;
};

export type AgentVersionsTable = {
  readonly tenant_id: string;
  readonly name: string;
  readonly version: number;
  readonly content: string;
  readonly content_hash: string;
  readonly saved_at: number;
};

export type DefinitionChangesTable = { readonly only_row: number; readonly counter: number };

export type RunsTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly parent_run_id: string | null;
  readonly root_run_id: string | null;
  readonly depth: number;
  readonly kind: RunKind;
  readonly agent_name: string;
  readonly agent_version: number | null;
  readonly status: RunStatus;
  readonly started_at: number;
  readonly completed_at: number | null;
  readonly event_count: number;
  readonly is_streaming: number;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly culture: string | null;
  readonly model_provider: string | null;
  readonly model_id: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly total_cost: number | null;
  readonly error_type: string | null;
  readonly usage: string | null;
  readonly cost: string | null;
  readonly error: string | null;
  readonly labels: string | null;
  readonly replay_of_run_id: string | null;
  readonly continued_from_run_id: string | null;
  readonly lockfile_hash: string | null;
};

/** Sums over the runs of one hour and cell; what a sum means is said in `statistics-columns.ts`. */
export type RunStatisticsTable = {
  readonly tenant_id: string;
  /** Hours since the epoch. */
  readonly hour: number;
  readonly cell: string;
  readonly shard: number;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly error_class: string;
  readonly currency: string;
  readonly agent_name: string;
  readonly agent_version: number;
  readonly model_provider: string;
  readonly model_id: string;
  readonly user_id: string;
  readonly labels: string;
  readonly fingerprint: string;
  readonly runs: number;
  readonly unpriced_runs: number;
  readonly timed_runs: number;
  readonly duration_ms: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly audio_input_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly audio_output_tokens: number | null;
  readonly total_cost: number | null;
  readonly sample_run_id: string | null;
  readonly sample_message: string | null;
  readonly last_seen_at: number | null;
};

export type ToolStatisticsTable = {
  readonly tenant_id: string;
  readonly hour: number;
  readonly tool_name: string;
  readonly shard: number;
  readonly calls: number;
  readonly failed_calls: number;
  readonly duration_ms: number;
  readonly last_called_at: number;
};

/** What the criteria of loops decided and took, by the hour in which their runs started. */
export type CriterionStatisticsTable = {
  readonly tenant_id: string;
  readonly hour: number;
  readonly cell: string;
  readonly shard: number;
  readonly agent_name: string;
  readonly kind: string;
  readonly position: number;
  readonly currency: string;
  readonly runs: number;
  readonly continued: number;
  readonly stopped: number;
  readonly failed: number;
  readonly decisive: number;
  readonly reviewer_runs: number;
  readonly judge_calls: number;
  readonly unpriced_calls: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_cost: number | null;
};

/** Costs that became known after the end of their runs. */
export type CostCorrectionsTable = {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly cost: string;
  readonly priced_at: number;
};

export type SessionsTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly agent_name: string;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly owner_id: string | null;
  readonly parent_session_id: string | null;
  readonly branch_from_sequence: number | null;
  readonly item_count: number;
  readonly state: string | null;
  readonly state_schema_version: number;
};

export type SessionTurnsTable = {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly first_sequence: number;
  readonly item_count: number;
  readonly run_id: string;
  readonly lines: string;
};

export type ApprovalsTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly agent_name: string;
  readonly iteration: number;
  readonly step: number;
  readonly position: number;
  readonly call_id: string;
  readonly tool_name: string;
  readonly arguments: string;
  readonly arguments_hash: string;
  readonly content_hash: string;
  readonly presentation: string | null;
  readonly status: ApprovalStatus;
  readonly created_at: number;
  readonly expires_at: number;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly reason: string | null;
  readonly continuation_run_id: string;
  readonly claimed_by_run_id: string | null;
};

export type ApprovalRulesTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly agent_name: string | null;
  readonly tool_name: string;
  readonly arguments_hash: string | null;
  readonly argument_conditions: string;
  readonly created_by: string | null;
  readonly created_at: number;
};

export type BudgetsTable = {
  readonly tenant_id: string;
  readonly root_run_id: string;
  readonly currency: string;
  readonly max_tokens: number | null;
  readonly max_cost_nanos: number | null;
  readonly max_child_runs: number | null;
  readonly max_tool_calls: number | null;
  readonly used_tokens: number;
  readonly estimated_tokens: number;
  readonly used_cost_nanos: number;
  readonly reserved_tokens: number;
  readonly reserved_cost_nanos: number;
  /** The root's own reservation, which is counted among the reserved. */
  readonly held_tokens: number;
  readonly held_cost_nanos: number;
  readonly held_until: number | null;
  readonly child_runs: number;
  readonly tool_calls: number;
};

export type BudgetReservationsTable = {
  readonly tenant_id: string;
  readonly root_run_id: string;
  readonly id: string;
  readonly tokens: number;
  readonly cost_nanos: number;
  readonly expires_at: number;
};

export type AttachmentsTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly session_id: string | null;
  readonly file_name: string;
  readonly media_type: string;
  readonly byte_size: number;
  readonly sha256: string;
  readonly created_at: number;
};

export type AttachmentContentsTable = {
  readonly tenant_id: string;
  readonly id: string;
  readonly bytes: Uint8Array;
};

export type MigrationsTable = {
  readonly id: string;
  readonly checksum: string;
  readonly applied_at: number;
};

export type Schema = {
  readonly tracon_agents: AgentsTable;
  readonly tracon_agent_versions: AgentVersionsTable;
  readonly tracon_definition_changes: DefinitionChangesTable;
  readonly tracon_runs: RunsTable;
  readonly tracon_sessions: SessionsTable;
  readonly tracon_session_turns: SessionTurnsTable;
  readonly tracon_approvals: ApprovalsTable;
  readonly tracon_approval_rules: ApprovalRulesTable;
  readonly tracon_run_statistics: RunStatisticsTable;
  readonly tracon_tool_statistics: ToolStatisticsTable;
  readonly tracon_criterion_statistics: CriterionStatisticsTable;
  readonly tracon_cost_corrections: CostCorrectionsTable;
  readonly tracon_budgets: BudgetsTable;
  readonly tracon_budget_reservations: BudgetReservationsTable;
  readonly tracon_attachments: AttachmentsTable;
  readonly tracon_attachment_contents: AttachmentContentsTable;
  readonly tracon_migrations: MigrationsTable;
};
