/**
 * The seam of `criteria/`: one file for each kind of stop criterion, with what it reads, what is wrong
 * with its data, and how it decides.
 */

import type { Finding, LoopCriterion, RunEventPayload } from "@tracon/core";
import type { TurnRequest } from "../turn/step.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

type Entry = RunEventPayload<"LoopIterationCompleted">["criteria"][number];

/** Who decided, as the event of the iteration names it. */
export type Decider = Pick<Entry, "judge" | "reviewer">;

/** What an evaluation came to. What a criterion throws counts as `failed` with the error. */
export type CriterionOutcome = Decider &
  (LoopEvaluation | { readonly decision: "failed"; readonly error: unknown });

/** An iteration with everything the engine's own criteria need beyond what code is told. */
export type EvaluatedIteration = LoopContext &
  Pick<TurnRequest, "scope" | "journal" | "clock" | "log" | "budget">;

/** A criterion of one agent. Rejects with the signal's reason when the run is cancelled. */
export type Criterion = {
  readonly kind: string;
  evaluate(iteration: EvaluatedIteration): Promise<CriterionOutcome>;
};

/** A built-in kind. `Host` is what it needs of the installation and the catalog to compile. */
export type CriterionKind<Host> = {
  readonly kind: string;
  /** One sentence for people, shown in the console. */
  readonly description: string;
  /** Members of the definition it reads; it ignores the rest. */
  readonly reads: readonly Exclude<keyof LoopCriterion, "kind">[];
  /** What is wrong with the data; `path` is that of the criterion. */
  findings(criterion: LoopCriterion, path: string, host: Host): readonly Finding[];
  /** Called with data that has no errors. */
  create(criterion: LoopCriterion, host: Host): Criterion;
};
