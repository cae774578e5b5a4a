/**
 * What a model call may come to, before it is made. Nothing here is a tokenizer: a call waits for the
 * estimate, so it has to cost next to nothing, and it rather says too much.
 *
 * | part | counted as |
 * |---|---|
 * | text, arguments, results, tool definitions, response schema | a token for three bytes of UTF-8 |
 * | a message | 4 tokens more |
 * | a file | 2,000 tokens |
 * | the answer | the call's output limit, otherwise 4,096 tokens |
 */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";

const BYTES_PER_TOKEN = 3;
const MESSAGE_TOKENS = 4;
/** A page of a document or an image at full size, as vendors count them, is below it. */
const FILE_TOKENS = 2_000;
/** Set aside for the answer of a call without an output limit. */
const DEFAULT_OUTPUT_TOKENS = 4_096;

export type CallEstimate = { readonly promptTokens: number; readonly outputTokens: number };

export type EstimatedCall = Pick<
  LanguageModelV4CallOptions,
  "prompt" | "tools" | "responseFormat" | "maxOutputTokens"
>;

/** Estimates the calls of one run. A conversation is appended to, so each message is looked at once. */
export class CallEstimates {
  #messages = 0;
  #last: LanguageModelV4Message | undefined;
  #tokens = 0;

  of({ prompt, tools, responseFormat, maxOutputTokens }: EstimatedCall): CallEstimate {
    let promptTokens = this.#conversation(prompt);
    if (tools !== undefined) promptTokens += remembered(tools);
    if (responseFormat?.type === "json" && responseFormat.schema !== undefined) {
      promptTokens += remembered(responseFormat.schema);
    }
    return { promptTokens, outputTokens: maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS };
  }

  #conversation(prompt: LanguageModelV4Prompt): number {
    const goesOn = this.#messages > 0 && prompt[this.#messages - 1] === this.#last;
    let tokens = goesOn ? this.#tokens : 0;
    for (let at = goesOn ? this.#messages : 0; at < prompt.length; at++) {
      const message = prompt[at];
      if (message !== undefined) tokens += messageTokens(message);
    }
    this.#messages = prompt.length;
    this.#last = prompt.at(-1);
    this.#tokens = tokens;
    return tokens;
  }
}

/** Tools and schemas are an agent's, and all its runs share them. */
const known = new WeakMap<object, number>();

/** Tokens of a text of that many UTF-16 units, for one that is no longer there. */
export const tokensOfLength = (length: number): number => Math.ceil(length / BYTES_PER_TOKEN);

function remembered(value: object): number {
  const before = known.get(value);
  if (before !== undefined) return before;
  const tokens = jsonTokens(value);
  known.set(value, tokens);
  return tokens;
}

function messageTokens({ content }: LanguageModelV4Message): number {
  if (typeof content === "string") return MESSAGE_TOKENS + textTokens(content);
  let tokens = MESSAGE_TOKENS;
  for (const part of content) {
    switch (part.type) {
      case "text":
      case "reasoning":
        tokens += textTokens(part.text);
        break;
      case "file":
      case "reasoning-file":
        tokens += FILE_TOKENS;
        break;
      case "tool-result":
        tokens += part.output.type === "text" ? textTokens(part.output.value) : jsonTokens(part);
        break;
      default:
        tokens += jsonTokens(part);
    }
  }
  return tokens;
}

const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

function jsonTokens(value: unknown): number {
  try {
    return textTokens(JSON.stringify(value) ?? "");
  } catch {
    // What JSON cannot express, the provider's own package will refuse.
    return 0;
  }
}
