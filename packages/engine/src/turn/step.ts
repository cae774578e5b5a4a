/** What a turn works with: fixed by the compiler, given by the run, or known of one step. */

import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Clock, Log, RunEventDraft } from "@tracon/core";
import type { BoundModel } from "../model/provider-registry.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";

/** Where a turn reports what happens. */
export type TurnJournal = {
  emit(event: RunEventDraft): void;
  textDelta(step: number, delta: string): void;
  reasoningDelta(step: number, delta: string): void;
  /** Resolves when everything emitted so far is on disk, or recording has stopped. */
  committed(): Promise<void>;
};

/** What a turn works with, fixed when the agent was compiled. */
export type TurnAgent = {
  readonly bound: BoundModel;
  /** Sampling, provider options and function tools; the prompt is added for each call. */
  readonly callOptions: Omit<LanguageModelV4CallOptions, "prompt" | "abortSignal">;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly limits: TurnLimits;
  readonly allowConcurrentToolCalls: boolean;
};

export type TurnLimits = {
  /** Model calls that may ask for tools; one more follows that offers none. */
  readonly maximumIterations: number;
  /** Tool batches in a row that may hold a failed call. */
  readonly maximumConsecutiveErrors: number;
};

export type TurnRequest = {
  readonly agent: TurnAgent;
  /** The conversation; the turn appends to it. */
  readonly prompt: LanguageModelV4Prompt;
  /** Iteration of the outer loop, from 1. */
  readonly iteration: number;
  readonly signal: AbortSignal;
  readonly journal: TurnJournal;
  readonly clock: Clock;
  readonly log: Log;
};

export const DEFAULT_TURN_LIMITS: TurnLimits = {
  maximumIterations: 40,
  maximumConsecutiveErrors: 3,
};

/** What one step knows of its turn. */
export type StepContext = TurnRequest & {
  readonly step: number;
  /** Ids of tool calls already used in this turn's history. */
  readonly usedCallIds: Set<string>;
};

/** Milliseconds with the microseconds a timer really has. */
export const roundMs = (durationMs: number): number => Math.round(durationMs * 1_000) / 1_000;
