/** OpenAI Agents: a runner with tracing off, nothing stored. */

import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents-core";
import * as z from "zod";
import {
  ANSWER,
  checkAnswer,
  createScript,
  INSTRUCTIONS,
  nextCallId,
  TOOL_ARGUMENTS,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";

const USAGE = { inputTokens: 300, outputTokens: 100, totalTokens: 400 };

export async function open() {
  setTracingDisabled(true);
  const script = createScript();
  const agent = new Agent({
    name: "support",
    instructions: INSTRUCTIONS,
    model: modelOf(script),
    tools: [
      tool({
        name: TOOL_NAME,
        description: TOOL_DESCRIPTION,
        parameters: z.object({ orderId: z.string() }),
        execute: async () => TOOL_RESULT,
      }),
    ],
  });
  const runner = new Runner({ tracingDisabled: true });
  return {
    script,
    async run() {
      const result = await runner.run(agent, USER_MESSAGE, { maxTurns: 300 });
      checkAnswer(result.finalOutput, script);
    },
    async stream() {
      let text = "";
      const result = await runner.run(agent, USER_MESSAGE, { stream: true, maxTurns: 300 });
      for await (const { type, data } of result) {
        if (type === "raw_model_stream_event" && data.type === "output_text_delta") {
          text += data.delta;
        }
      }
      await result.completed;
      checkAnswer(text, script);
    },
    close: async () => undefined,
  };
}

const modelOf = (script) => ({
  async getResponse({ input }) {
    return {
      usage: new Usage(USAGE),
      output: [wantsTool(input, script) ? callItem() : messageItem(ANSWER)],
    };
  },
  async *getStreamedResponse({ input }) {
    const id = nextCallId();
    yield { type: "response_started" };
    if (wantsTool(input, script)) {
      yield { type: "response_done", response: { id, usage: USAGE, output: [callItem()] } };
      return;
    }
    let text = "";
    for (const delta of script.deltas ?? [ANSWER]) {
      text += delta;
      yield { type: "output_text_delta", delta };
    }
    yield { type: "response_done", response: { id, usage: USAGE, output: [messageItem(text)] } };
  },
});

/** The user's message first; every tool call adds the call and its result. */
const wantsTool = (input, { toolCalls }) =>
  (Array.isArray(input) ? (input.length - 1) / 2 : 0) < toolCalls;

const callItem = () => ({
  type: "function_call",
  callId: nextCallId(),
  name: TOOL_NAME,
  status: "completed",
  arguments: TOOL_ARGUMENTS,
});

const messageItem = (text) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});
