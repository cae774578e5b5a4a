/** What a loop fails its run with. */

import { LOOP_UNSATISFIED, TraconError } from "@tracon/core";

type UnsatisfiedRun = {
  readonly agentName: string;
  readonly request: { readonly runId: string };
};

/** No iteration is left, and a criterion still asks for one. */
export function loopUnsatisfied(
  { agentName, request: { runId } }: UnsatisfiedRun,
  iterations: number,
  unsatisfiedCriterion: string,
): TraconError {
  const times = iterations === 1 ? "1 iteration" : `${iterations} iterations`;
  return new TraconError(
    LOOP_UNSATISFIED,
    `the loop of agent '${agentName}' ended after ${times}, and criterion '${unsatisfiedCriterion}' still asks for another`,
    { extensions: { agentName, runId, iterations, unsatisfiedCriterion } },
  );
}

/**
 * A criterion failed. Its own error stays what it is, so that a judge that cannot be reached is a fault of
 * its provider; what code threw is told by its type, and its text is for the log only.
 */
export function criterionFailed(kind: string, error: unknown): TraconError {
  if (TraconError.is(error)) return error;
  const type = error instanceof Error ? error.name : "a value that is no error";
  return new TraconError(
    "criterion_failed",
    `criterion '${kind}' of the loop failed with ${type}`,
    { cause: error },
  );
}
