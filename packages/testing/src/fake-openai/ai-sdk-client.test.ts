import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, isStepCount, streamText, tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type FakeOpenAi, startFakeOpenAi } from "./start-fake-openai.ts";
import type { FakeOpenAiTurn } from "./turn.ts";

let server: FakeOpenAi;
afterEach(() => server.close());

const look = tool({
  inputSchema: z.object({ orderId: z.string() }),
  execute: ({ orderId }) => `${orderId} is here`,
});

describe.each(["chat", "responses"] as const)("openai.%s()", (surface) => {
  it("runs a tool and answers with its result", async () => {
    const model = await modelOf(surface, [
      { toolCalls: [{ name: "look", arguments: ['{"orderId"', ':"ORD-3"}'] }] },
      {
        text: ["It is ", "here."],
        usage: { inputTokens: 20, cachedInputTokens: 8, outputTokens: 9, reasoningTokens: 3 },
      },
    ]);

    const result = streamText({
      model,
      prompt: "Where is ORD-3?",
      tools: { look },
      stopWhen: isStepCount(3),
      maxRetries: 0,
    });

    expect(await Array.fromAsync(result.textStream)).toEqual(["It is ", "here."]);
    const steps = await result.steps;
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "stop"]);
    expect(steps[0]?.toolResults[0]?.output).toBe("ORD-3 is here");
    expect(steps[1]?.usage).toMatchObject({
      inputTokens: 20,
      outputTokens: 9,
      inputTokenDetails: { cacheReadTokens: 8 },
      outputTokenDetails: { reasoningTokens: 3 },
    });
    server.assertDone();
  });

  it("answers without streaming", async () => {
    const model = await modelOf(surface, [{ text: "Hello", finishReason: "length" }]);

    const { text, finishReason } = await generateText({ model, prompt: "Hi", maxRetries: 0 });

    expect([text, finishReason]).toEqual(["Hello", "length"]);
  });

  it("sends one request for one call, whatever the answer", async () => {
    const model = await modelOf(surface, [{ http: { status: 503 } }, { text: "second" }]);

    const call = model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    });

    await expect(call).rejects.toMatchObject({ statusCode: 503, isRetryable: true });
    expect(server.requests).toHaveLength(1);
  });
});

async function modelOf(
  surface: "chat" | "responses",
  turns: readonly FakeOpenAiTurn[],
): Promise<LanguageModelV4> {
  server = await startFakeOpenAi({ turns });
  return createOpenAI({ baseURL: server.url, apiKey: "key" })[surface]("gpt-4o");
}
