/** Asks the store what a session waits for, but only when its history has a call without a result. */

import {
  type ApprovalStore,
  type IdSource,
  type StoredApproval,
  type ToolApprovalRule,
  TraconError,
} from "@tracon/core";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import type { LoadedSession } from "../session/load-session.ts";
import type { ResumeMode } from "./approval-claim.ts";
import { planResume, type ResumePlan } from "./resume-run.ts";
import type { ReadRunRequest } from "./start-run.ts";

export type SessionResume = {
  readonly tenantId: string;
  readonly mode: ResumeMode;
  readonly agent: RunnableAgent;
  readonly request: ReadRunRequest;
  readonly session: LoadedSession;
  /** ISO 8601, UTC. */
  readonly now: string;
};

export type SessionResumePlan = ResumePlan & { readonly approvals: readonly StoredApproval[] };

/** What the run takes over; `undefined` when the session waits for nothing. */
export async function resumeSession(
  store: ApprovalStore,
  { tenantId, ...input }: SessionResume,
): Promise<SessionResumePlan | undefined> {
  const { session, request } = input;
  const namesCalls = request.approvals.length + request.toolResults.length > 0;
  if (session.closing.length === 0 && !namesCalls) return undefined;
  const approvals = await store.openOfSession(tenantId, session.sessionId);
  await refuseTaken(store, { tenantId, ...input }, approvals);
  return { ...planResume({ ...input, approvals }), approvals };
}

/** A decision that comes again is told so; whether an id of another session exists is told nobody. */
async function refuseTaken(
  store: ApprovalStore,
  { tenantId, session, request }: SessionResume,
  open: readonly StoredApproval[],
): Promise<void> {
  for (const { requestId } of request.approvals) {
    if (open.some((it) => it.requestId === requestId)) continue;
    const approval = await store.get(tenantId, requestId);
    if (approval?.sessionId !== session.sessionId) continue;
    const message = `a run has already gone on with decision '${requestId}'`;
    throw new TraconError("approval_conflict", message);
  }
}

/** The standing rules that decisions ask for: of the call as it was recorded, never of the request. */
export function rulesOf(
  { approvals: decisions }: ReadRunRequest,
  approvals: readonly StoredApproval[],
  made: { readonly ids: IdSource; readonly now: string },
): readonly ToolApprovalRule[] {
  return decisions.flatMap((decision) => {
    const approval = approvals.find(({ requestId }) => requestId === decision.requestId);
    const rule = approval && ruleOf(approval, decision, made);
    return rule === undefined ? [] : [rule];
  });
}

/** The rule that one decision asks for; `undefined` when it asks for none. */
export function ruleOf(
  approval: StoredApproval,
  decision: {
    readonly approved: boolean;
    readonly remember: boolean;
    readonly rememberArgumentsOnly: boolean;
  },
  { ids, now, createdBy }: { ids: IdSource; now: string; createdBy?: string | undefined },
): ToolApprovalRule | undefined {
  const { approved, remember, rememberArgumentsOnly } = decision;
  if (!approved || !(remember || rememberArgumentsOnly)) return undefined;
  return {
    id: ids.next(),
    tenantId: approval.tenantId,
    agentName: approval.agentName,
    toolName: approval.toolName,
    argumentConditions: [],
    createdAt: now,
    ...(rememberArgumentsOnly ? { argumentsHash: approval.argumentsHash } : {}),
    ...(createdBy === undefined ? {} : { createdBy }),
  };
}
