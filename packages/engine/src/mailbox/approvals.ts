import type { ApprovalPage, PendingApproval, ToolApprovalRule } from "@tracon/core";

/** Who decides; recorded with the decision. */
export type DecisionOptions = { readonly decidedBy?: string };

/** Tool calls that wait for a person, and the rules that make waiting unneeded. */
export interface Approvals {
  /** Undecided ones that are still in time, oldest first; `after` continues behind one. */
  pending(tenantId: string, page: ApprovalPage): Promise<readonly PendingApproval[]>;
  /** Throws `approval_not_found`. */
  get(tenantId: string, id: string): Promise<PendingApproval>;
  /**
   * Decides one call; once all calls of its run are decided, the run that goes on is started. The same
   * decision again is no fault, and finishes what was interrupted. Throws `request_invalid`,
   * `approval_not_found`, and `approval_conflict` when it was decided otherwise or too late.
   */
  decide(
    tenantId: string,
    id: string,
    decision: unknown,
    options?: DecisionOptions,
  ): Promise<PendingApproval>;
  /** Standing rules, oldest first. */
  rules(tenantId: string, page: ApprovalPage): Promise<readonly ToolApprovalRule[]>;
  /** Throws `request_invalid`. */
  addRule(
    tenantId: string,
    request: unknown,
    options?: { readonly createdBy?: string },
  ): Promise<ToolApprovalRule>;
  /** Throws `approval_rule_not_found`. */
  removeRule(tenantId: string, id: string): Promise<void>;
  /**
   * Marks what nobody decided in time, and goes on with runs whose decisions no run has taken, at most
   * so many of each. Done by itself every now and then.
   */
  scan(): Promise<void>;
}
