import type { StartChild } from "../scope/child-call.ts";

/** The children of one run. */
export type RunChildren = {
  /** Rejects for a run that is asked to end, or has ended: nothing begins below it any more. */
  readonly start: StartChild;
  /** The run is over: children that are waited for are canceled. `undefined` when there are none. */
  end(): Promise<unknown> | undefined;
};
