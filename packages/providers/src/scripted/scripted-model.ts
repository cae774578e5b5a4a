/** The model of the `scripted` provider: plays a script, deterministically and without a network. */

import { setTimeout as timer } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { captureWords } from "./captures.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { promptLength } from "./prompt-length.ts";
import type { Script, ScriptTurn } from "./script.ts";
import { fillJson, fillText, type TemplateValues } from "./template.ts";

/** The common rule of thumb; real tokenizers differ, but these counts never vary. */
const CHARACTERS_PER_TOKEN = 4;

type ToolCall = { readonly id: string; readonly name: string; readonly input: string };

/** An answer whose placeholders are filled. */
type Answer = {
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: Extract<LanguageModelV4StreamPart, { type: "finish" }>;
  readonly chunkSize: number;
  readonly chunkDelayMs: number;
};

/** A model of the provider `provider` that plays `script`. */
export function scriptedModel(provider: string, modelId: string, script: Script): LanguageModelV4 {
  const answer = async (
    call: LanguageModelV4CallOptions,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const conversation = readConversation(call.prompt);
    const { turn, captures } = turnFor(script, conversation, modelId);
    await wait(turn.delayMs ?? script.delayMs, signal);
    if (turn.error !== undefined) throw await callError(turn.error, `${provider}:${modelId}`);
    const prompt = { toolCalls: conversation.toolCalls, length: promptLength(call) };
    return answerOf(turn, script, prompt, { ...conversation, captures });
  };

  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    async doStream(call) {
      const reader = new AbortController();
      const signals = call.abortSignal ? [call.abortSignal, reader.signal] : [reader.signal];
      const signal = AbortSignal.any(signals);
      return { stream: cancelableStream(streamParts(await answer(call, signal), signal), reader) };
    },
    async doGenerate(call) {
      return resultOf(await answer(call, call.abortSignal));
    },
  };
}

function turnFor(
  script: Script,
  { input, call }: Conversation,
  modelId: string,
): { readonly turn: ScriptTurn; readonly captures: ReadonlyMap<string, string> } {
  for (const rule of script.rules) {
    if (rule.match !== "*" && !input.toLowerCase().includes(rule.match.toLowerCase())) continue;
    const captures = captureWords(rule.captures, input);
    if (captures === undefined) continue;
    const turn = rule.turns[call];
    if (turn !== undefined) return { turn, captures };
    const turns = rule.turns.length;
    throw new Error(`the script of '${modelId}' has ${turns} turns, but call ${call + 1} came`);
  }
  throw new Error(`the script of '${modelId}' has no rule for the message; add one for '*'`);
}

function answerOf(
  turn: ScriptTurn,
  script: Script,
  prompt: { readonly toolCalls: number; readonly length: number },
  values: TemplateValues,
): Answer {
  const reasoning = fillText(turn.reasoning ?? "", values);
  const text = fillText(turn.text ?? "", values);
  const toolCalls = (turn.toolCalls ?? []).map(({ name, input }, position) => ({
    id: `call-${prompt.toolCalls + position + 1}`,
    name,
    input: JSON.stringify(fillJson(input, values)),
  }));
  const written = toolCalls.reduce((sum, { name, input }) => sum + name.length + input.length, 0);
  const counted = {
    inputTokens: tokensOf(prompt.length),
    outputTokens: tokensOf(reasoning.length + text.length + written),
  };
  const unified = turn.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop");
  return {
    reasoning,
    text,
    toolCalls,
    finish: {
      type: "finish",
      finishReason: { unified, raw: unified },
      usage: usageOf(turn.usage ?? counted, tokensOf(reasoning.length)),
    },
    chunkSize: script.chunkSize,
    chunkDelayMs: turn.chunkDelayMs ?? script.chunkDelayMs,
  };
}

const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function usageOf(
  { inputTokens, outputTokens }: NonNullable<ScriptTurn["usage"]>,
  reasoningTokens: number,
): LanguageModelV4Usage {
  const reasoning = Math.min(reasoningTokens, outputTokens);
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens - reasoning, reasoning },
  };
}

async function* streamParts(
  answer: Answer,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  let first = true;
  for (const part of contentParts(answer)) {
    const isChunk = part.type === "text-delta" || part.type === "reasoning-delta";
    if (isChunk && !first) await wait(answer.chunkDelayMs, signal);
    if (isChunk) first = false;
    signal.throwIfAborted();
    yield part;
  }
  yield answer.finish;
}

function* contentParts(answer: Answer): Generator<LanguageModelV4StreamPart> {
  if (answer.reasoning !== "") {
    yield { type: "reasoning-start", id: "reasoning" };
    for (const delta of chunksOf(answer.reasoning, answer.chunkSize)) {
      yield { type: "reasoning-delta", id: "reasoning", delta };
    }
    yield { type: "reasoning-end", id: "reasoning" };
  }
  if (answer.text !== "") {
    yield { type: "text-start", id: "text" };
    for (const delta of chunksOf(answer.text, answer.chunkSize)) {
      yield { type: "text-delta", id: "text", delta };
    }
    yield { type: "text-end", id: "text" };
  }
  for (const { id, name, input } of answer.toolCalls) {
    yield { type: "tool-input-start", id, toolName: name };
    yield { type: "tool-input-delta", id, delta: input };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: name, input };
  }
}

/** Pieces of at most `size` characters; a surrogate pair is never cut. */
function* chunksOf(text: string, size: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const codeBefore = text.charCodeAt(end - 1);
    if (end < text.length && codeBefore >= 0xd800 && codeBefore <= 0xdbff) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function resultOf(answer: Answer): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  if (answer.reasoning !== "") content.push({ type: "reasoning", text: answer.reasoning });
  if (answer.text !== "") content.push({ type: "text", text: answer.text });
  for (const { id, name, input } of answer.toolCalls) {
    content.push({ type: "tool-call", toolCallId: id, toolName: name, input });
  }
  const { finishReason, usage } = answer.finish;
  return { content, finishReason, usage, warnings: [] };
}

/** The error the SDK's own packages raise for such a status. */
async function callError(error: NonNullable<ScriptTurn["error"]>, url: string): Promise<Error> {
  const { APICallError } = await import("@ai-sdk/provider");
  return new APICallError({ ...error, url, requestBodyValues: {} });
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms === 0) return;
  try {
    await timer(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    // The timer rejects with an AbortError of its own; a caller expects the reason it gave.
    signal?.throwIfAborted();
    throw error;
  }
}

/** The stream of `parts`, whose cancellation also ends a wait inside them. */
function cancelableStream(
  parts: AsyncGenerator<LanguageModelV4StreamPart>,
  reader: AbortController,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => reader.abort(),
    },
    // Nothing is played before it is read, so that delays run while somebody waits for them.
    { highWaterMark: 0 },
  );
}
