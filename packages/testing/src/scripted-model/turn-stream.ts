import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { ScriptedModelTurn, ScriptedToolCall, ScriptedUsage } from "./turn.ts";

/** Waits, and rejects with the signal's reason on abort. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export type Playback = {
  /** Number of the call within the script, for ids. */
  readonly index: number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
};

/** Plays a turn as the parts of a provider's stream. */
export async function* playTurn(
  turn: ScriptedModelTurn,
  playback: Playback,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { signal } = playback;
  yield { type: "stream-start", warnings: [] };

  for (const part of sentParts(turn, playback.index)) {
    if (turn.chunkDelayMs !== undefined) await playback.sleep(turn.chunkDelayMs, signal);
    signal.throwIfAborted();
    yield part;
  }

  yield* endParts(turn, signal);
}

/** A stream that breaks off does not close its last block. */
function sentParts(turn: ScriptedModelTurn, index: number): readonly LanguageModelV4StreamPart[] {
  const parts = [...contentParts(turn, index)];
  const { ends = "finish" } = turn;
  const breaksOff = ends !== "finish" && !(typeof ends === "object" && "errorPart" in ends);
  const last = parts.at(-1)?.type;
  const leftOpen = breaksOff && (last === "text-end" || last === "reasoning-end");
  return leftOpen ? parts.slice(0, -1) : parts;
}

function* contentParts(
  turn: ScriptedModelTurn,
  index: number,
): Generator<LanguageModelV4StreamPart> {
  if (turn.reasoning !== undefined) {
    const id = `reasoning-${index + 1}`;
    yield { type: "reasoning-start", id };
    for (const delta of chunksOf(turn.reasoning)) yield { type: "reasoning-delta", id, delta };
    yield { type: "reasoning-end", id };
  }
  if (turn.text !== undefined) {
    const id = `text-${index + 1}`;
    yield { type: "text-start", id };
    for (const delta of chunksOf(turn.text)) yield { type: "text-delta", id, delta };
    yield { type: "text-end", id };
  }
  for (const [position, call] of (turn.toolCalls ?? []).entries()) {
    yield* toolCallParts(call, call.id ?? `call-${index + 1}-${position + 1}`);
  }
  yield* turn.parts ?? [];
}

function* toolCallParts(call: ScriptedToolCall, id: string): Generator<LanguageModelV4StreamPart> {
  const input = call.inputText ?? call.inputChunks?.join("") ?? JSON.stringify(call.input ?? {});
  yield { type: "tool-input-start", id, toolName: call.name };
  for (const delta of call.inputChunks ?? [input]) yield { type: "tool-input-delta", id, delta };
  yield { type: "tool-input-end", id };
  yield { type: "tool-call", toolCallId: id, toolName: call.name, input };
}

async function* endParts(
  turn: ScriptedModelTurn,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const ends = turn.ends ?? "finish";
  if (ends === "cut") return;
  if (ends === "hang") {
    await aborted(signal);
    return;
  }
  if (typeof ends === "object" && "streamError" in ends) throw ends.streamError;
  if (typeof ends === "object") yield { type: "error", error: ends.errorPart };
  const finishReason = finishReasonOf(turn);
  yield { type: "finish", finishReason, usage: usageOf(turn.usage) };
}

function finishReasonOf(turn: ScriptedModelTurn): LanguageModelV4FinishReason {
  const calls = (turn.toolCalls ?? []).length > 0;
  const natural = calls ? "tool-calls" : "stop";
  const unified = typeof turn.ends === "object" ? "error" : natural;
  return { unified: turn.finishReason ?? unified, raw: undefined };
}

function usageOf(usage: ScriptedUsage = {}): LanguageModelV4Usage {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage;
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : inputTokens - (cachedInputTokens ?? 0),
      cacheRead: cachedInputTokens,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0),
      reasoning: reasoningTokens,
    },
  };
}

const chunksOf = (text: string | readonly string[]): readonly string[] =>
  typeof text === "string" ? [text] : text;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
