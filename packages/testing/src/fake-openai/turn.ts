/** What the fake server is told to answer, as data. */

/** A tool call the fake answers with. */
export type FakeToolCall = {
  readonly name: string;
  /** An object, its text as the model wrote it, or that text in the pieces it is streamed in. */
  readonly arguments?: string | readonly string[] | Readonly<Record<string, unknown>>;
  /** Unique within the server when left out. */
  readonly id?: string;
};

/** Token counts the fake reports; cached and reasoning tokens are part of the totals. */
export type FakeUsage = {
  readonly inputTokens: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
};

/** The finish reasons of Chat Completions; the Responses surface gets what corresponds to them. */
export type FakeFinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** An HTTP error in place of an answer. */
export type FakeHttpError = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is, anything else as JSON; an OpenAI error object when left out. */
  readonly body?: unknown;
};

/**
 * What happens to the stream after `afterEvents` of its events:
 *
 * | `by` | the client sees |
 * |---|---|
 * | `hang` | nothing more until it disconnects |
 * | `end` | a proper end, but no finish |
 * | `cut` | a lost connection |
 * | `malformed` | an event that is not JSON, then the rest |
 * | `{ error }` | an error event with these members, then the end |
 */
export type FakeBreak = {
  readonly afterEvents: number;
  readonly by:
    | "hang"
    | "end"
    | "cut"
    | "malformed"
    | { readonly error: Readonly<Record<string, unknown>> };
};

/** What goes wrong on the way. */
export type FakeFaults = {
  /** Milliseconds before the headers. */
  readonly delayMs?: number;
  /** Milliseconds between two events of a stream. */
  readonly chunkDelayMs?: number;
  /** Never answers; the client has to give up. */
  readonly hangsBeforeHeaders?: boolean;
  /** The socket is destroyed after so many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** The body leaves in pieces of so many bytes, also in the middle of a character. */
  readonly splitEveryBytes?: number;
  /** Streams only. */
  readonly breaks?: FakeBreak;
};

/** One answer: reasoning, then text, then tool calls; or an HTTP error. */
export type FakeOpenAiTurn = {
  readonly reasoning?: string | readonly string[];
  /** One text, or the chunks it is streamed in. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly FakeToolCall[];
  /** `tool_calls` when there are tool calls, otherwise `stop`. */
  readonly finishReason?: FakeFinishReason;
  /** `null` reports none, as some compatible servers do; 10 and 5 tokens when left out. */
  readonly usage?: FakeUsage | null;
  readonly http?: FakeHttpError;
  readonly faults?: FakeFaults;
};

/** A turn with everything decided that its data left open. */
export type Answer = {
  /** Number of the answer, for ids. */
  readonly number: number;
  readonly model: string;
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly toolCalls: readonly AnswerToolCall[];
  readonly finishReason: FakeFinishReason;
  readonly usage: FakeUsage | null;
};

export type AnswerToolCall = {
  readonly id: string;
  readonly name: string;
  readonly argumentChunks: readonly string[];
};

const DEFAULT_USAGE: FakeUsage = { inputTokens: 10, outputTokens: 5 };

export function answerOf(turn: FakeOpenAiTurn, number: number, model: string): Answer {
  const toolCalls = (turn.toolCalls ?? []).map((call, position) => ({
    id: call.id ?? `call_${number}_${position + 1}`,
    name: call.name,
    argumentChunks: argumentChunks(call.arguments ?? {}),
  }));
  return {
    number,
    model,
    reasoning: chunks(turn.reasoning),
    text: chunks(turn.text),
    toolCalls,
    finishReason: turn.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: turn.usage === undefined ? DEFAULT_USAGE : turn.usage,
  };
}

function argumentChunks(given: NonNullable<FakeToolCall["arguments"]>): readonly string[] {
  if (typeof given === "string") return [given];
  return isChunks(given) ? given : [JSON.stringify(given)];
}

const isChunks = (given: object): given is readonly string[] => Array.isArray(given);

function chunks(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? [text] : text;
}
