/** How much a call sends to its model. */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ProviderTool,
} from "@ai-sdk/provider";

type Sent = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">;

/** Characters of the messages, of the tools that are offered with them, and of the schema of the answer. */
export function promptLength({ prompt, tools = [], responseFormat }: Sent): number {
  const schema = responseFormat?.type === "json" ? responseFormat.schema : undefined;
  return (
    prompt.reduce((sum, message) => sum + messageLength(message), 0) +
    tools.reduce((sum, tool) => sum + toolLength(tool), 0) +
    jsonLength(schema)
  );
}

function messageLength(message: LanguageModelV4Message): number {
  if (message.role === "system") return message.content.length;
  let length = 0;
  for (const part of message.content) {
    if (part.type === "text" || part.type === "reasoning") length += part.text.length;
    else if (part.type === "tool-call") length += part.toolName.length + jsonLength(part.input);
    else if (part.type === "tool-result") length += jsonLength(part.output);
  }
  return length;
}

const toolLength = (tool: LanguageModelV4FunctionTool | LanguageModelV4ProviderTool): number =>
  tool.type === "function"
    ? tool.name.length + (tool.description ?? "").length + jsonLength(tool.inputSchema)
    : tool.name.length + jsonLength(tool.args);

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
