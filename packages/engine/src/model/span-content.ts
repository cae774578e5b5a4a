/**
 * Prompts and answers as attributes of a span, in the form of OpenTelemetry's conventions for generative
 * AI. Files are named by their type only.
 */

import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Text of one message list in a span, in UTF-16 units: exporters refuse spans that are too large. */
const MAX_LENGTH = 65_536;

type Message = LanguageModelV4Prompt[number];
type Content = Exclude<Message["content"], string>[number];
type Part = Readonly<Record<string, unknown>>;

/** The conversation a model is asked with. Of one that is too long the newest messages are kept. */
export function promptAttributes(prompt: LanguageModelV4Prompt): Record<string, string> {
  const system = prompt.flatMap((message) =>
    message.role === "system" ? [{ type: "text", content: message.content }] : [],
  );
  const messages = prompt.filter(({ role }) => role !== "system").map(messageOf);
  return {
    ...(system.length === 0 ? {} : { "gen_ai.system_instructions": newest(system) }),
    "gen_ai.input.messages": newest(messages),
  };
}

/** An answer as it comes. */
export class AnswerText {
  #text = "";
  #reasoning = "";
  readonly #calls: Part[] = [];
  #finishReason: string | undefined;

  add(part: LanguageModelV4StreamPart): void {
    if (part.type === "text-delta") this.#text = grown(this.#text, part.delta);
    else if (part.type === "reasoning-delta") this.#reasoning = grown(this.#reasoning, part.delta);
    else if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      this.#calls.push({ type: "tool_call", id, name, arguments: input });
    } else if (part.type === "finish") this.#finishReason = part.finishReason.unified;
  }

  attributes(): Record<string, string> {
    const parts = [
      ...(this.#reasoning === "" ? [] : [{ type: "reasoning", content: this.#reasoning }]),
      ...(this.#text === "" ? [] : [{ type: "text", content: this.#text }]),
      ...this.#calls,
    ];
    if (parts.length === 0) return {};
    const message = { role: "assistant", parts, finish_reason: this.#finishReason ?? "error" };
    return { "gen_ai.output.messages": newest([message]) };
  }
}

const grown = (text: string, delta: string): string =>
  text.length < MAX_LENGTH ? text + delta : text;

const messageOf = ({ role, content }: Message): Part => ({
  role,
  parts: typeof content === "string" ? [{ type: "text", content }] : content.map(partOf),
});

function partOf(part: Content): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, content: part.text };
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = part;
      return { type: "tool_call", id, name, arguments: input };
    }
    case "tool-result": {
      const { toolCallId: id, output } = part;
      const response = "value" in output ? output.value : "reason" in output ? output.reason : "";
      return { type: "tool_call_response", id, response };
    }
    case "file":
      return { type: "file", mime_type: part.mediaType };
    default:
      return { type: part.type };
  }
}

/** As many of the last items as fit, as JSON; the last one is never left out, but cut. */
function newest(items: readonly Part[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const item of items.toReversed()) {
    const json = JSON.stringify(item);
    length += json.length;
    if (length > MAX_LENGTH && kept.length > 0) break;
    kept.unshift(json);
  }
  const text = `[${kept.join(",")}]`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
