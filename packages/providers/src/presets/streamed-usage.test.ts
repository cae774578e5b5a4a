/**
 * Usage as providers really report it while they stream: early, late, repeatedly, never. What was
 * reported last stands; a report that grows is a running total and never added up.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { expect, it, onTestFinished } from "vitest";
import { createProviders, type ProvidersConfig } from "../create-providers.ts";

const KEY = { env: "SOME_API_KEY" };
const CHUNK = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };

it.each([
  ["the first", [text("a", 10, 5), text("b"), finish()]],
  ["a middle", [text("a"), text("b", 10, 5), text("c"), finish()]],
  ["a last chunk of its own", [text("a"), finish(), { choices: [], ...usage(10, 5) }]],
])("keeps the usage that %s chunk of Chat Completions reported", async (_, chunks) => {
  const reported = await usageOf("openai-compatible", chunks);

  expect(reported).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 5 } });
});

it("knows no usage where no chunk reported any", async () => {
  const reported = await usageOf("openai-compatible", [text("a"), finish()]);

  expect(reported?.inputTokens.total).toBeUndefined();
  expect(reported?.outputTokens.total).toBeUndefined();
});

it("takes a growing report of Chat Completions for the total it is", async () => {
  const chunks = Array.from({ length: 50 }, (_, index) => text("x", 10, index + 1));

  const reported = await usageOf("openai-compatible", [...chunks, finish()]);

  expect(reported).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 50 } });
});

it("takes a growing report of Anthropic for the total it is", async () => {
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [] };
  const growing = [10, 20, 50].map((tokens) => ({
    type: "message_delta",
    delta: tokens === 50 ? { stop_reason: "end_turn" } : {},
    usage: { output_tokens: tokens },
  }));

  const reported = await usageOf("anthropic", [
    {
      type: "message_start",
      message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } },
    { type: "content_block_stop", index: 0 },
    ...growing,
    { type: "message_stop" },
  ]);

  expect(reported).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 50 } });
});

it("takes a growing report of Google for the total it is", async () => {
  const growing = [1, 20, 50].map((tokens) => ({
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ text: "x" }] },
        ...(tokens === 50 ? { finishReason: "STOP" } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: tokens,
      totalTokenCount: 10 + tokens,
    },
  }));

  const reported = await usageOf("google", growing);

  expect(reported).toMatchObject({ inputTokens: { total: 10 }, outputTokens: { total: 50 } });
});

function text(content: string, input?: number, output?: number): object {
  const choices = [{ index: 0, delta: { role: "assistant", content } }];
  return { ...CHUNK, choices, ...(input === undefined ? {} : usage(input, output ?? 0)) };
}

function finish(): object {
  return { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
}

function usage(input: number, output: number): object {
  return {
    ...CHUNK,
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

type Kind = "openai-compatible" | "anthropic" | "google";

/** What the model's last part says, when its server streams `events`. */
async function usageOf(
  kind: Kind,
  events: readonly object[],
): Promise<LanguageModelV4Usage | undefined> {
  const baseURL = await served(events);
  const config = { some: { kind, apiKey: KEY, baseURL } } as unknown as ProvidersConfig;
  const { providers, findings } = await createProviders(config, { env: { SOME_API_KEY: "key" } });
  expect(findings).toEqual([]);
  const model = providers.find(({ name }) => name === "some")?.languageModel("m");
  if (model?.specificationVersion !== "v4") throw new Error("the presets build V4 models");
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
  });
  const parts: LanguageModelV4StreamPart[] = await Array.fromAsync(stream);
  const last = parts.at(-1);
  return last?.type === "finish" ? last.usage : undefined;
}

/** The address of a server that answers everything with the events. */
async function served(events: readonly object[]): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
