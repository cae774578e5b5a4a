/**
 * Where a loop stands that ended its run within an iteration, because a call of it waits for somebody. It
 * is kept in the session, so that the run that goes on begins at that iteration and not at the first.
 */

import type { RunState } from "../scope/run-state.ts";

export type LoopProgress = {
  /** The iteration that goes on, from 1. */
  readonly iteration: number;
  /** Where the messages stand in the session that the loop began with: they may be large. */
  readonly initialAt: readonly number[];
  readonly feedback: readonly (string | undefined)[];
  /** Messages of the session, as a model reads them, that are older than the loop. */
  readonly historyLength: number;
  /** The same for the iteration: behind them stand its own words. */
  readonly iterationAt: number;
  /** The state an iteration with a fresh context begins with; `undefined` when none does. */
  readonly fresh: Readonly<Record<string, unknown>> | undefined;
};

/** JSON has no `undefined` in its lists. */
type Kept = Omit<LoopProgress, "feedback"> & { readonly feedback: readonly (string | null)[] };

const STATE_KEY = "loop";

/** Takes out what an earlier run has left; whoever goes on with it keeps it again when it stops again. */
export function takeProgress(state: RunState): LoopProgress | undefined {
  const kept = state.get(STATE_KEY) as Kept | undefined;
  if (kept === undefined) return undefined;
  state.set(STATE_KEY, undefined);
  return { ...kept, feedback: kept.feedback.map((it) => it ?? undefined) };
}

export function keepProgress(state: RunState, progress: LoopProgress): void {
  const kept: Kept = { ...progress, feedback: progress.feedback.map((it) => it ?? null) };
  state.set(STATE_KEY, kept);
}
