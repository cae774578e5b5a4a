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
 * The waits of an installation, or of an agent beside those of its installation. One that is not given
 * keeps its distance from the one that is: a cutoff lies 30 s behind the deadline, and a deadline 30 s,
 * but at most a quarter, before the cutoff. A limit that is not positive limits nothing.
 */
export function childWaits(
  given: ChildWaitSettings,
  otherwise: ChildWaits = DEFAULT_CHILD_WAITS,
): ChildWaits {
  const deadline = limitOf(given.childDeadlineMs);
  const cutoff = limitOf(given.waitTimeoutMs);
  if (cutoff === undefined) {
    const deadlineMs = deadline ?? otherwise.deadlineMs;
    const isBeyond = deadlineMs > otherwise.cutoffMs;
    return { deadlineMs, cutoffMs: isBeyond ? deadlineMs + GRACE_MS : otherwise.cutoffMs };
  }
  const latest = cutoff === Infinity ? Infinity : cutoff - Math.min(GRACE_MS, cutoff / 4);
  return {
    deadlineMs: Math.min(deadline ?? Math.min(otherwise.deadlineMs, latest), cutoff),
    cutoffMs: cutoff,
  };
}

const limitOf = (ms: number | undefined): number | undefined =>
  ms === undefined || ms > 0 ? ms : Infinity;
