/**
 * Decisions about tool calls, made outside of the session they belong to.
 *
 *     Pending ──decide──▶ Approved | Rejected ──┐
 *        └─────time──────▶ Expired ─────────────┴─▶ all calls of the run ─▶ one run goes on
 *
 * A decision and the start of the run that goes on are two writes. Whatever comes between them, the run
 * has an id that was fixed when the first one stopped, and takes its decisions in the write that opens
 * it: deciding again, or the scan, starts it if it is missing and does nothing if it is there.
 */

import {
  type ApprovalStore,
  approvalDecisionSchema,
  type Clock,
  faultText,
  finding,
  findingsOf,
  type IdSource,
  type Log,
  type PendingApproval,
  type StoredApproval,
  type ToolApprovalRule,
  TraconError,
  toolApprovalRuleRequestSchema,
} from "@tracon/core";
import type { ApprovalOptions } from "../run/approval-options.ts";
import type { Continuation } from "../run/cancel-waiting.ts";
import { ruleOf } from "../run/resume-session.ts";
import type { Approvals, DecisionOptions } from "./approvals.ts";
import { isExpired, shownApproval } from "./shown-approval.ts";

export type MailboxHost = {
  readonly store: ApprovalStore;
  readonly options: ApprovalOptions;
  readonly recordToolPayloads: boolean;
  /** Starts the run that goes on, and resolves once it is on record. */
  readonly continueRun: (tenantId: string, continuation: Continuation) => Promise<unknown>;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long a run that could not be started is tried again by the scan, in milliseconds. */
const RETRY_WINDOW_MS = 60 * 60 * 1_000;
/** Younger decisions are being gone on with by whoever made them, in milliseconds. */
const HAND_OFF_MS = 10_000;

export class ApprovalMailbox implements Approvals {
  readonly #host: MailboxHost;

  constructor(host: MailboxHost) {
    this.#host = host;
  }

  pending: Approvals["pending"] = async (tenantId, page) => {
    const stored = await this.#host.store.pending(tenantId, { ...page, now: this.#now() });
    return stored.map((it) => this.#shown(it));
  };

  get: Approvals["get"] = async (tenantId, id) => this.#shown(await this.#stored(tenantId, id));

  decide: Approvals["decide"] = async (tenantId, id, decision, options = {}) => {
    const read = approvalDecisionSchema.safeParse(decision, { reportInput: true });
    const findings = read.success ? rememberFindings(read.data) : findingsOf(read.error);
    if (!read.success || findings.length > 0) {
      throw new TraconError("request_invalid", "nothing was decided", { findings });
    }
    const asked = await this.#stored(tenantId, id);
    if (asked.status === "Pending") await this.#decide(asked, read.data, options);
    const decided = await this.#stored(tenantId, id);
    if (decided.status !== (read.data.approved ? "Approved" : "Rejected")) {
      await this.#handOff(decided);
      throw decidedOtherwise(decided);
    }
    await this.#handOff(decided);
    return this.#shown(decided);
  };

  rules: Approvals["rules"] = (tenantId, page) => this.#host.store.rules(tenantId, page);

  addRule: Approvals["addRule"] = async (tenantId, request, { createdBy } = {}) => {
    const read = toolApprovalRuleRequestSchema.safeParse(request, { reportInput: true });
    if (!read.success) {
      const findings = findingsOf(read.error);
      throw new TraconError("request_invalid", "no rule was saved", { findings });
    }
    const { toolName, agentName, argumentConditions } = read.data;
    const rule: ToolApprovalRule = {
      id: this.#host.ids.next(),
      tenantId,
      toolName,
      argumentConditions,
      createdAt: this.#now(),
      ...(agentName === undefined ? {} : { agentName }),
      ...(createdBy === undefined ? {} : { createdBy }),
    };
    await this.#host.store.addRule(rule);
    return rule;
  };

  removeRule: Approvals["removeRule"] = async (tenantId, id) => {
    if (await this.#host.store.removeRule(tenantId, id)) return;
    throw new TraconError("approval_rule_not_found", "there is no standing rule with that id");
  };

  scan: Approvals["scan"] = async () => {
    const { store, options, clock, log } = this.#host;
    try {
      const expired = options.expirationEnabled
        ? await store.expire(this.#now(), options.maxPerScan)
        : [];
      const [after, before] = [RETRY_WINDOW_MS, HAND_OFF_MS].map((ms) =>
        new Date(clock.now() - ms).toISOString(),
      );
      const range = { after: after ?? "", before: before ?? "" };
      const unclaimed = await store.unclaimed(range, options.maxPerScan);
      const byRun = new Map([...expired, ...unclaimed].map((it) => [it.continuationRunId, it]));
      for (const approval of byRun.values()) await this.#handOff(approval);
    } catch (error) {
      log.warn("approvals could not be looked after", { error: faultText(error) });
    }
  };

  async #decide(
    asked: StoredApproval,
    decision: ReturnType<typeof approvalDecisionSchema.parse>,
    { decidedBy }: DecisionOptions,
  ): Promise<void> {
    const { store, ids } = this.#host;
    const decidedAt = this.#now();
    if (isExpired(asked, decidedAt)) {
      await store.decide(asked.tenantId, asked.id, { status: "Expired", decidedAt });
      return;
    }
    const { approved, reason } = decision;
    const rule = ruleOf(asked, decision, { ids, now: decidedAt, createdBy: decidedBy });
    await store.decide(asked.tenantId, asked.id, {
      status: approved ? "Approved" : "Rejected",
      decidedAt,
      ...(decidedBy === undefined ? {} : { decidedBy }),
      ...(reason === undefined ? {} : { reason }),
      ...(rule === undefined ? {} : { rule }),
    });
  }

  /** Starts the run that goes on, unless a call still waits, nobody decided any, or it is there. */
  async #handOff({ tenantId, runId }: StoredApproval): Promise<void> {
    const { store, continueRun, log } = this.#host;
    const all = await store.ofRun(tenantId, runId);
    const isReady = all.every(
      ({ status, claimedByRunId }) => status !== "Pending" && claimedByRunId === undefined,
    );
    const [first] = all;
    if (first === undefined || !isReady || all.every(({ status }) => status === "Expired")) return;
    const { agentName, sessionId, continuationRunId } = first;
    try {
      const continuation = { agentName, sessionId, runId, continuationRunId, mode: "continuation" };
      await continueRun(tenantId, continuation as Continuation);
    } catch (error) {
      // Another process came first.
      if (TraconError.is(error, "approval_conflict")) return;
      // The decision stands; deciding again or the scan starts the run.
      log.warn("a run with all decisions could not go on yet", { runId, error: faultText(error) });
    }
  }

  async #stored(tenantId: string, id: string): Promise<StoredApproval> {
    const stored = await this.#host.store.get(tenantId, id);
    if (stored !== undefined) return stored;
    throw new TraconError("approval_not_found", "there is no approval with that id");
  }

  #shown(stored: StoredApproval): PendingApproval {
    const { recordToolPayloads } = this.#host;
    return shownApproval(stored, { now: this.#now(), recordToolPayloads });
  }

  #now = (): string => new Date(this.#host.clock.now()).toISOString();
}

function rememberFindings({
  approved,
  remember,
  rememberArgumentsOnly,
}: ReturnType<typeof approvalDecisionSchema.parse>) {
  if (approved || !(remember || rememberArgumentsOnly)) return [];
  const path = remember ? "remember" : "rememberArgumentsOnly";
  return [finding("invalid_value", path, "only an approval can be remembered")];
}

const decidedOtherwise = ({ status }: StoredApproval): TraconError =>
  new TraconError(
    "approval_conflict",
    status === "Expired"
      ? "the time to decide is over"
      : `the call was already decided: ${status.toLowerCase()}`,
  );
