import type { PendingApproval, StoredApproval } from "@tracon/core";

export type ShowOptions = {
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly recordToolPayloads: boolean;
};

/** An approval as it is shown: what binds it to its call is nobody's business. */
export function shownApproval(
  stored: StoredApproval,
  { now, recordToolPayloads }: ShowOptions,
): PendingApproval {
  const { iteration: _i, step: _s, position: _p, callId: _c, ...rest } = stored;
  const { argumentsHash: _a, contentHash: _h, claimedByRunId: _r, ...approval } = rest;
  const { arguments: value, ...withoutPayload } = approval;
  const shown = recordToolPayloads ? { ...withoutPayload, arguments: value } : withoutPayload;
  return isExpired(stored, now) ? { ...shown, status: "Expired" } : shown;
}

/** Whether it is too late for a decision, also when nobody has marked it yet. */
export const isExpired = ({ status, expiresAt }: StoredApproval, now: string): boolean =>
  status === "Pending" && Date.parse(expiresAt) <= Date.parse(now);
