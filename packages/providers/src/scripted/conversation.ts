/** What a script reads from the conversation it is called with. */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

export type Conversation = {
  /** Which model call after the last user message this is, from zero. */
  readonly call: number;
  /** The text of the last user message. */
  readonly input: string;
  /** The result of the last tool call after it. */
  readonly toolResult: unknown;
  /** How many tool calls the whole conversation has, so that new ids differ from the old. */
  readonly toolCalls: number;
};

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const lastUser = prompt.findLastIndex((message) => message.role === "user");
  const since = prompt.slice(lastUser + 1);
  return {
    call: since.filter((message) => message.role === "assistant").length,
    input: userText(prompt[lastUser]),
    toolResult: lastToolResult(since),
    toolCalls: prompt.reduce((sum, message) => sum + toolCallsIn(message), 0),
  };
}

function userText(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function lastToolResult(messages: LanguageModelV4Prompt): unknown {
  const results = messages.flatMap((message) =>
    message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : [],
  );
  const output = results.at(-1)?.output;
  if (output === undefined) return undefined;
  switch (output.type) {
    case "execution-denied":
      return output.reason ?? "denied";
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : "")).join("");
    default:
      return output.value;
  }
}

const toolCallsIn = (message: LanguageModelV4Message): number =>
  message.role === "assistant"
    ? message.content.filter((part) => part.type === "tool-call").length
    : 0;
