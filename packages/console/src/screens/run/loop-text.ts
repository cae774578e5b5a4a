/** What the loop of a run says of itself: who decided an iteration, and why there was no other. */

import type { RunEventPayload } from "@tracon/core";
import type { Timeline } from "./timeline.ts";

type Evaluation = RunEventPayload<"LoopIterationCompleted">;
type Entry = Evaluation["criteria"][number];

/** How an iteration was decided, in one sentence. */
export function decisionText(evaluation: Evaluation): string {
  const { failedCriterion, ceilingReached = false, failsRun = false } = evaluation;
  if (failedCriterion !== undefined) {
    const what = `'${failedCriterion}'${deciderText(evaluation, failedCriterion)}`;
    return `Criterion ${what} failed: ${failsRun ? "the run fails" : "the loop ends here"}`;
  }
  if (!evaluation.continued && !ceilingReached) return "Finished: every criterion is satisfied";
  const by = evaluation.continuedBy;
  const who = by === undefined ? "a criterion" : `'${by}'${deciderText(evaluation, by)}`;
  if (failsRun) return `Not accepted by ${who} at the ceiling: the run fails`;
  if (ceilingReached) {
    return `Continued by ${who}; the ceiling is reached, so the next iteration is the last and is not judged`;
  }
  return `Continued by ${who}`;
}

/** ` (reviewer draft-reviewer v3)`, ` (judge openai / gpt-5.4-mini)`, or nothing for one that is neither. */
function deciderText({ criteria }: Evaluation, kind: string): string {
  const entry = criteria.findLast((it) => it.kind === kind);
  const name = entry === undefined ? undefined : deciderName(entry);
  return name === undefined ? "" : ` (${name})`;
}

export function deciderName({ judge, reviewer }: Entry): string | undefined {
  if (reviewer !== undefined) {
    const { agent, version } = reviewer;
    return `reviewer ${agent}${version === undefined ? "" : ` v${version}`}`;
  }
  return judge === undefined ? undefined : `judge ${judge.provider} / ${judge.model}`;
}

/** How often the agent of a loop was asked, and why not once more; nothing for a run without a loop. */
export function loopSummary({ chapters, endedMs }: Timeline): string | undefined {
  const decisions = chapters.flatMap((it) => (it.kind === "decision" ? [it.payload] : []));
  const last = decisions.at(-1);
  if (last === undefined) return undefined;
  const turns = chapters.flatMap((it) => (it.kind === "model" ? [it.iteration] : []));
  const count = Math.max(last.iteration, ...turns);
  const iterations = `${count} iteration${count === 1 ? "" : "s"}`;
  const end = endText(last, endedMs !== undefined);
  return end === undefined ? iterations : `${iterations}, ${end}`;
}

function endText(last: Evaluation, isOver: boolean): string | undefined {
  if (last.failedCriterion !== undefined) {
    return `'${last.failedCriterion}' failed${last.failsRun === true ? " and fails the run" : ""}`;
  }
  if (last.failsRun === true) return "not accepted at the ceiling";
  if (last.ceilingReached === true) return "ended by the ceiling";
  if (!last.continued) return "every criterion satisfied";
  return isOver ? "broken off" : undefined;
}
