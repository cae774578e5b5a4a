/**
 * How many tokens a run's first model call would take. One fixed approximation for every provider:
 * a tokenizer is tens of megabytes and right for one model family only.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  type ChatContent,
  type ChatMessage,
  type ContextWindowEstimate,
  TraconError,
} from "@tracon/core";
import { documentText } from "../attachment/document-text.ts";
import type { CompiledAgent } from "../compile/compile-agent.ts";
import { describeOutcome } from "../delegation/outcome-text.ts";
import type { StartChild } from "../scope/child-call.ts";
import { createRunScope } from "../scope/run-scope.ts";
import { RunState } from "../scope/run-state.ts";

/** UTF-8 bytes counted as one token: right for English prose, too many for most other text. */
const BYTES_PER_TOKEN = 4;
/** Whether prompts are measured before a run starts, and what of the window is left to the answer. */
export type PreflightSettings = {
  readonly enabled: boolean;
  /** Share of the context window, from 0 to below 1. */
  readonly reserveRatio: number;
};

export const DEFAULT_PREFLIGHT: PreflightSettings = { enabled: false, reserveRatio: 0.2 };

/** What is known of the model's window, and how much of it a prompt may take. */
export type PromptWindow = {
  /** Of the agent's model, when known. */
  readonly contextWindowTokens: number | undefined;
  readonly reserveRatio: number;
};

export type EstimatedTurn = {
  readonly asked: ChatMessage | undefined;
  readonly history: LanguageModelV4Prompt;
  /** What features keep in the session; absent when there is none. */
  readonly state: ReturnType<RunState["snapshot"]> | undefined;
};

/** Estimates the prompt of what was `asked`, sent to `agent` behind a history. */
export function estimatePrompt(
  agent: CompiledAgent,
  { asked, history, state }: EstimatedTurn,
  { contextWindowTokens, reserveRatio }: PromptWindow,
): ContextWindowEstimate {
  const { turn, instructions = "" } = agent;
  const { tools = [], responseFormat } = turn.callOptions;
  const schema = responseFormat?.type === "json" ? (responseFormat.schema ?? "") : "";
  const promptTokens = [
    instructions,
    ...harnessText(agent, state),
    ...history.map(({ content }) => content),
    ...(asked?.contents ?? []).flatMap(textOf),
    ...tools,
    schema,
  ]
    .map(tokensOf)
    .reduce((sum, tokens) => sum + tokens);
  const allowedPromptTokens =
    contextWindowTokens === undefined ? null : Math.floor(contextWindowTokens * (1 - reserveRatio));
  return {
    promptTokens,
    contextWindowTokens: contextWindowTokens ?? null,
    allowedPromptTokens,
    wouldBeRejected: allowedPromptTokens !== null && promptTokens > allowedPromptTokens,
  };
}

/** What the harness would add to the turn. A part looks at a state of its own, and starts nothing. */
function harnessText(
  { harnessProviders }: CompiledAgent,
  state: EstimatedTurn["state"],
): readonly (string | object)[] {
  if (harnessProviders.length === 0) return [];
  const scope = createRunScope({ startChild: refuse, describeOutcome, state: new RunState(state) });
  return harnessProviders.flatMap((provider) => {
    const { instructions = "", messages = [] } = provider.before(scope) ?? {};
    return [instructions, ...messages.map(({ content }) => content)];
  });
}

const refuse: StartChild = async () => ({
  kind: "refused",
  code: "feature_unavailable",
  reason: "an estimate starts no agent",
});

/** Throws `context_window_exceeded` for a prompt that would be rejected. */
export function refuseTooLarge({ wouldBeRejected, ...estimate }: ContextWindowEstimate): void {
  if (!wouldBeRejected) return;
  const { promptTokens, allowedPromptTokens, contextWindowTokens } = estimate;
  throw new TraconError(
    "context_window_exceeded",
    `the prompt has about ${promptTokens} tokens and may have ${allowedPromptTokens} of the model's window of ${contextWindowTokens}; shorten it, or lower preflight.reserveRatio`,
    { extensions: estimate },
  );
}

/** What a file takes is decided by the model that reads it, so it counts for nothing here. */
function textOf(content: ChatContent): string[] {
  if (content.$type === "document") return [documentText(content.name, content.text)];
  return content.$type === "text" ? [content.text] : [];
}

function tokensOf(part: string | object): number {
  const text = typeof part === "string" ? part : JSON.stringify(part);
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
