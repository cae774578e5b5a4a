/** The Responses surface: an answer as typed events, and as one object. */

import type { Answer, AnswerToolCall, FakeUsage } from "./turn.ts";

/** 2026-01-01, in the seconds OpenAI uses. */
const CREATED = 1_767_225_600;

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The server-sent events of an answer. */
export function* responseEvents(answer: Answer): Generator<string> {
  let sequence_number = 0;
  for (const event of events(answer)) {
    yield serverSent({ ...event, sequence_number });
    sequence_number += 1;
  }
}

/** The finished answer; the whole body of a request that does not stream. */
export function responseObject(answer: Answer): object {
  const incomplete = { length: "max_output_tokens", content_filter: "content_filter" } as const;
  const reason =
    answer.finishReason in incomplete
      ? incomplete[answer.finishReason as keyof typeof incomplete]
      : undefined;
  return {
    ...frame(answer, reason === undefined ? "completed" : "incomplete"),
    incomplete_details: reason === undefined ? null : { reason },
    output: outputItems(answer),
    usage: answer.usage === null ? null : responseUsage(answer.usage),
  };
}

/** What the server remembers of an answer: its id and its items. */
export const responseMemory = (
  answer: Answer,
): { readonly id: string; readonly items: readonly Item[] } => ({
  id: responseId(answer),
  items: outputItems(answer),
});

/** An error in the middle of a stream. Clients that check events refuse one without its number. */
export const responseErrorEvent = (error: object): string =>
  serverSent({ type: "error", sequence_number: 0, code: null, message: "", param: null, ...error });

function* events(answer: Answer): Generator<Event> {
  const started = {
    ...frame(answer, "in_progress"),
    incomplete_details: null,
    output: [],
    usage: null,
  };
  yield { type: "response.created", response: started };
  yield { type: "response.in_progress", response: started };
  let output_index = 0;
  if (answer.reasoning.length > 0) yield* reasoningEvents(answer, output_index++);
  if (answer.text.length > 0) yield* textEvents(answer, output_index++);
  for (const call of answer.toolCalls) yield* callEvents(call, output_index++);
  const response = responseObject(answer);
  const incomplete = answer.finishReason === "length" || answer.finishReason === "content_filter";
  yield { type: incomplete ? "response.incomplete" : "response.completed", response };
}

function* reasoningEvents(answer: Answer, output_index: number): Generator<Event> {
  const item = reasoningItem(answer);
  const at = { item_id: item.id, output_index, summary_index: 0 };
  const part = { type: "summary_text", text: answer.reasoning.join("") };
  yield { type: "response.output_item.added", output_index, item: { ...item, summary: [] } };
  yield { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } };
  for (const delta of answer.reasoning) {
    yield { type: "response.reasoning_summary_text.delta", ...at, delta };
  }
  yield { type: "response.reasoning_summary_text.done", ...at, text: part.text };
  yield { type: "response.reasoning_summary_part.done", ...at, part };
  yield { type: "response.output_item.done", output_index, item };
}

function* textEvents(answer: Answer, output_index: number): Generator<Event> {
  const item = messageItem(answer);
  const at = { item_id: item.id, output_index, content_index: 0 };
  const part = textPart(answer);
  const opened = { ...item, status: "in_progress", content: [] };
  yield { type: "response.output_item.added", output_index, item: opened };
  yield { type: "response.content_part.added", ...at, part: { ...part, text: "" } };
  for (const delta of answer.text) {
    yield { type: "response.output_text.delta", ...at, delta, logprobs: [] };
  }
  yield { type: "response.output_text.done", ...at, text: part.text, logprobs: [] };
  yield { type: "response.content_part.done", ...at, part };
  yield { type: "response.output_item.done", output_index, item };
}

function* callEvents(call: AnswerToolCall, output_index: number): Generator<Event> {
  const item = callItem(call);
  const at = { item_id: item.id, output_index };
  const opened = { ...item, status: "in_progress", arguments: "" };
  yield { type: "response.output_item.added", output_index, item: opened };
  for (const delta of call.argumentChunks) {
    yield { type: "response.function_call_arguments.delta", ...at, delta };
  }
  const text = call.argumentChunks.join("");
  yield {
    type: "response.function_call_arguments.done",
    ...at,
    name: call.name,
    arguments: text,
  };
  yield { type: "response.output_item.done", output_index, item };
}

function outputItems(answer: Answer): readonly Item[] {
  return [
    ...(answer.reasoning.length > 0 ? [reasoningItem(answer)] : []),
    ...(answer.text.length > 0 ? [messageItem(answer)] : []),
    ...answer.toolCalls.map(callItem),
  ];
}

const reasoningItem = (answer: Answer): Item => ({
  id: `rs_${answer.number}`,
  type: "reasoning",
  encrypted_content: null,
  summary: [{ type: "summary_text", text: answer.reasoning.join("") }],
});

const messageItem = (answer: Answer): Item => ({
  id: `msg_${answer.number}`,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [textPart(answer)],
});

const textPart = (answer: Answer) => ({
  type: "output_text",
  text: answer.text.join(""),
  annotations: [],
  logprobs: [],
});

const callItem = (call: AnswerToolCall): Item => ({
  id: `fc_${call.id}`,
  type: "function_call",
  status: "completed",
  call_id: call.id,
  name: call.name,
  arguments: call.argumentChunks.join(""),
});

const frame = (answer: Answer, status: string): object => ({
  id: responseId(answer),
  object: "response",
  created_at: CREATED,
  status,
  model: answer.model,
  error: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
});

const responseId = (answer: Answer): string => `resp_${answer.number}`;

const responseUsage = (usage: FakeUsage): object => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
});

const serverSent = (event: Event): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
