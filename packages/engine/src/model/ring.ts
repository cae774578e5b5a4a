/**
 * A ring around every model call, inside the tool loop.
 *
 * The chain is built once, when an agent is compiled. A ring that has nothing to do for the agent gives
 * back `next` itself, so that it costs nothing when the model is called.
 */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Clock, Log, ResponseCache, RunEventDraft } from "@tracon/core";
import type { ReadAttachment } from "../attachment/fill-prompt.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { ContentGuards } from "./content-guards.ts";
import type { BoundModel } from "./provider-registry.ts";

/** One model call on its way to the provider. */
export type ModelRequest = {
  readonly bound: BoundModel;
  /** With the prompt and the run's signal. */
  readonly options: LanguageModelV4CallOptions;
  readonly signal: AbortSignal;
  readonly tenantId: string;
  readonly runId: string;
  /** The run's; rings report what they did through it. */
  readonly journal: { emit(event: RunEventDraft): void };
  readonly clock: Clock;
  readonly log: Log;
  /** The run's share of its tree's budget; absent when the tree has no limits on what calls spend. */
  readonly budget?: CallBudget | undefined;
  /**
   * Told once how the call ended, by whoever reads the answer's stream. Absent when the reader is not
   * ours: rings then have to look on themselves.
   */
  readonly onEnd?: ((end: (outcome: ModelCallOutcome) => void) => void) | undefined;
};

/** Opens the stream of an answer, or rejects with what the provider threw. */
export type SendModelRequest = (request: ModelRequest) => PromiseLike<LanguageModelV4StreamResult>;

export type ModelRing = {
  readonly name: string;
  wrap(next: SendModelRequest, settings: ModelRingSettings): SendModelRequest;
};

/** Waits; rejects with the signal's reason when it fires first. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** How a call that nobody answered is repeated. */
export type RetrySettings = {
  /** Repetitions of one call; 0 for none. Default 2. */
  readonly maxRetries: number;
  /** First wait in milliseconds, doubled with every further one. Default 500. */
  readonly baseDelayMs: number;
  /** Longest wait in milliseconds; a provider that asks for more is not asked again. Default 30,000. */
  readonly maxDelayMs: number;
};

/** What is set aside before a call and settled after it. */
export type ModelCallReservation = {
  /** The output limit the call must be sent with; absent when its own is low enough. */
  readonly maxOutputTokens?: number;
  settle(outcome: ModelCallOutcome): void;
};

/** What is known of a call once it is over, however it ended. */
export type ModelCallOutcome = {
  /** Tokens as measured; `undefined` when the provider reported none. */
  readonly usage: LanguageModelV4Usage | undefined;
  /** Nobody was asked: the answer came from the response cache. */
  readonly fromCache: boolean;
  /** The answer asks for tools, so that another call will follow. */
  readonly asksForTools: boolean;
  /** The provider refused the call, or broke before its answer began. */
  readonly isUnanswered: boolean;
  /** Length of what was received, in UTF-16 units. Asked only when there is no usage. */
  outputLength(): number;
};

/** Reserves what a call may spend; rejecting refuses the call. */
export type CallBudget = {
  reserve(request: ModelRequest): PromiseLike<ModelCallReservation>;
};

/** What the rings of all agents of an engine share. */
export type ModelHost = {
  readonly retry: RetrySettings;
  /** Waits for a free place with the provider; absent when calls are not limited. */
  readonly limits: ProviderLimits | undefined;
  readonly responseCache: ResponseCache | undefined;
  readonly metrics: Pick<Metrics, "modelCache"> | undefined;
  /** Absent when nothing is told of model calls. */
  readonly tracing: Tracing | undefined;
  readonly guards: ContentGuards | undefined;
  /** Absent where messages name none. */
  readonly readAttachment: ReadAttachment | undefined;
  /** Between 0 and 1, as `Math.random`. */
  readonly random: () => number;
  readonly sleep: Sleep;
};

/** Places for calls in progress, by provider. */
export type ProviderLimits = {
  /** Resolves with how to give the place back; rejects when the signal fires first. */
  enter(provider: string, signal: AbortSignal): Promise<() => void>;
};

/** What rings are built from: the engine's share, and what one agent asks for. */
export type ModelRingSettings = {
  readonly host: ModelHost;
  /** Middleware of the agent's extensions, outermost first. */
  readonly middleware: readonly LanguageModelV4Middleware[];
  /** How long answers are kept, in milliseconds; `undefined` keeps none. */
  readonly cacheLifetimeMs: number | undefined;
};
