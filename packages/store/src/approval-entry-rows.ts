/** The rows an entry writes of approvals: those its run opens, and the decisions it takes. */

import type { ApprovalClaim, JournalEntry, StoredApproval } from "@tracon/core";
import type { PutRow } from "./journal-rows.ts";
import type { SqlValue } from "./sql-value.ts";
import { storedOptional, storedText, storedTime } from "./stored-values.ts";

export function putApprovalRows(
  tenantId: string,
  runId: string,
  { opened = [], claimed = [] }: NonNullable<JournalEntry["approvals"]>,
  put: PutRow,
): void {
  for (const approval of opened) put("approval", openedValues(tenantId, approval));
  for (const claim of claimed) put("claim", claimValues(tenantId, runId, claim));
}

const openedValues = (tenantId: string, approval: StoredApproval): readonly SqlValue[] => [
  tenantId,
  storedText(approval.id),
  storedText(approval.runId),
  storedText(approval.sessionId),
  storedText(approval.agentName),
  approval.iteration,
  approval.step,
  approval.position,
  storedText(approval.callId),
  storedText(approval.toolName),
  storedText(approval.arguments),
  approval.argumentsHash,
  approval.contentHash,
  approval.presentation === undefined ? null : JSON.stringify(approval.presentation),
  approval.status,
  storedTime(approval.createdAt),
  storedTime(approval.expiresAt),
  storedText(approval.continuationRunId),
];

function claimValues(tenantId: string, runId: string, claim: ApprovalClaim): readonly SqlValue[] {
  const { expected, status, decidedAt } = claim;
  const at = decidedAt === undefined ? null : storedTime(decidedAt);
  return [
    tenantId,
    storedText(claim.approvalId),
    expected,
    // A decision that comes with the claim must be in time, as one made before had to be.
    expected === "Pending" && status === "Approved" ? at : null,
    status,
    storedOptional(claim.decidedBy),
    at,
    storedOptional(claim.reason),
    runId,
  ];
}
