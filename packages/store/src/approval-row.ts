/** Rows of approvals and rules, to and from what they stand for. */

import type { ApprovalChange, StoredApproval, ToolApprovalRule } from "@tracon/core";
import type { ApprovalRulesTable, ApprovalsTable } from "./schema.ts";
import { isoTime, originalText, storedOptional, storedText, storedTime } from "./stored-values.ts";

export function storedApproval(row: ApprovalsTable): StoredApproval {
  return {
    id: originalText(row.id),
    requestId: originalText(row.id),
    tenantId: originalText(row.tenant_id),
    runId: originalText(row.run_id),
    sessionId: originalText(row.session_id),
    agentName: originalText(row.agent_name),
    iteration: row.iteration,
    step: row.step,
    position: row.position,
    callId: originalText(row.call_id),
    toolName: originalText(row.tool_name),
    arguments: originalText(row.arguments),
    argumentsHash: row.arguments_hash,
    contentHash: row.content_hash,
    status: row.status,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    continuationRunId: originalText(row.continuation_run_id),
    ...(row.presentation !== null && { presentation: JSON.parse(row.presentation) }),
    ...(row.decided_by !== null && { decidedBy: originalText(row.decided_by) }),
    ...(row.decided_at !== null && { decidedAt: isoTime(row.decided_at) }),
    ...(row.reason !== null && { reason: originalText(row.reason) }),
    ...(row.claimed_by_run_id !== null && { claimedByRunId: originalText(row.claimed_by_run_id) }),
  };
}

/** The columns a decision changes. */
export const decidedColumns = ({ status, decidedBy, decidedAt, reason }: ApprovalChange) => ({
  status,
  decided_by: storedOptional(decidedBy),
  decided_at: storedTime(decidedAt),
  reason: storedOptional(reason),
});

export function approvalRule(row: ApprovalRulesTable): ToolApprovalRule {
  return {
    id: originalText(row.id),
    tenantId: originalText(row.tenant_id),
    toolName: originalText(row.tool_name),
    argumentConditions: JSON.parse(row.argument_conditions),
    createdAt: isoTime(row.created_at),
    ...(row.agent_name !== null && { agentName: originalText(row.agent_name) }),
    ...(row.arguments_hash !== null && { argumentsHash: row.arguments_hash }),
    ...(row.created_by !== null && { createdBy: originalText(row.created_by) }),
  };
}

export const ruleRow = (rule: ToolApprovalRule): ApprovalRulesTable => ({
  tenant_id: storedText(rule.tenantId),
  id: storedText(rule.id),
  agent_name: storedOptional(rule.agentName),
  tool_name: storedText(rule.toolName),
  arguments_hash: storedOptional(rule.argumentsHash),
  argument_conditions: JSON.stringify(rule.argumentConditions),
  created_by: storedOptional(rule.createdBy),
  created_at: storedTime(rule.createdAt),
});
