import type { ChatMessage } from "@tracon/core";
import type { LoopResponse } from "./loop-evaluator.ts";

/** The answer of an iteration, of what was said in it. */
export function loopResponseOf(messages: readonly ChatMessage[]): LoopResponse {
  const texts = messages.filter(({ role }) => role === "assistant").map(textOf);
  return {
    // Between two messages stands a line break, so that no marker is put together of both.
    text: texts.filter((text) => text !== "").join("\n"),
    lastMessage: texts.at(-1) ?? "",
    messages,
  };
}

const textOf = ({ contents }: ChatMessage): string =>
  contents.map((content) => (content.$type === "text" ? content.text : "")).join("");
