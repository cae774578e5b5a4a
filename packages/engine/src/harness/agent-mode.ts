/** The mode an agent is in, as it is kept in the run's state. */

import type { RunState } from "../scope/run-state.ts";

/** The first one is the default. */
export const DEFAULT_MODES = ["plan", "execute"] as const;

const STATE_KEY = "mode";

type Kept = {
  readonly current: string;
  /** The mode the model was last told of; absent when it was told of none. */
  readonly seen?: string;
};

/** Names are compared exactly. */
const isAgentMode = (name: unknown): name is string =>
  (DEFAULT_MODES as readonly unknown[]).includes(name);

export function readMode(state: RunState): string {
  const current = keptIn(state)?.current;
  return isAgentMode(current) ? current : DEFAULT_MODES[0];
}

/** Sets the mode in the name of the model, which thereby knows of it. */
export const changeMode = (state: RunState, mode: string): void => keep(state, mode);

/**
 * The mode as the model is about to be told. `before` is the one it was last told, when that was another:
 * somebody else has changed it, however often.
 */
export function showMode(state: RunState): {
  readonly current: string;
  readonly before: string | undefined;
} {
  const current = readMode(state);
  const seen = keptIn(state)?.seen;
  if (seen !== current) keep(state, current);
  return { current, before: isAgentMode(seen) && seen !== current ? seen : undefined };
}

const keep = (state: RunState, mode: string): void =>
  state.set(STATE_KEY, { current: mode, seen: mode } satisfies Kept);

const keptIn = (state: RunState): Partial<Kept> | null | undefined =>
  state.get(STATE_KEY) as Partial<Kept> | null | undefined;
