/**
 * What the criteria of a run's loop decided and took, by their place in the list, for the statistics.
 *
 * The tokens of a judge are the run's own and are counted here. Those of a reviewer are its own run's,
 * which has ended or goes on elsewhere: here it is counted that there was one.
 */

import {
  addUsage,
  type CriterionTally,
  type LoopJudgeCall,
  type RunEventDraft,
  type RunEventPayload,
} from "@tracon/core";
import { judgeCallOf } from "./judge-call-of.ts";

type Iteration = RunEventPayload<"LoopIterationCompleted">;
type Counted = { -readonly [Member in keyof CriterionTally]: CriterionTally[Member] };

/** The kind whose judge it is, in case the run ended before the iteration was decided. */
const JUDGE_KIND = "aiJudge";

const DECISIONS = { continue: "continued", stop: "stopped", failed: "failed" } as const;

export class CriterionTallies {
  readonly #tallies = new Map<number, Counted>();

  add(event: RunEventDraft): void {
    if (event.type === "LoopIterationCompleted") this.#decided(event.payload);
    else if (event.type === "Custom") this.#judged(judgeCallOf(event.payload));
  }

  /** In the order of the list. */
  all(): readonly CriterionTally[] {
    return [...this.#tallies.values()].sort((left, right) => left.position - right.position);
  }

  #decided(iteration: Iteration): void {
    for (const [position, { kind, decision, reviewer }] of iteration.criteria.entries()) {
      const counted = this.#at(position);
      counted.kind = kind;
      counted[DECISIONS[decision]] += 1;
      if (isDecisive(decision, iteration)) counted.decisive += 1;
      if (reviewer !== undefined) counted.reviewerRuns += 1;
    }
  }

  #judged(call: LoopJudgeCall | undefined): void {
    if (call === undefined) return;
    const { criterion, usage, cost } = call;
    const counted = this.#at(criterion);
    counted.judgeCalls += 1;
    const sum = addUsage(counted.usage, usage);
    if (sum !== undefined) counted.usage = sum;
    if (cost?.totalCost === undefined) counted.unpricedCalls += 1;
    else counted.costs = withCost(counted.costs, cost.currency ?? "", cost.totalCost);
  }

  #at(position: number): Counted {
    const known = this.#tallies.get(position);
    if (known !== undefined) return known;
    const counted = {
      ...{ kind: JUDGE_KIND, position, costs: [] },
      ...{ continued: 0, stopped: 0, failed: 0, decisive: 0 },
      ...{ reviewerRuns: 0, judgeCalls: 0, unpricedCalls: 0 },
    };
    this.#tallies.set(position, counted);
    return counted;
  }
}

/**
 * What asked for another iteration, when there was one or the run failed for it; what failed always ends
 * the loop. A criterion that is satisfied leaves the decision to the next.
 */
const isDecisive = (
  decision: Iteration["criteria"][number]["decision"],
  { continued, failsRun }: Iteration,
): boolean =>
  decision === "failed" || (decision === "continue" && (continued || failsRun === true));

const withCost = (
  costs: CriterionTally["costs"],
  currency: string,
  totalCost: number,
): CriterionTally["costs"] => {
  const sum = costs.find((cost) => cost.currency === currency)?.totalCost ?? 0;
  const others = costs.filter((cost) => cost.currency !== currency);
  return [...others, { currency, totalCost: sum + totalCost }];
};
