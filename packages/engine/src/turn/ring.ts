/**
 * A ring around a whole turn, above the tool loop. As with the rings of a model call, the chain is built
 * when an agent is compiled, and a ring that has nothing to do gives back `next` itself.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { HarnessProvider } from "../harness/harness-provider.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { ContextProvider } from "./context-provider.ts";
import type { AnswerFormat, TurnAgent, TurnAnswer, TurnRequest } from "./step.ts";
import type { StructuredResponseCheck } from "./structured-response-check.ts";

export type RunTurn = (request: TurnRequest) => Promise<TurnAnswer>;

export type TurnRing = {
  readonly name: string;
  wrap(next: RunTurn, settings: TurnRingSettings): RunTurn;
};

/** What the rings of all agents of an engine share. */
export type TurnHost = {
  /** Absent when the circuit breaker is off. */
  readonly breakers: CircuitBreakers | undefined;
  /** Absent when answers are not checked. */
  readonly structuredResponse: StructuredResponseCheck | undefined;
};

export type TurnRingSettings = {
  readonly host: TurnHost;
  /** Middleware of the agent's extensions, outermost first. */
  readonly middleware: readonly TurnMiddleware[];
  /** What the harness adds to the context of every turn, in order. */
  readonly harnessProviders: readonly HarnessProvider[];
  /** What the agent's extensions add behind it, in order. */
  readonly contextProviders: readonly ContextProvider[];
  readonly agentName: string;
  /** The agent with the models to try when its own cannot be reached, in order. */
  readonly fallbacks: readonly TurnAgent[];
  readonly format: AnswerFormat | undefined;
};

/** A turn as middleware sees it. */
export type TurnCall = {
  readonly prompt: LanguageModelV4Prompt;
  readonly tenantId: string;
  readonly runId: string;
  /** Iteration of the outer loop, from 1. */
  readonly iteration: number;
  readonly provider: string;
  readonly model: string;
  readonly signal: AbortSignal;
};

/**
 * Middleware around a turn. `next` runs the turn on a conversation, the given one or another; the text
 * that is returned is the answer.
 */
export type TurnMiddleware = (
  call: TurnCall,
  next: (prompt: LanguageModelV4Prompt) => Promise<string>,
) => PromiseLike<string>;
