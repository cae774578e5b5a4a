/**
 * Asks the criteria of a loop, in order, whether the work is finished.
 *
 * The first one that asks for another iteration decides and the rest are not asked, so a definition
 * puts its cheapest criterion first. The loop stops only when every criterion is satisfied.
 */

import type { RunEventPayload } from "@tracon/core";
import { untilAborted } from "../tools/until-aborted.ts";
import type { Criterion, CriterionOutcome, EvaluatedIteration } from "./criterion.ts";
import type { LoopEvaluation } from "./loop-evaluator.ts";

/** What a criterion said, as the event of the iteration has it: never in its own words. */
export type CriterionEntry = RunEventPayload<"LoopIterationCompleted">["criteria"][number];

/** What an iteration continues with. */
export type Continuation = Extract<LoopEvaluation, { decision: "continue" }>;

/** What the criteria came to; the last of `entries` is the one that decided. */
export type Verdict = { readonly entries: readonly CriterionEntry[] } & (
  | { readonly decision: "stop" }
  | { readonly decision: "continue"; readonly by: string; readonly continuation: Continuation }
  | { readonly decision: "failed"; readonly by: string; readonly error: unknown }
);

/** Rejects only with the signal's reason: a run that is cancelled is no fault of a criterion. */
export async function evaluateCriteria(
  criteria: readonly Criterion[],
  iteration: EvaluatedIteration,
): Promise<Verdict> {
  const entries: CriterionEntry[] = [];
  for (const criterion of criteria) {
    const outcome = await ask(criterion, iteration);
    const { kind: by } = criterion;
    entries.push(entryOf(by, outcome));
    if (outcome.decision === "continue") {
      return { decision: "continue", by, continuation: outcome, entries };
    }
    if (outcome.decision === "failed") {
      return { decision: "failed", by, error: outcome.error, entries };
    }
  }
  return { decision: "stop", entries };
}

async function ask(criterion: Criterion, iteration: EvaluatedIteration): Promise<CriterionOutcome> {
  const { signal } = iteration;
  signal.throwIfAborted();
  let outcome: CriterionOutcome;
  try {
    // A criterion need not be asynchronous to throw, and need not listen to the signal.
    outcome = await untilAborted(signal, (async () => criterion.evaluate(iteration))());
  } catch (error) {
    outcome = { decision: "failed", error };
  }
  signal.throwIfAborted();
  return outcome;
}

const entryOf = (kind: string, outcome: CriterionOutcome): CriterionEntry => {
  const { decision, judge, reviewer } = outcome;
  return {
    kind,
    decision,
    ...(judge === undefined ? {} : { judge }),
    ...(reviewer === undefined ? {} : { reviewer }),
  };
};
