import { describeOutcome } from "../delegation/outcome-text.ts";
import { type ChildOutcome, callChild } from "../scope/child-call.ts";
import type { RunScope } from "../scope/run-scope.ts";
import type { CalledAgent, LoopContext } from "./loop-evaluator.ts";

/** Lets a criterion run another agent below the run. */
export const callAgentIn =
  ({ startChild }: Pick<RunScope, "startChild">, signal: AbortSignal): LoopContext["callAgent"] =>
  async (agentName, { message, version }) => {
    const outcome = await callChild(startChild, { agentName, version, message, signal });
    // Nobody asks for the answer of a run that is cancelled.
    signal.throwIfAborted();
    return calledOf(outcome);
  };

function calledOf(outcome: ChildOutcome): CalledAgent {
  if (outcome.kind === "answered") {
    return { answered: true, text: outcome.text, runId: outcome.child.runId };
  }
  const reason = describeOutcome(outcome);
  if (outcome.kind === "refused") return { answered: false, reason };
  return { answered: false, reason, runId: outcome.child.runId };
}
