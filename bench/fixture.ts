/**
 * The work every subject does: a 1 KB message, one tool call with a 1 KB result, and a 5 KB answer
 * in one piece or a number of deltas of 16 characters. The model answers at once unless told to
 * wait, so what is measured is what stands around it.
 */

import type { LanguageModel } from "@tracon/core";

export type BenchModel = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;
type StreamResult = Awaited<ReturnType<BenchModel["doStream"]>>;
export type Part = StreamResult["stream"] extends ReadableStream<infer Item> ? Item : never;
type Prompt = Parameters<BenchModel["doStream"]>[0]["prompt"];

const FILLER = "abcdefghijklmnopqrstuvwxyz0123456789";
/** `head`, filled up to a length. */
export const filled = (head: string, length: number): string =>
  (head + FILLER.repeat(Math.ceil(length / FILLER.length))).slice(0, length);

export const INSTRUCTIONS = "You are a support assistant. Answer briefly and clearly.";
export const USER_MESSAGE = filled("order 4711 ", 1_024);
export const TOOL_NAME = "get_order_status";
export const TOOL_DESCRIPTION = "Returns the status of an order.";
export const TOOL_ARGUMENTS = '{"orderId":"4711"}';
/** UTF-16 units of the answer as a whole. */
export const ANSWER_LENGTH = 5_120;
export const TOOL_RESULT = filled("status:shipped ", 1_024);
export const ANSWER = filled("The order was shipped. ", ANSWER_LENGTH);
export const DELTA = "sixteen chars ok";

/** What the model is to do next; one script for all runs of a process. */
export type Script = {
  /** Rounds of tool calls before the model answers. */
  toolCalls: number;
  /** Tool calls of a round. */
  callsAtOnce: number;
  /** The answer's pieces; `undefined` is the whole answer as one. */
  deltas: readonly string[] | undefined;
  /** What passes before the model asks for a tool, in milliseconds. */
  thinkMs: number;
  /** What passes before the first piece of the answer, in milliseconds. */
  answerMs: number;
  /** What passes before each delta, in milliseconds. */
  deltaMs: number;
};

export const createScript = (): Script => ({
  toolCalls: 1,
  callsAtOnce: 1,
  deltas: undefined,
  thinkMs: 0,
  answerMs: 0,
  deltaMs: 0,
});

/** The deltas of an answer of `count` pieces. */
export const deltasOf = (count: number): readonly string[] => new Array(count).fill(DELTA);

/** Throws unless the answer is the one the script asked for. */
export function checkAnswer(text: string, { deltas }: Script): void {
  const expected = deltas?.reduce((length, delta) => length + delta.length, 0) ?? ANSWER.length;
  if (text.length !== expected) {
    throw new Error(`an answer of ${text.length} characters instead of ${expected}`);
  }
}

export const USAGE = {
  inputTokens: { total: 300, noCache: 300, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 100, text: 100, reasoning: 0 },
};
export const TOOL_FINISH = { unified: "tool-calls", raw: "tool_calls" } as const;
export const STOP_FINISH = { unified: "stop", raw: "stop" } as const;

let lastCall = 0;
/** A fresh id for a tool call. */
export function nextCallId(): string {
  lastCall += 1;
  return `call_${lastCall.toString(36)}`;
}

/**
 * A model of the AI SDK's provider specification. It decides by the length of the conversation,
 * never by a count of its own, so runs can be concurrent and a long run costs it nothing more.
 */
export function scriptedBenchModel(script: Script): BenchModel {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench-1",
    supportedUrls: {},

    async doGenerate({ prompt }) {
      const asks = wantsTool(prompt, script);
      await thought(script, asks);
      const rest = { usage: USAGE, warnings: [] };
      return asks
        ? { content: [toolCall()], finishReason: TOOL_FINISH, ...rest }
        : { content: [{ type: "text", text: ANSWER }], finishReason: STOP_FINISH, ...rest };
    },

    async doStream({ prompt }) {
      const asks = wantsTool(prompt, script);
      await thought(script, asks);
      return { stream: asks ? toolStream(script) : answerStream(script) };
    },
  };
}

/** Passes the time the script gives to a turn. */
export async function thought({ thinkMs, answerMs }: Script, asksForTool: boolean): Promise<void> {
  const ms = asksForTool ? thinkMs : answerMs;
  if (ms > 0) await pause(ms);
}

/** System and user message first; every tool call adds the assistant's message and its result. */
const wantsTool = (prompt: Prompt, { toolCalls }: Script): boolean =>
  (prompt.length - 2) / 2 < toolCalls;

const toolCall = () => ({
  type: "tool-call" as const,
  toolCallId: nextCallId(),
  toolName: TOOL_NAME,
  input: TOOL_ARGUMENTS,
});

function toolStream({ callsAtOnce }: Script): ReadableStream<Part> {
  const parts: Part[] = [{ type: "stream-start", warnings: [] }];
  for (let index = 0; index < callsAtOnce; index++) {
    const call = toolCall();
    const id = call.toolCallId;
    parts.push(
      { type: "tool-input-start", id, toolName: TOOL_NAME },
      { type: "tool-input-delta", id, delta: TOOL_ARGUMENTS },
      { type: "tool-input-end", id },
      call,
    );
  }
  parts.push({ type: "finish", finishReason: TOOL_FINISH, usage: USAGE });
  return streamOf(parts);
}

export function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  let at = 0;
  return new ReadableStream<Part>({
    pull(controller) {
      const part = parts[at++];
      if (part !== undefined) controller.enqueue(part);
      if (at >= parts.length) controller.close();
    },
  });
}

/** Text start, the deltas, text end, finish. */
function answerStream({ deltas = [ANSWER], deltaMs }: Script): ReadableStream<Part> {
  const id = "text_1";
  let at = -2;
  const send = (controller: ReadableStreamDefaultController<Part>): void => {
    const delta = deltas[at];
    if (at === -1) controller.enqueue({ type: "text-start", id });
    else if (delta !== undefined) controller.enqueue({ type: "text-delta", id, delta });
    else if (at === deltas.length) controller.enqueue({ type: "text-end", id });
    else {
      controller.enqueue({ type: "finish", finishReason: STOP_FINISH, usage: USAGE });
      controller.close();
    }
  };
  return new ReadableStream<Part>({
    pull(controller) {
      at += 1;
      if (deltaMs === 0 || at < 0 || at >= deltas.length) return send(controller);
      return pause(deltaMs).then(() => send(controller));
    },
  });
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
