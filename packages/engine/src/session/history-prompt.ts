/**
 * A history as a provider reads it: the one border in this direction.
 *
 * Whatever the order in which results were appended, each call is followed by exactly one, in the order
 * of the calls and in one message; a call that still has none gets one that says so. Ids are made
 * unique. A provider refuses a prompt in which any of this is not so.
 */

import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { ChatContent, ChatMessage } from "@tracon/core";
import { documentText } from "../attachment/document-text.ts";
import {
  type FunctionCall,
  type FunctionResult,
  interrupted,
  matchResults,
} from "./call-results.ts";
import { filePart } from "./file-data.ts";
import { toolOutput } from "./tool-output.ts";

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** A history in a provider's words. */
export type HistoryPrompt = {
  readonly prompt: LanguageModelV4Prompt;
  /** The ids its calls have. */
  readonly callIds: ReadonlySet<string>;
};

export function promptOfHistory(messages: readonly ChatMessage[]): HistoryPrompt {
  const results = matchResults(messages);
  const callIds = new Set<string>();
  const prompt: LanguageModelV4Message[] = [];
  for (const { role, contents } of messages) {
    if (role === "user") push(prompt, { role, content: contents.flatMap(userPart) });
    if (role !== "assistant") continue;
    const ids = new Map<FunctionCall, string>();
    const hosted = new Map<string, string>();
    for (const content of contents) {
      if (content.$type !== "functionCall") continue;
      const id = uniqueId(content.callId, callIds);
      if (content.informationalOnly === true) hosted.set(content.callId, id);
      else ids.set(content, id);
    }
    const content = contents.flatMap((it) => assistantPart(it, ids, hosted));
    push(prompt, { role, content });
    const answers = [...ids].map(([call, id]) =>
      resultPart(call.name, id, results.get(call) ?? interrupted(call)),
    );
    push(prompt, { role: "tool", content: answers });
  }
  return { prompt, callIds };
}

function push(prompt: LanguageModelV4Message[], message: LanguageModelV4Message): void {
  if (message.content.length > 0) prompt.push(message);
}

function uniqueId(callId: string, used: Set<string>): string {
  let id = callId;
  for (let copy = 1; id === "" || used.has(id); copy++) id = `${callId}_${copy}`;
  used.add(id);
  return id;
}

function userPart(content: ChatContent): UserPart[] {
  if (content.$type === "text") {
    return [{ type: "text", text: content.text, ...optionsOf(content) }];
  }
  if (content.$type === "document") {
    return [{ type: "text", text: documentText(content.name, content.text) }];
  }
  if (content.$type !== "data" && content.$type !== "hostedFile") return [];
  const part = filePart(content);
  return part.type === "file" ? [{ ...part, ...optionsOf(content) }] : [];
}

function assistantPart(
  content: ChatContent,
  ids: ReadonlyMap<FunctionCall, string>,
  hosted: ReadonlyMap<string, string>,
): AssistantPart[] {
  switch (content.$type) {
    case "text":
    case "reasoning":
      return [{ type: content.$type, text: content.text, ...optionsOf(content) }];
    case "functionCall":
      return [callPart(content, ids.get(content) ?? hosted.get(content.callId) ?? content.callId)];
    case "functionResult": {
      const id = hosted.get(content.callId);
      return id === undefined ? [] : [resultPart(content.name ?? "unknown", id, content)];
    }
    case "data":
    case "hostedFile":
      return [{ ...filePart(content), ...optionsOf(content) }];
    case "document":
      return [];
    case "custom":
      return [
        { type: "custom", kind: content.kind as `${string}.${string}`, ...optionsOf(content) },
      ];
  }
}

const callPart = (call: FunctionCall, toolCallId: string): AssistantPart => ({
  type: "tool-call",
  toolCallId,
  toolName: call.name,
  input: call.arguments ?? {},
  ...(call.informationalOnly === true ? { providerExecuted: true } : {}),
  ...optionsOf(call),
});

const resultPart = (
  toolName: string,
  toolCallId: string,
  result: FunctionResult,
): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName,
  output: toolOutput(result),
  ...optionsOf(result),
});

/** Options came from a provider as JSON, and go back as they came. */
const optionsOf = ({ providerOptions }: ChatContent) =>
  providerOptions === undefined
    ? {}
    : {
        providerOptions: providerOptions as NonNullable<
          LanguageModelV4ToolResultPart["providerOptions"]
        >,
      };
