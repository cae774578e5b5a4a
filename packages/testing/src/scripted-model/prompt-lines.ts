import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** What a model was sent, one line for each message: its role and words, other parts by their type. */
export const promptLines = ({ prompt }: LanguageModelV4CallOptions): readonly string[] =>
  prompt.map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const words = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
    return `${role}: ${words.join("")}`;
  });
