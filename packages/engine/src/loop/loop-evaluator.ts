/** A stop criterion written in code: the application registers it, and definitions name it. */

import type { ChatMessage } from "@tracon/core";

/** What a criterion says of an iteration. A blank `feedback` counts as none. */
export type LoopEvaluation =
  | { readonly decision: "stop" }
  | {
      readonly decision: "continue";
      /** Becomes the next input, as one user message. */
      readonly feedback?: string | undefined;
      /** Become the next input as they are, instead of feedback. */
      readonly messages?: readonly string[] | undefined;
    };

/** The answer of one iteration. */
export type LoopResponse = {
  /** All text of the iteration, its messages joined; reasoning and tool results are no text. */
  readonly text: string;
  /** Text of the last message of the model. */
  readonly lastMessage: string;
  readonly messages: readonly ChatMessage[];
};

/** What another agent answered, or why it did not. */
export type CalledAgent =
  | { readonly answered: true; readonly text: string; readonly runId: string }
  | { readonly answered: false; readonly reason: string; readonly runId?: string };

/** What a criterion reads. */
export type LoopContext = {
  readonly agentName: string;
  readonly tenantId: string;
  readonly runId: string;
  readonly sessionId?: string | undefined;
  /** From 1. */
  readonly iteration: number;
  /** What the loop began with. */
  readonly initialMessages: readonly ChatMessage[];
  readonly lastResponse: LoopResponse;
  /** One entry for each iteration after the first; `undefined` where there was none. */
  readonly feedback: readonly (string | undefined)[];
  /** Kept from iteration to iteration of this loop, and no longer. */
  readonly properties: Map<string, unknown>;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Runs another agent below this run, within the limits of its tree. */
  callAgent(name: string, request: { message: string; version?: number }): Promise<CalledAgent>;
};

/** Decides after each iteration. One object serves all agents, runs and tenants. */
export type LoopEvaluator = {
  evaluate(context: LoopContext): LoopEvaluation | PromiseLike<LoopEvaluation>;
};

/** What every reader of the list of criteria sees; no place for a secret. */
type Described = { readonly description?: string };

/**
 * A criterion, or the factory of one. A factory is called once, at the first compilation of an agent
 * that names the kind; one that throws is called again at the next.
 */
export type LoopEvaluatorRegistration<Services = unknown> = Described &
  (LoopEvaluator | { create(services: Services): LoopEvaluator });
