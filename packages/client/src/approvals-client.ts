import type {
  ApprovalDecisionRequest,
  PendingApproval,
  ToolApprovalRule,
  ToolApprovalRuleRequest,
} from "@tracon/core";
import { pageQuery } from "./next-page.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Which part of a list: its beginning, or the page that the `next` of another one names. */
export type ApprovalListQuery =
  | {
      /** 1 to 200; 50 when absent. */
      readonly take?: number | undefined;
    }
  | { readonly next: string };

/** Part of a list that grows. */
export type ApprovalList<Item> = {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** Where the list goes on: give it as `next` to the same call. Absent at the end. */
  readonly next: string | undefined;
};

/** Tool calls that wait for a person, and the rules that make waiting unneeded. */
export type ApprovalsClient = {
  /** Calls that wait for a decision. */
  pending(query?: ApprovalListQuery, options?: CallOptions): Promise<ApprovalList<PendingApproval>>;
  /** Fails with `approval_not_found`. */
  get(id: string, options?: CallOptions): Promise<PendingApproval>;
  /**
   * Decides a call. The run that goes on is started by the server. Fails with `approval_conflict` when
   * the call was decided otherwise or it is too late.
   */
  decide(
    id: string,
    decision: ApprovalDecisionRequest,
    options?: CallOptions,
  ): Promise<PendingApproval>;
  readonly rules: {
    list(query?: ApprovalListQuery, options?: CallOptions): Promise<ApprovalList<ToolApprovalRule>>;
    create(rule: ToolApprovalRuleRequest, options?: CallOptions): Promise<ToolApprovalRule>;
    /** Fails with `approval_rule_not_found`. */
    delete(ruleId: string, options?: CallOptions): Promise<void>;
  };
};

export function approvalsClient(transport: Transport): ApprovalsClient {
  return {
    pending: (query = {}, { signal } = {}) =>
      transport.page("approvals.pending", { path: {}, query: queryOf(query), signal }),
    get: (id, { signal } = {}) => transport.json("approvals.get", { path: { id }, signal }),
    decide: (id, decision, { signal } = {}) =>
      transport.json("approvals.decide", { path: { id }, body: decision, signal }),
    rules: {
      list: (query = {}, { signal } = {}) =>
        transport.page("approvals.rules", { path: {}, query: queryOf(query), signal }),
      create: (rule, { signal } = {}) =>
        transport.json("approvals.createRule", { path: {}, body: rule, signal }),
      async delete(ruleId, { signal } = {}) {
        await transport.send("approvals.deleteRule", { path: { ruleId }, signal });
      },
    },
  };
}

const queryOf = (query: ApprovalListQuery) => ("next" in query ? pageQuery(query.next) : query);
