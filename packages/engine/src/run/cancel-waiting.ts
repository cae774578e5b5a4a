/** The end of a run that waits: what waits is closed by the run that would have gone on. */

import { type ApprovalStore, type RunRecord, TraconError } from "@tracon/core";
import { closedAt, type ResumeMode } from "./approval-claim.ts";
import type { RunHandle } from "./runs.ts";

/** A run that goes on, as the approvals of the one before name it. */
export type Continuation = {
  readonly agentName: string;
  readonly sessionId: string;
  /** The run that stopped. */
  readonly runId: string;
  readonly continuationRunId: string;
  readonly mode: ResumeMode;
};

export type CancelWaitingHost = {
  readonly tenantId: string;
  readonly approvals: ApprovalStore;
  readonly continueRun: (continuation: Continuation) => Promise<RunHandle>;
  readonly timestamp: () => string;
};

/** Opens that run, canceled at once. Throws `run_not_cancelable` when another one has gone on. */
export async function cancelWaiting(record: RunRecord, host: CancelWaitingHost): Promise<void> {
  const { tenantId, approvals, continueRun, timestamp } = host;
  const waiting = (await approvals.ofRun(tenantId, record.id)).find(
    ({ claimedByRunId }) => claimedByRunId === undefined,
  );
  if (waiting === undefined) throw goneOn(undefined);
  try {
    const run = await continueRun({ ...waiting, mode: "cancel" });
    // Until it has ended, the session would refuse the next turn.
    await run.result;
  } catch (error) {
    if (TraconError.is(error, "approval_conflict")) throw goneOn(error);
    // An agent or a session that is gone must not keep the calls open.
    await approvals.closeRun(tenantId, record.id, closedAt(timestamp()));
  }
}

const goneOn = (cause: unknown): TraconError =>
  new TraconError("run_not_cancelable", "another run has gone on with the calls", { cause });
