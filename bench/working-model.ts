/**
 * A model that gets somewhere: none of its calls and answers is one it gave before, so that nobody takes
 * what it does for a run that repeats itself. It calls its tool after every message of a user.
 */

import {
  ANSWER_LENGTH,
  type BenchModel,
  filled,
  nextCallId,
  type Part,
  STOP_FINISH,
  streamOf,
  TOOL_FINISH,
  USAGE,
} from "./fixture.ts";

export type WorkingModelOptions = {
  readonly toolName: string;
  /** The arguments of a call; `count` is never the same. */
  readonly input: (count: number) => object;
  /** Calls of one answer. */
  readonly callsAtOnce: number;
};

export function workingModel({ toolName, input, callsAtOnce }: WorkingModelOptions): BenchModel {
  let count = 0;
  const calls = () =>
    Array.from({ length: callsAtOnce }, () => {
      count += 1;
      const toolCallId = nextCallId();
      return {
        ...{ type: "tool-call" as const, toolCallId, toolName },
        input: JSON.stringify(input(count)),
      };
    });
  const answer = (): string => {
    count += 1;
    return filled(`Order ${count} was shipped. `, ANSWER_LENGTH);
  };
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench-1",
    supportedUrls: {},

    async doGenerate({ prompt }) {
      const rest = { usage: USAGE, warnings: [] };
      return prompt.at(-1)?.role === "user"
        ? { content: calls(), finishReason: TOOL_FINISH, ...rest }
        : { content: [{ type: "text", text: answer() }], finishReason: STOP_FINISH, ...rest };
    },

    async doStream({ prompt }) {
      const parts =
        prompt.at(-1)?.role === "user" ? calls().flatMap(callParts) : textParts(answer());
      const finishReason = prompt.at(-1)?.role === "user" ? TOOL_FINISH : STOP_FINISH;
      const start: Part = { type: "stream-start", warnings: [] };
      return {
        stream: streamOf([start, ...parts, { type: "finish", finishReason, usage: USAGE }]),
      };
    },
  };
}

type ToolCallPart = Extract<Part, { type: "tool-call" }>;

const callParts = (call: ToolCallPart): readonly Part[] => {
  const { toolCallId: id, toolName, input } = call;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    call,
  ];
};

const textParts = (text: string): readonly Part[] => {
  const id = "text_1";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
  ];
};
