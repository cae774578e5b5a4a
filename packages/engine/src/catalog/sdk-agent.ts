/** Agents that an application built itself, with the AI SDK. */

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelMessage } from "@ai-sdk/provider-utils";
import type { ModelBinding } from "@tracon/core";

/**
 * An agent of the AI SDK (`Agent` of `ai` 7, such as its `ToolLoopAgent`), known by its structure: it
 * may come from any copy of the SDK.
 */
export type SdkAgent = {
  readonly version: "agent-v1";
  /** `abortSignal` fires when the run is cancelled. */
  stream(options: {
    /** The message; with a history, the whole conversation. */
    readonly prompt: string | ModelMessage[];
    readonly abortSignal: AbortSignal;
  }): PromiseLike<SdkAgentStream>;
};

/** What an agent streams: parts as the AI SDK's `TextStreamPart` has them. */
export type SdkAgentStream = {
  readonly stream?: AsyncIterable<unknown>;
  /** Its older name. */
  readonly fullStream?: AsyncIterable<unknown>;
};

/** What a model is asked for by: the model binding of a definition, without sampling. */
export type OwnModelRequest = Pick<ModelBinding, "provider" | "model"> &
  Partial<Pick<ModelBinding, "fallbacks" | "providerSettings" | "responseCache">>;

/** What code that builds an agent is given. */
export type AgentFactoryContext = {
  readonly agentName: string;
  readonly tenantId: string;
  /**
   * A model whose calls go through the rings of this installation: content guards, response cache,
   * retry, concurrency, fallback, circuit breaker and the `chat` span. It works only during the run
   * the agent is built for. Throws `compilation_failed` when it cannot be built.
   */
  createModel(request: OwnModelRequest): LanguageModelV4;
};

/** Builds the agent of one run. */
export type AgentFactory = (context: AgentFactoryContext) => SdkAgent | PromiseLike<SdkAgent>;
