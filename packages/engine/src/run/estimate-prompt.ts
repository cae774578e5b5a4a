/**
 * How many tokens a run's first model call would take. One fixed approximation for every provider:
 * a tokenizer is tens of megabytes and right for one model family only.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ContextWindowEstimate } from "@tracon/core";
import type { CompiledAgent } from "../compile/compile-agent.ts";

/** UTF-8 bytes counted as one token: right for English prose, too many for most other text. */
const BYTES_PER_TOKEN = 4;
/** Share of the context window that stays free for the answer. */
const RESERVE_RATIO = 0.2;

/** Estimates the prompt of `message` sent to `agent` behind a history. `contextWindowTokens` is of its model, when known. */
export function estimatePrompt(
  { turn, instructions = "" }: CompiledAgent,
  {
    message = "",
    history,
  }: { readonly message: string | undefined; readonly history: LanguageModelV4Prompt },
  contextWindowTokens: number | undefined,
): ContextWindowEstimate {
  const { tools = [], responseFormat } = turn.callOptions;
  const schema = responseFormat?.type === "json" ? (responseFormat.schema ?? "") : "";
  const promptTokens = [
    instructions,
    ...history.map(({ content }) => content),
    message,
    ...tools,
    schema,
  ]
    .map(tokensOf)
    .reduce((sum, tokens) => sum + tokens);
  const allowedPromptTokens =
    contextWindowTokens === undefined
      ? null
      : Math.floor(contextWindowTokens * (1 - RESERVE_RATIO));
  return {
    promptTokens,
    contextWindowTokens: contextWindowTokens ?? null,
    allowedPromptTokens,
    wouldBeRejected: allowedPromptTokens !== null && promptTokens > allowedPromptTokens,
  };
}

function tokensOf(part: string | object): number {
  const text = typeof part === "string" ? part : JSON.stringify(part);
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
