import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

type Block = { readonly type: "text" | "reasoning"; text: string };

/** The result of a call that does not stream, from the parts one that does would send. */
export async function collectParts(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, Block>();

  for await (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const block: Block = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
        open.set(part.id, block);
        content.push(block);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = open.get(part.id);
        if (block !== undefined) block.text += part.delta;
        break;
      }
      case "error":
        throw part.error;
      case "finish":
        return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] };
      default:
        if (isContent(part)) content.push(part);
    }
  }
  throw new Error("the answer ended without a finish");
}

const CONTENT_TYPES: ReadonlySet<string> = new Set([
  "custom",
  "file",
  "reasoning-file",
  "source",
  "tool-approval-request",
  "tool-call",
  "tool-result",
]);

const isContent = (part: LanguageModelV4StreamPart): part is LanguageModelV4Content & typeof part =>
  CONTENT_TYPES.has(part.type);
