/**
 * Agent extensions: code an application registers and a definition selects by name, run when the
 * agent is compiled, after everything the definition decides.
 */

import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { ContextProvider } from "../turn/context-provider.ts";

/** Where middleware goes: inside the tool loop around every model call, or above it around the turn. */
export type ChatClientSlot = "ModelCall" | "Turn";

/**
 * The compiled options of an agent. What the definition decides is protected: an extension may read
 * it, and the compilation fails when it changes it. The rest is the extension's to set.
 */
export type AgentOptions = {
  /** Protected. */
  readonly definition: AgentOptionsOwnedByDefinition;
  /** Passed to the model with every call of the agent. */
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  stopSequences?: string[];
  headers?: Record<string, string>;
  /** Vendor options by provider; what the definition sets there is protected. */
  providerOptions: Record<string, Record<string, unknown>>;
};

/** Members the definition, or a decision on tenants and security, owns. */
export type AgentOptionsOwnedByDefinition = {
  readonly instructions: string | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly reasoningEffort: string | undefined;
  readonly responseFormat: unknown;
  readonly toolNames: readonly string[];
  readonly toolLoop: unknown;
  readonly harness: unknown;
  readonly compaction: unknown;
  readonly memory: unknown;
  readonly workspace: unknown;
  readonly skills: unknown;
  readonly callableAgents: unknown;
  readonly subAgents: unknown;
};

/** What an extension works with while an agent is compiled. */
export type ExtensionContext = {
  readonly agentName: string;
  readonly options: AgentOptions;
  /** Appends a provider; what Tracon and earlier extensions added stays. */
  addContextProvider(provider: ContextProvider): void;
  /** Puts AI SDK middleware into the agent's model pipeline, inside what earlier calls put there. */
  useChatClient(ring: {
    readonly slot: ChatClientSlot;
    readonly middleware: LanguageModelV4Middleware;
  }): void;
};

/** An extension as an application registers it. */
export type AgentExtension = {
  readonly description?: string;
  /** Runs at every compilation that names it. Must not be asynchronous. */
  apply(context: ExtensionContext): void;
};

/** The registered extensions by name. */
export type AgentExtensions = ReadonlyMap<string, AgentExtension>;
