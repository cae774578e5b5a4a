/** The mode an agent is in, as it is kept in the run's state. */

import type { RunState } from "../scope/run-state.ts";

/** The first one is the default. */
export const DEFAULT_MODES = ["plan", "execute"] as const;

const STATE_KEY = "mode";

type Kept = { readonly current: string };

export const readMode = (state: RunState): string =>
  (state.get(STATE_KEY) as Kept | undefined)?.current ?? DEFAULT_MODES[0];
