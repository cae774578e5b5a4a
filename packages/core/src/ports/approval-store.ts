import type { ApprovalStatus, PendingApproval } from "../approval/pending-approval.ts";
import type { ToolApprovalRule } from "../approval/tool-approval-rule.ts";

/** An approval with what binds a decision to the call it was made for. */
export type StoredApproval = Omit<PendingApproval, "arguments"> & {
  /** Where the call stands in its run. */
  readonly iteration: number;
  readonly step: number;
  readonly position: number;
  /** The call's id in the conversation, unique there. */
  readonly callId: string;
  /** JSON text of what was asked and is executed. */
  readonly arguments: string;
  /** SHA-256 of the canonical arguments. */
  readonly argumentsHash: string;
  /** Of the agent's definition when the call was asked. */
  readonly contentHash: string;
  /** The run that took the decision. Once there, nothing changes any more. */
  readonly claimedByRunId?: string;
};

/** What a run that goes on takes: each decision once, by the run whose opening entry has it. */
export type ApprovalClaim = {
  readonly approvalId: string;
  /** The status it must have; `Pending` for a decision that comes with the claim. */
  readonly expected: ApprovalStatus;
  readonly status: Exclude<ApprovalStatus, "Pending">;
  readonly decidedBy?: string;
  /** ISO 8601, UTC. */
  readonly decidedAt?: string;
  readonly reason?: string;
};

/** A decision, or the end of the wait for one. */
export type ApprovalChange = {
  readonly status: Exclude<ApprovalStatus, "Pending">;
  readonly decidedBy?: string;
  /** ISO 8601, UTC. A person decides only before `expiresAt`. */
  readonly decidedAt: string;
  readonly reason?: string;
  /** Saved in the same transaction. */
  readonly rule?: ToolApprovalRule;
};

/** Which part of a list: `after` continues behind the approval with that id. */
export type ApprovalPage = { readonly take: number; readonly after?: string };

/**
 * Approvals and standing rules. Approvals are opened and claimed by the journal alone, in the entry of the
 * run that asks or goes on; here they are read and decided.
 */
export interface ApprovalStore {
  get(tenantId: string, id: string): Promise<StoredApproval | undefined>;
  /** Undecided ones that are in time at `now`, oldest first. */
  pending(
    tenantId: string,
    page: ApprovalPage & { readonly now: string },
  ): Promise<readonly StoredApproval[]>;
  /** All approvals of a run, in the order of its calls. */
  ofRun(tenantId: string, runId: string): Promise<readonly StoredApproval[]>;
  /** Those of a session that no run has taken yet, in the order of their calls. */
  openOfSession(tenantId: string, sessionId: string): Promise<readonly StoredApproval[]>;
  /**
   * Atomic: changes a pending one and says so with `true`, whoever else decides at the same moment.
   * Nothing is changed when it is not pending, or expired for a decision of a person.
   */
  decide(tenantId: string, id: string, change: ApprovalChange): Promise<boolean>;
  /** Rejects all pending ones of a run with one reason; answers how many. */
  closeRun(tenantId: string, runId: string, change: ApprovalChange): Promise<number>;
  /** Marks what is due at `now`, of all tenants, at most `take`; answers with what it marked. */
  expire(now: string, take: number): Promise<readonly StoredApproval[]>;
  /** Decided ones of all tenants that no run has taken, decided within a time, at most `take`. */
  unclaimed(
    decided: { readonly after: string; readonly before: string },
    take: number,
  ): Promise<readonly StoredApproval[]>;

  rules(tenantId: string, page: ApprovalPage): Promise<readonly ToolApprovalRule[]>;
  /** Those of the tool for the agent and for all agents. */
  rulesFor(
    tenantId: string,
    agentName: string,
    toolName: string,
  ): Promise<readonly ToolApprovalRule[]>;
  addRule(rule: ToolApprovalRule): Promise<void>;
  /** False when there is none of that id. */
  removeRule(tenantId: string, id: string): Promise<boolean>;
}
