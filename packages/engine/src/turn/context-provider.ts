import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/** What a context provider is told of the run it adds to. */
export type ContextInput = {
  readonly agentName: string;
  readonly tenantId: string;
  readonly runId: string;
  /** The conversation so far, without what other providers add. */
  readonly messages: LanguageModelV4Prompt;
  readonly signal: AbortSignal;
};

/** What a context provider adds to one run. Nothing of it is stored. */
export type ContextAddition = {
  /** Joined to the agent's instructions. */
  readonly instructions?: string;
  /** Put before the caller's message. */
  readonly messages?: LanguageModelV4Prompt;
};

/**
 * Adds to the context of every run of an agent. `before` runs ahead of the turn and `after` behind
 * it, whether it answered or failed. A provider that throws fails the run.
 */
export type ContextProvider = {
  /** Unique among the providers of the agent. */
  readonly name: string;
  before?(input: ContextInput): ContextAddition | undefined | Promise<ContextAddition | undefined>;
  after?(
    outcome: ContextInput & { readonly answer?: string; readonly error?: unknown },
  ): void | Promise<void>;
};
