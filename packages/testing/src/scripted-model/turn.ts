import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** A tool call of a scripted turn. */
export type ScriptedToolCall = {
  readonly name: string;
  /** The arguments; `{}` when left out. */
  readonly input?: unknown;
  /** The arguments as the provider would write them, wins over `input`; need not be JSON. */
  readonly inputText?: string;
  /** How the text of the arguments is cut into deltas; one delta when left out. */
  readonly inputChunks?: readonly string[];
  /** The provider's call id; unique within the script when left out. */
  readonly id?: string;
};

/** Token counts of a scripted turn; what is left out stays unknown. */
export type ScriptedUsage = {
  /** All input tokens, the cached ones included. */
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  /** All output tokens, the reasoning ones included. */
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
};

/**
 * How a turn's stream ends:
 *
 * | value | the reader sees |
 * |---|---|
 * | `finish` | a finish part, then the end |
 * | `cut` | the end without a finish part |
 * | `hang` | nothing more, until the call is aborted or the stream cancelled |
 * | `{ errorPart }` | an error part, then a finish part with the reason `error` |
 * | `{ streamError }` | a read that rejects with it, as after a lost connection |
 */
export type ScriptedEnd =
  | "finish"
  | "cut"
  | "hang"
  | { readonly errorPart: unknown }
  | { readonly streamError: unknown };

/** One answer of a scripted model: reasoning, then text, then tool calls, then the end. */
export type ScriptedModelTurn = {
  readonly reasoning?: string | readonly string[];
  /** One text, or the chunks it is streamed in. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Further parts as they are, sent after the tool calls: sources, files, provider-run tools. */
  readonly parts?: readonly LanguageModelV4StreamPart[];
  /** `tool-calls` when there are tool calls, otherwise `stop`. */
  readonly finishReason?: LanguageModelV4FinishReason["unified"];
  /** Unknown when left out. */
  readonly usage?: ScriptedUsage;
  /** Before the call is answered at all. */
  readonly delayMs?: number;
  /** Before every part of the answer. */
  readonly chunkDelayMs?: number;
  /** The call itself rejects with it, after the delay: an HTTP error, a refused connection. */
  readonly throws?: unknown;
  /** `finish` when left out. */
  readonly ends?: ScriptedEnd;
};

/** What a script may hold for one call: a text, a turn, or a function of the call that makes one. */
export type ScriptedStep =
  | string
  | ScriptedModelTurn
  | ((
      call: LanguageModelV4CallOptions,
      index: number,
    ) => string | ScriptedModelTurn | Promise<string | ScriptedModelTurn>);
