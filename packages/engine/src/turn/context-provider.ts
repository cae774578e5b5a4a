import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Tool } from "@ai-sdk/provider-utils";

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
  /**
   * Tools of this run, by name. Their arguments are checked and their calls recorded as those of any
   * tool; what decides whether a registered tool may run is not asked. A name another tool of the
   * agent has fails the run.
   */
  readonly tools?: Readonly<Record<string, Tool>>;
};

/**
 * Adds to the context of every run of an agent. `before` runs ahead of the turn and `after` behind
 * it, whether it answered or failed. A provider that throws fails the run; the others' `after` is
 * still called. `after` is not waited for once the run was cancelled.
 */
export type ContextProvider = {
  /** Unique among the providers of the agent. */
  readonly name: string;
  before?(input: ContextInput): ContextAddition | undefined | Promise<ContextAddition | undefined>;
  after?(
    outcome: ContextInput & { readonly answer?: string; readonly error?: unknown },
  ): void | Promise<void>;
};
