import { describeOutcome } from "../delegation/outcome-text.ts";
import { type ChildOutcome, callChild } from "../scope/child-call.ts";
import type { RunScope } from "../scope/run-scope.ts";
import type { CalledAgent, LoopContext } from "./loop-evaluator.ts";

/** Lets a criterion run another agent below the run. */
export function callAgentIn(
  { startChild }: Pick<RunScope, "startChild">,
  signal: AbortSignal,
): LoopContext["callAgent"] {
  async function call(...[agentName, asked]: Parameters<LoopContext["callAgent"]>) {
    const { message, version } = asked;
    const outcome = await callChild(startChild, { agentName, version, message, signal });
    // Nobody asks for the answer of a run that is cancelled.
    signal.throwIfAborted();
    return calledOf(outcome);
  }
  return (...asked) => {
    const called = call(...asked);
    // A criterion that gave up waiting must not take the process down when its run ends.
    called.catch(() => undefined);
    return called;
  };
}

function calledOf(outcome: ChildOutcome): CalledAgent {
  if (outcome.kind === "answered") {
    return { answered: true, text: outcome.text, runId: outcome.child.runId };
  }
  const reason = describeOutcome(outcome);
  if (outcome.kind === "refused") return { answered: false, reason };
  return { answered: false, reason, runId: outcome.child.runId };
}
