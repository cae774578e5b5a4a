/**
 * What a model's answer consists of, collected from its stream in the order it came.
 *
 * Provider metadata (signatures, item ids) stays with its part, because some providers refuse a
 * history that lost it.
 */

import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";

/** Where the parts of an answer go while it is made. Called for every delta: must be cheap. */
export type AnswerSink = {
  text(delta: string): void;
  reasoning(delta: string): void;
};

/** A tool call as the model asked for it. */
export type RequestedCall = {
  /** The provider's id; may be empty or repeat. */
  readonly callId: string;
  readonly toolName: string;
  /** The arguments as sent: JSON text, possibly broken. */
  readonly input: string;
  readonly providerMetadata: SharedV4ProviderMetadata | undefined;
};

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AssistantPart = AssistantMessage["content"][number];

type Block = {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
};
type Entry =
  | Block
  | { readonly kind: "call"; readonly call: RequestedCall }
  | { readonly kind: "hosted"; readonly part: AssistantPart };

/** Names every provider accepts in a history, whatever the model called a tool that is not there. */
const SAFE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export class AnswerContent {
  readonly #entries: Entry[] = [];
  #last: Block | undefined;

  /** Takes one part and passes its text on. True when the part belongs to the answer itself. */
  add(part: LanguageModelV4StreamPart, sink: AnswerSink): boolean {
    switch (part.type) {
      case "text-delta":
        this.#block("text", part.id).text += part.delta;
        sink.text(part.delta);
        return true;
      case "reasoning-delta": {
        const block = this.#block("reasoning", part.id);
        block.text += part.delta;
        block.metadata = part.providerMetadata ?? block.metadata;
        sink.reasoning(part.delta);
        return true;
      }
      case "text-start":
      case "text-end":
        return this.#keepMetadata("text", part.id, part.providerMetadata);
      case "reasoning-start":
      case "reasoning-end":
        return this.#keepMetadata("reasoning", part.id, part.providerMetadata);
      case "tool-input-start":
        return true;
      default:
        return this.#addWhole(part);
    }
  }

  /** The text of the answer. */
  text(): string {
    let text = "";
    for (const entry of this.#entries) if (entry.kind === "text") text += entry.text;
    return text;
  }

  /** Calls that nobody has answered yet. */
  openCalls(): readonly RequestedCall[] {
    const calls: RequestedCall[] = [];
    for (const entry of this.#entries) if (entry.kind === "call") calls.push(entry.call);
    return calls;
  }

  /**
   * Appends the answer to a prompt. `callIds` are the ids to use, in the order of `openCalls`:
   * unique in the conversation, so that calls and results pair up.
   */
  appendTo(prompt: LanguageModelV4Prompt, callIds: readonly string[]): void {
    const content: AssistantPart[] = [];
    let position = 0;
    for (const entry of this.#entries) {
      if (entry.kind === "hosted") content.push(entry.part);
      else if (entry.kind === "call") content.push(callPart(entry.call, callIds[position++] ?? ""));
      else if (entry.text !== "" || entry.metadata !== undefined) content.push(blockPart(entry));
    }
    if (content.length > 0) prompt.push({ role: "assistant", content });
  }

  #block(kind: Block["kind"], id: string): Block {
    const last = this.#last;
    if (last !== undefined && last.kind === kind && last.id === id) return last;
    let block = this.#entries.find(
      (entry): entry is Block => entry.kind === kind && entry.id === id,
    );
    if (block === undefined) {
      block = { kind, id, text: "", metadata: undefined };
      this.#entries.push(block);
    }
    this.#last = block;
    return block;
  }

  #keepMetadata(
    kind: Block["kind"],
    id: string,
    metadata: SharedV4ProviderMetadata | undefined,
  ): boolean {
    const block = this.#block(kind, id);
    if (metadata !== undefined) block.metadata = metadata;
    return false;
  }

  #addWhole(part: LanguageModelV4StreamPart): boolean {
    switch (part.type) {
      case "tool-call":
        if (part.providerExecuted === true) {
          this.#addHosted({
            type: "tool-call",
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            input: objectOf(part.input),
            providerExecuted: true,
            ...optionsOf(part.providerMetadata),
          });
        } else {
          const { toolCallId: callId, toolName, input, providerMetadata } = part;
          this.#entries.push({ kind: "call", call: { callId, toolName, input, providerMetadata } });
        }
        return true;
      case "tool-result":
        this.#addHosted({
          type: "tool-result",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          output: { type: part.isError === true ? "error-json" : "json", value: part.result },
          ...optionsOf(part.providerMetadata),
        });
        return true;
      case "custom":
        this.#addHosted({ type: "custom", kind: part.kind, ...optionsOf(part.providerMetadata) });
        return true;
      default:
        return false;
    }
  }

  #addHosted(part: AssistantPart): void {
    this.#entries.push({ kind: "hosted", part });
  }
}

function callPart(call: RequestedCall, toolCallId: string): AssistantPart {
  return {
    type: "tool-call",
    toolCallId,
    toolName: historyName(call.toolName),
    input: objectOf(call.input),
    ...optionsOf(call.providerMetadata),
  };
}

const blockPart = (block: Block): AssistantPart => ({
  type: block.kind,
  text: block.text,
  ...optionsOf(block.metadata),
});

const optionsOf = (metadata: SharedV4ProviderMetadata | undefined) =>
  metadata === undefined ? {} : { providerOptions: metadata };

/** A tool's name as it may stand in a history. */
export const historyName = (name: string): string =>
  SAFE_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";

/** What a history holds for the arguments: always an object, also when the model sent none. */
function objectOf(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Broken arguments live in the recorded event only; a provider would refuse them.
  }
  return {};
}
