import type { Clock } from "@tracon/core";

/** A clock that moves only when told to, and the sleeps that wait for it. */
export type ManualClock = Clock & {
  /**
   * Moves time forward and wakes every sleep that is due, in the order of their times.
   * A sleep started by what a woken one does counts from the new time.
   */
  advance(ms: number): void;
  /** Resolves once the clock has moved on by `ms`; rejects with the signal's reason on abort. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves as soon as at least one sleep is waiting, at once when one is. */
  sleeping(): Promise<void>;
};

/** 2026-01-01T00:00:00Z, where test time begins unless told otherwise. */
export const TEST_EPOCH_MS = 1_767_225_600_000;

type Sleeper = { readonly dueMs: number; readonly wake: () => void };

/** Creates a clock for tests; `startMs` is milliseconds since the epoch, 2026-01-01 by default. */
export function manualClock(startMs: number = TEST_EPOCH_MS): ManualClock {
  let elapsedMs = 0;
  const sleepers = new Set<Sleeper>();
  let watchers: (() => void)[] = [];

  function advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError("a clock cannot run backwards");
    elapsedMs += ms;
    const due = [...sleepers].filter((it) => it.dueMs <= elapsedMs);
    for (const sleeper of due.sort((one, other) => one.dueMs - other.dueMs)) sleeper.wake();
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const settle = (end: () => void): void => {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", abort);
        end();
      };
      const abort = (): void => settle(() => reject(signal?.reason));
      const sleeper: Sleeper = { dueMs: elapsedMs + ms, wake: () => settle(resolve) };
      signal?.addEventListener("abort", abort, { once: true });
      sleepers.add(sleeper);
      for (const seen of watchers) seen();
      watchers = [];
    });
  }

  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    advance,
    sleep,
    sleeping: () =>
      sleepers.size > 0 ? Promise.resolve() : new Promise((seen) => watchers.push(seen)),
  };
}
