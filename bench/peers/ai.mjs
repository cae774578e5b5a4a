/** The AI SDK: `generateText` and `streamText`, nothing stored. */

import { generateText, stepCountIs, streamText, tool } from "ai";
import * as z from "zod";
import {
  checkAnswer,
  createScript,
  INSTRUCTIONS,
  scriptedBenchModel,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;

export async function open() {
  const script = createScript();
  const request = {
    model: scriptedBenchModel(script),
    instructions: INSTRUCTIONS,
    prompt: USER_MESSAGE,
    stopWhen: stepCountIs(300),
    tools: {
      [TOOL_NAME]: tool({
        description: TOOL_DESCRIPTION,
        inputSchema: z.object({ orderId: z.string() }),
        execute: async () => TOOL_RESULT,
      }),
    },
  };
  return {
    script,
    async run() {
      checkAnswer((await generateText(request)).text, script);
    },
    async stream() {
      let text = "";
      for await (const part of streamText(request).fullStream) {
        if (part.type === "text-delta") text += part.text;
      }
      checkAnswer(text, script);
    },
    close: async () => undefined,
  };
}
