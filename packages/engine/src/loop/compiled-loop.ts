import type { LoopOutcome } from "@tracon/core";
import type { Criterion } from "./criterion.ts";

/** The loop of an agent, ready to run and shared by all its runs. */
export type CompiledLoop = {
  /** In the order in which they are asked; at least one. */
  readonly criteria: readonly Criterion[];
  /** The most turns the agent takes; at least one. */
  readonly maxIterations: number;
  readonly freshContextPerIteration: boolean;
  readonly onExhausted: LoopOutcome;
  readonly onCriterionError: LoopOutcome;
};
