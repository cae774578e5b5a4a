/** What a run records of an evaluated iteration. */

import type { RunEventDraft } from "@tracon/core";
import type { CriterionEntry, Verdict } from "./evaluate-criteria.ts";

export type IterationEnd = {
  /** From 1. */
  readonly iteration: number;
  readonly verdict: Verdict;
  /** No evaluation follows, although a criterion asks for another iteration. */
  readonly ceilingReached: boolean;
  readonly failsRun: boolean;
};

/** The event of an iteration: who was asked and who decided, never what anybody said. */
export function iterationEvent(end: IterationEnd): RunEventDraft {
  const { iteration, verdict, ceilingReached, failsRun } = end;
  const { decision, entries } = verdict;
  return {
    type: "LoopIterationCompleted",
    text: `iteration ${iteration} ${textOf(end)}`,
    payload: {
      iteration,
      continued: decision === "continue",
      ...(decision === "continue" ? { continuedBy: verdict.by } : {}),
      ...(decision === "failed" ? { failedCriterion: verdict.by } : {}),
      ...(ceilingReached ? { ceilingReached } : {}),
      ...(failsRun ? { failsRun } : {}),
      criteria: [...entries],
    },
  };
}

function textOf({ verdict, ceilingReached, failsRun }: IterationEnd): string {
  const { decision, entries } = verdict;
  if (decision === "stop") return "satisfied every criterion";
  const decider = `'${verdict.by}'${reviewerText(entries.at(-1))}`;
  if (decision === "failed") {
    return `ended the loop: ${decider} failed${failsRun ? " and fails the run" : ""}`;
  }
  if (failsRun) return `continued by ${decider}, which fails the run: no iterations are left`;
  return `continued by ${decider}${ceilingReached ? "; the next one is the last" : ""}`;
}

function reviewerText(entry: CriterionEntry | undefined): string {
  if (entry?.reviewer === undefined) return "";
  const { agent, version } = entry.reviewer;
  return ` (reviewer '${agent}'${version === undefined ? "" : ` v${version}`})`;
}
