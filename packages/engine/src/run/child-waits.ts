/** How long a run waits for the agents it calls: its definition says it, or the installation does. */

/** In milliseconds; `Infinity` waits without end. */
export type ChildWaits = {
  /** From here on the child is asked to stop. */
  readonly deadlineMs: number;
  /** From here on nobody waits for it. */
  readonly cutoffMs: number;
};

/** Limits on the wait in milliseconds, as a definition or a configuration says them. */
export type ChildWaitSettings = {
  readonly childDeadlineMs?: number | undefined;
  readonly waitTimeoutMs?: number | undefined;
};

/** A child that listens has ended long before. */
const GRACE_MS = 30_000;
export const DEFAULT_CHILD_WAITS: ChildWaits = {
  deadlineMs: 120_000,
  cutoffMs: 120_000 + GRACE_MS,
};

/**
 * The waits of an installation, or of an agent beside those of its installation. A cutoff that nobody
 * gave lies 30 s behind the deadline, and a deadline never behind the cutoff. A limit that is not
 * positive limits nothing.
 */
export function childWaits(
  { childDeadlineMs, waitTimeoutMs }: ChildWaitSettings,
  otherwise: ChildWaits = DEFAULT_CHILD_WAITS,
): ChildWaits {
  const deadline = limitOf(childDeadlineMs) ?? otherwise.deadlineMs;
  const cutoffMs = limitOf(waitTimeoutMs) ?? Math.max(otherwise.cutoffMs, deadline + GRACE_MS);
  return { deadlineMs: Math.min(deadline, cutoffMs), cutoffMs };
}

const limitOf = (ms: number | undefined): number | undefined =>
  ms === undefined || ms > 0 ? ms : Infinity;
