import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

type Block = { readonly type: "text" | "reasoning"; text: string };

/**
 * The answer as a call that does not stream would give it, for models and middleware that are asked
 * for one. Throws what an `error` part carries, and an `Error` when the parts end without a finish.
 */
export async function generateResultOf(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, Block>();
  for await (const part of parts) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        open.set(part.id, opened(content, part.type === "text-start" ? "text" : "reasoning"));
        break;
      case "text-delta":
      case "reasoning-delta":
        blockOf(part, open, content).text += part.delta;
        break;
      case "error":
        throw part.error;
      case "finish": {
        const { finishReason, usage, providerMetadata } = part;
        const metadata = providerMetadata === undefined ? {} : { providerMetadata };
        return { content, finishReason, usage, warnings: [], ...metadata };
      }
      default:
        if (isContent(part)) content.push(part);
    }
  }
  throw new Error("the answer ended without a finish");
}

/** Some providers send deltas of a block that they did not open. */
function blockOf(
  { id, type }: Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" }>,
  open: Map<string, Block>,
  content: LanguageModelV4Content[],
): Block {
  const block = open.get(id) ?? opened(content, type === "text-delta" ? "text" : "reasoning");
  open.set(id, block);
  return block;
}

function opened(content: LanguageModelV4Content[], type: Block["type"]): Block {
  const block: Block = { type, text: "" };
  content.push(block);
  return block;
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
