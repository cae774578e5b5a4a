/** The Chat Completions surface: an answer as chunks, and as one object. */

import type { Answer, FakeUsage } from "./turn.ts";

/** 2026-01-01, in the seconds OpenAI uses. */
const CREATED = 1_767_225_600;

type ChatBody = { readonly stream_options?: { readonly include_usage?: boolean } | null };

/** The server-sent events of an answer. */
export function* chatEvents(answer: Answer, body: object): Generator<string> {
  const { stream_options } = body as ChatBody;
  const withUsage = stream_options?.include_usage === true;
  for (const delta of deltas(answer)) yield event(chunkOf(answer, choice(delta, null)));
  yield event(chunkOf(answer, choice({}, answer.finishReason)));
  if (withUsage && answer.usage !== null) {
    yield event({ ...chunkOf(answer), usage: chatUsage(answer.usage) });
  }
  yield "data: [DONE]\n\n";
}

/** The answer to a request that does not stream. */
export function chatCompletion(answer: Answer): object {
  const { toolCalls } = answer;
  return {
    ...frame(answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text.length > 0 ? answer.text.join("") : null,
          refusal: null,
          ...(answer.reasoning.length > 0 && { reasoning_content: answer.reasoning.join("") }),
          ...(toolCalls.length > 0 && {
            tool_calls: toolCalls.map(({ id, name, argumentChunks }) => ({
              id,
              type: "function",
              function: { name, arguments: argumentChunks.join("") },
            })),
          }),
        },
        logprobs: null,
        finish_reason: answer.finishReason,
      },
    ],
    ...(answer.usage !== null && { usage: chatUsage(answer.usage) }),
  };
}

/** An error in the middle of a stream. */
export const chatErrorEvent = (error: object): string => event({ error });

function* deltas({ reasoning, text, toolCalls }: Answer): Generator<object> {
  // Real: an empty text announces a text, and null a message of calls alone.
  yield { role: "assistant", content: text.length > 0 ? "" : null };
  for (const reasoning_content of reasoning) yield { reasoning_content };
  for (const content of text) yield { content };
  for (const [index, { id, name, argumentChunks }] of toolCalls.entries()) {
    yield { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    for (const piece of argumentChunks) {
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

const choice = (delta: object, finish_reason: string | null): object => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason,
});

const chunkOf = (answer: Answer, ...choices: readonly object[]): object => ({
  ...frame(answer, "chat.completion.chunk"),
  choices,
});

const frame = ({ number, model }: Answer, object: string): object => ({
  id: `chatcmpl-${number}`,
  object,
  created: CREATED,
  model,
});

const chatUsage = (usage: FakeUsage): object => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
});

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
