/** Messages of a provider's prompt as they are stored: the one border in this direction. */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatContent, ChatMessage } from "@tracon/core";
import { fileContent } from "./file-data.ts";
import { storedResult } from "./tool-output.ts";

type Part = Exclude<LanguageModelV4Message, { role: "system" }>["content"][number];

/** Instructions belong to the agent and answers to approvals to the run, so neither is stored. */
export function chatMessagesOf(prompt: LanguageModelV4Prompt): readonly ChatMessage[] {
  return prompt.flatMap((message): ChatMessage[] => {
    if (message.role === "system") return [];
    const contents = message.content.flatMap((part: Part) => contentOf(part) ?? []);
    return contents.length === 0 ? [] : [{ role: message.role, contents }];
  });
}

function contentOf(part: Part): ChatContent | undefined {
  const content = bareContentOf(part);
  if (content === undefined) return undefined;
  const options = "providerOptions" in part ? part.providerOptions : undefined;
  return options === undefined ? content : { ...content, providerOptions: options };
}

function bareContentOf(part: Part): ChatContent | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { $type: part.type, text: part.text };
    case "tool-call":
      return {
        $type: "functionCall",
        callId: part.toolCallId,
        name: part.toolName,
        arguments: part.input,
        ...(part.providerExecuted === true ? { informationalOnly: true } : {}),
      };
    case "tool-result":
      return {
        $type: "functionResult",
        callId: part.toolCallId,
        name: part.toolName,
        ...storedResult(part.output),
      };
    case "file":
    case "reasoning-file":
      return fileContent(part);
    case "custom":
      return { $type: "custom", kind: part.kind };
    default:
      return undefined;
  }
}
