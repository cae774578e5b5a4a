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
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
  LanguageModelV4ToolResultOutput,
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

type DeltaPart = Extract<LanguageModelV4StreamPart, { delta: string; id: string }>;

type Block = {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
};
type Entry =
  | Block
  | { readonly kind: "call"; readonly call: RequestedCall }
  | { readonly kind: "hosted"; readonly part: AssistantPart; readonly isPreliminary?: boolean };

/** Names every provider accepts in a history, whatever the model called a tool that is not there. */
const SAFE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export class AnswerContent {
  readonly #entries: Entry[] = [];
  /** Blocks that still grow, by kind and id; a start part of the same id begins a new one. */
  readonly #blocks = new Map<string, Block>();
  #last: Block | undefined;

  /** Takes one part and passes its text on. True when the part belongs to the answer itself. */
  add(part: LanguageModelV4StreamPart, sink: AnswerSink): boolean {
    switch (part.type) {
      case "text-delta":
        this.#append("text", part);
        sink.text(part.delta);
        return true;
      case "reasoning-delta":
        this.#append("reasoning", part);
        sink.reasoning(part.delta);
        return true;
      case "text-start":
      case "reasoning-start":
        this.#open(part.type === "text-start" ? "text" : "reasoning", part.id).metadata =
          part.providerMetadata;
        return false;
      case "text-end":
      case "reasoning-end": {
        const block = this.#block(part.type === "text-end" ? "text" : "reasoning", part.id);
        block.metadata = part.providerMetadata ?? block.metadata;
        return false;
      }
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

  /** How much was received, in UTF-16 units: text, reasoning and arguments. */
  length(): number {
    let length = 0;
    for (const entry of this.#entries) {
      if (entry.kind === "call") length += entry.call.input.length;
      else if (entry.kind !== "hosted") length += entry.text.length;
    }
    return length;
  }

  /** Calls that nobody has answered yet. */
  openCalls(): readonly RequestedCall[] {
    const calls: RequestedCall[] = [];
    for (const entry of this.#entries) if (entry.kind === "call") calls.push(entry.call);
    return calls;
  }

  /**
   * The answer as it stands in a prompt: one message, or none when it is empty. `callIds` are the
   * ids to use, in the order of `openCalls`: unique in the conversation, so that calls and results
   * pair up.
   */
  messages(callIds: readonly string[]): LanguageModelV4Prompt {
    return messagesOf(this.#entries, callIds);
  }

  /**
   * The same of an answer whose calls are not run: up to its last text, so that no reasoning stands
   * there without what it led to. None when it has no text.
   */
  messagesWithoutCalls(): LanguageModelV4Prompt {
    const end = this.#entries.findLastIndex((it) => it.kind === "text" && it.text !== "") + 1;
    return messagesOf(
      this.#entries.slice(0, end).filter(({ kind }) => kind !== "call"),
      [],
    );
  }

  #append(kind: Block["kind"], part: DeltaPart): void {
    const block = this.#block(kind, part.id);
    block.text += part.delta;
    if (part.providerMetadata !== undefined) block.metadata = part.providerMetadata;
  }

  #block(kind: Block["kind"], id: string): Block {
    const last = this.#last;
    if (last !== undefined && last.kind === kind && last.id === id) return last;
    const block = this.#blocks.get(`${kind} ${id}`) ?? this.#open(kind, id);
    this.#last = block;
    return block;
  }

  #open(kind: Block["kind"], id: string): Block {
    const block: Block = { kind, id, text: "", metadata: undefined };
    this.#entries.push(block);
    this.#blocks.set(`${kind} ${id}`, block);
    this.#last = block;
    return block;
  }

  #addWhole(part: LanguageModelV4StreamPart): boolean {
    switch (part.type) {
      case "tool-call":
        this.#addCall(part);
        return true;
      case "tool-result":
        this.#addResult(part);
        return true;
      case "file":
      case "reasoning-file": {
        const { type, data, mediaType, providerMetadata } = part;
        this.#addHosted({ type, data, mediaType, ...optionsOf(providerMetadata) });
        return true;
      }
      case "custom":
        this.#addHosted({ type: "custom", kind: part.kind, ...optionsOf(part.providerMetadata) });
        return true;
      default:
        return false;
    }
  }

  #addCall(part: LanguageModelV4ToolCall): void {
    const { toolCallId: callId, toolName, input, providerMetadata } = part;
    const call: RequestedCall = { callId, toolName, input, providerMetadata };
    if (part.providerExecuted === true) this.#addHosted(hostedCall(call));
    else if (!this.#isRepeated(call)) this.#entries.push({ kind: "call", call });
  }

  /** A call the provider sent twice is one call: the same id alone would not say so. */
  #isRepeated({ callId, toolName, input }: RequestedCall): boolean {
    if (callId === "") return false;
    return this.#entries.some(
      (entry) =>
        entry.kind === "call" &&
        entry.call.callId === callId &&
        entry.call.toolName === toolName &&
        entry.call.input === input,
    );
  }

  /** A result in the answer itself says that the provider ran the call, and that nobody else must. */
  #addResult(part: LanguageModelV4ToolResult): void {
    const { toolCallId, toolName, providerMetadata, preliminary: isPreliminary = false } = part;
    const output: LanguageModelV4ToolResultOutput = {
      type: part.isError === true ? "error-json" : "json",
      value: part.result,
    };
    const result: Entry = {
      kind: "hosted",
      part: { type: "tool-result", toolCallId, toolName, output, ...optionsOf(providerMetadata) },
      isPreliminary,
    };
    const before = this.#entries.findIndex(
      (entry) => isHosted(entry, "tool-result", toolCallId) && entry.isPreliminary,
    );
    if (before !== -1) this.#entries[before] = result;
    else this.#entries.push(result);
    this.#takeOverCall(toolCallId);
  }

  #takeOverCall(callId: string): void {
    if (this.#entries.some((entry) => isHosted(entry, "tool-call", callId))) return;
    const index = this.#entries.findIndex(
      (entry) => entry.kind === "call" && entry.call.callId === callId,
    );
    const open = this.#entries[index];
    if (open?.kind !== "call") return;
    this.#entries[index] = { kind: "hosted", part: hostedCall(open.call) };
  }

  #addHosted(part: AssistantPart): void {
    this.#entries.push({ kind: "hosted", part });
  }
}

function messagesOf(entries: readonly Entry[], callIds: readonly string[]): LanguageModelV4Prompt {
  const content: AssistantPart[] = [];
  let position = 0;
  for (const entry of entries) {
    if (entry.kind === "hosted") content.push(entry.part);
    else if (entry.kind === "call") content.push(callPart(entry.call, callIds[position++] ?? ""));
    else if (entry.text !== "" || entry.metadata !== undefined) content.push(blockPart(entry));
  }
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

const isHosted = (
  entry: Entry,
  type: "tool-call" | "tool-result",
  callId: string,
): entry is Extract<Entry, { kind: "hosted" }> =>
  entry.kind === "hosted" && entry.part.type === type && entry.part.toolCallId === callId;

const hostedCall = (call: RequestedCall): AssistantPart => ({
  type: "tool-call",
  toolCallId: call.callId,
  toolName: call.toolName,
  input: objectOf(call.input),
  providerExecuted: true,
  ...optionsOf(call.providerMetadata),
});

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
