/** The end of a run with calls that somebody else answers. */

import type {
  ApprovalRequest,
  IdSource,
  RunEventDraft,
  RunEventPayload,
  RunRecord,
  StoredApproval,
} from "@tracon/core";
import { argumentsHashOf } from "../approval/standing-rule.ts";
import type { StoppedCall } from "../turn/step.ts";

/** How a run asks. */
export type StopOptions = {
  readonly ids: IdSource;
  /** How long a decision may take, in milliseconds. */
  readonly expirationMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

export type StoppedRun = {
  readonly tenantId: string;
  readonly record: RunRecord;
  /** Its session, or the one made for it now. */
  readonly sessionId: string;
  readonly definitionHash: string;
  readonly totals: Pick<RunEventPayload<"RunCompleted">, "usage" | "cost">;
};

export type Stop = {
  readonly ending: RunEventDraft;
  readonly approvals: readonly StoredApproval[];
};

/** The run's last event and what waits for a decision. Calls of the client end a run like any other. */
export function stopOf(
  stopped: readonly StoppedCall[],
  run: StoppedRun,
  options: StopOptions,
): Stop {
  const { totals, sessionId } = run;
  const asked = stopped.filter(({ pending }) => pending === "approval");
  if (asked.length === 0) {
    const clientToolCalls = stopped.map(({ callId, toolName, arguments: value }) => ({
      callId,
      toolName,
      arguments: JSON.stringify(value),
    }));
    const payload = { ...totals, clientToolCalls, sessionId };
    return { ending: { type: "RunCompleted", payload }, approvals: [] };
  }
  const continuationRunId = options.ids.next();
  const approvals = asked.map((call) => approvalOf(call, run, { ...options, continuationRunId }));
  const payload = { ...totals, approvals: approvals.map(requestOf), sessionId };
  return { ending: { type: "RunAwaitingInput", payload }, approvals };
}

function approvalOf(
  call: StoppedCall,
  { tenantId, record, sessionId, definitionHash }: StoppedRun,
  { ids, now, expirationMs, continuationRunId }: StopOptions & { continuationRunId: string },
): StoredApproval {
  const id = ids.next();
  const { iteration, step, position, callId, toolName, presentation } = call;
  return {
    id,
    requestId: id,
    tenantId,
    runId: record.id,
    sessionId,
    agentName: record.agentName,
    iteration,
    step,
    position,
    callId,
    toolName,
    arguments: JSON.stringify(call.arguments),
    argumentsHash: argumentsHashOf(call.arguments),
    contentHash: definitionHash,
    status: "Pending",
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + expirationMs).toISOString(),
    continuationRunId,
    ...(presentation === undefined ? {} : { presentation }),
  };
}

const requestOf = (approval: StoredApproval): ApprovalRequest => ({
  requestId: approval.requestId,
  callId: approval.callId,
  toolName: approval.toolName,
  arguments: approval.arguments,
  expiresAt: approval.expiresAt,
  ...(approval.presentation === undefined ? {} : { presentation: approval.presentation }),
});
