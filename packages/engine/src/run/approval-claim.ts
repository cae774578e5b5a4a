/** How a run takes a decision: one made before, one that comes with it, or the end of the wait for one. */

import {
  type AgentRunRequestContent,
  type ApprovalChange,
  type ApprovalClaim,
  type StoredApproval,
  TraconError,
} from "@tracon/core";

/** Why a run goes on: somebody asked for it, all is decided, or nothing of it is to happen any more. */
export type ResumeMode = "request" | "continuation" | "cancel";

type Decision = AgentRunRequestContent["approvals"][number];

export type ClaimInput = {
  readonly mode: ResumeMode;
  readonly request: { readonly approvals: readonly Decision[] };
  /** ISO 8601, UTC. */
  readonly now: string;
};

const SUPERSEDED = "superseded by a new message before anybody decided";
const CANCELED = "the run was canceled before anybody decided";
const EXPIRED = "nobody decided in time";

/** Throws `approval_conflict` for a decision that cannot be made any more. */
export function claimOf(
  approval: StoredApproval,
  { mode, request, now }: ClaimInput,
): ApprovalClaim {
  const { id: approvalId, status, requestId } = approval;
  const given = request.approvals.find((it) => it.requestId === requestId);
  if (mode === "cancel" && status !== "Rejected") {
    return rejected(approvalId, status, { decidedAt: now, reason: CANCELED });
  }
  if (status !== "Pending") return decidedBefore(approval, given);
  const isLate = isPast(approval.expiresAt, now);
  if (given !== undefined) return decidedNow(approvalId, given, { isLate, now });
  if (isLate) {
    const status = "Expired" as const;
    return { approvalId, expected: "Pending", status, decidedAt: now, reason: EXPIRED };
  }
  // Somebody thought that all was decided, and it is not.
  if (mode === "continuation") throw conflict("a call of the run still waits for a decision");
  return rejected(approvalId, "Pending", { decidedAt: now, reason: SUPERSEDED });
}

/** How calls are closed when no run can take them. */
export const closedAt = (decidedAt: string): ApprovalChange => ({
  status: "Rejected",
  decidedAt,
  reason: CANCELED,
});

export const isPast = (time: string, now: string): boolean => Date.parse(time) <= Date.parse(now);

function decidedBefore(approval: StoredApproval, given: Decision | undefined): ApprovalClaim {
  const { id: approvalId, status, decidedBy, decidedAt, reason } = approval;
  if (status === "Pending") throw new TypeError("it is not decided");
  if (given !== undefined && (status === "Approved") !== given.approved) {
    throw conflict("the call was already decided otherwise");
  }
  return {
    approvalId,
    expected: status,
    status,
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function decidedNow(
  approvalId: string,
  { approved, reason }: Decision,
  { isLate, now }: { readonly isLate: boolean; readonly now: string },
): ApprovalClaim {
  if (isLate) throw conflict("the time to decide is over");
  return {
    approvalId,
    expected: "Pending",
    status: approved ? "Approved" : "Rejected",
    decidedAt: now,
    ...(reason === undefined ? {} : { reason }),
  };
}

const rejected = (
  approvalId: string,
  expected: ApprovalClaim["expected"],
  made: { readonly decidedAt: string; readonly reason: string },
): ApprovalClaim => ({ approvalId, expected, status: "Rejected", ...made });

const conflict = (message: string): TraconError => new TraconError("approval_conflict", message);
