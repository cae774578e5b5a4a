import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { LanguageModel, ModelProvider } from "@tracon/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProviders, type ProvidersConfig } from "../create-providers.ts";

/** Anthropic and Google against an endpoint that plays a stream recorded in their formats. */

let endpoint: Endpoint;
beforeEach(async () => {
  endpoint = await startEndpoint();
});
afterEach(() => endpoint.close());

const ANTHROPIC_STREAM: readonly object[] = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "some-model",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, cache_read_input_tokens: 8, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me " } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "look." } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "toolu_1", name: "look", input: {} },
  },
  {
    type: "content_block_delta",
    index: 1,
    delta: { type: "input_json_delta", partial_json: '{"id"' },
  },
  {
    type: "content_block_delta",
    index: 1,
    delta: { type: "input_json_delta", partial_json: ":7}" },
  },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
];

const GOOGLE_STREAM: readonly object[] = [
  { candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Let me " }] } }] },
  { candidates: [{ index: 0, content: { role: "model", parts: [{ text: "look." }] } }] },
  {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ functionCall: { name: "look", args: { id: 7 } } }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount: 20,
      cachedContentTokenCount: 8,
      candidatesTokenCount: 9,
      totalTokenCount: 29,
    },
  },
];

const KEY = { env: "SOME_API_KEY" };

describe.each([
  {
    kind: "anthropic" as const,
    stream: ANTHROPIC_STREAM,
    path: "/messages",
    header: "x-api-key",
    model: { model: "some-model", max_tokens: 4096 },
  },
  {
    kind: "google" as const,
    stream: GOOGLE_STREAM,
    path: "/models/some-model:streamGenerateContent",
    header: "x-goog-api-key",
    model: {},
  },
])("$kind", ({ kind, stream, path, header, model }) => {
  it("sends the key and the question to the right place", async () => {
    endpoint.play(stream);

    await partsOf(await modelOf({ [kind]: { kind, apiKey: KEY, baseURL: endpoint.url } }, kind));

    const [request] = endpoint.requests;
    expect(request?.path).toBe(path);
    expect(request?.headers[header]).toBe("key-of-the-environment");
    expect(request?.body).toMatchObject(model);
    expect(JSON.stringify(request?.body)).toContain("Where is it?");
  });

  it("streams text, a tool call and usage", async () => {
    endpoint.play(stream);

    const parts = await partsOf(
      await modelOf({ [kind]: { kind, apiKey: KEY, baseURL: endpoint.url } }, kind),
    );

    const texts = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(texts.join("")).toBe("Let me look.");
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({
      toolName: "look",
      input: '{"id":7}',
    });
    expect(parts.at(-1)).toMatchObject({
      type: "finish",
      finishReason: { unified: "tool-calls" },
      usage: { inputTokens: { total: 20, cacheRead: 8 }, outputTokens: { total: 9 } },
    });
  });

  it("asks a key function before every request", async () => {
    endpoint.play(stream);
    endpoint.play(stream);
    let asked = 0;
    const apiKey = (): string => {
      asked += 1;
      return `key-${asked}`;
    };
    const chosen = await modelOf({ [kind]: { kind, apiKey, baseURL: endpoint.url } }, kind);

    await partsOf(chosen);
    await partsOf(chosen);

    expect(endpoint.requests.map((request) => request.headers[header])).toEqual(["key-1", "key-2"]);
  });

  it("never repeats a call by itself", async () => {
    const chosen = await modelOf({ [kind]: { kind, apiKey: KEY, baseURL: endpoint.url } }, kind);

    await expect(partsOf(chosen)).rejects.toMatchObject({ statusCode: 503 });
    expect(endpoint.requests).toHaveLength(1);
  });
});

it("keeps an output limit the call itself has", async () => {
  endpoint.play(ANTHROPIC_STREAM);

  await partsOf(await anthropicModel(), { maxOutputTokens: 100 });

  expect(endpoint.requests[0]?.body).toMatchObject({ max_tokens: 100 });
});

it("turns Anthropic's settings into what its API knows", async () => {
  endpoint.play(ANTHROPIC_STREAM);
  const settings = { promptCaching: true, "thinking.budgetTokens": 2_000 };

  await partsOf(await anthropicModel(), {
    providerOptions: optionsOf(await providerOf("anthropic"), settings),
  });

  expect(endpoint.requests[0]?.body).toMatchObject({
    cache_control: { type: "ephemeral" },
    thinking: { type: "enabled", budget_tokens: 2_000 },
    max_tokens: 6_096,
  });
});

it("leaves caching and thinking off without settings", async () => {
  endpoint.play(ANTHROPIC_STREAM);

  await partsOf(await anthropicModel(), {
    providerOptions: optionsOf(await providerOf("anthropic"), { promptCaching: false }),
  });

  expect(endpoint.requests[0]?.body).not.toHaveProperty("cache_control");
  expect(endpoint.requests[0]?.body).not.toHaveProperty("thinking");
});

it("turns Google's settings into what its API knows", async () => {
  endpoint.play(GOOGLE_STREAM);
  const settings = {
    "safety.harassment": "BLOCK_ONLY_HIGH",
    "safety.dangerousContent": "OFF",
    "thinking.budgetTokens": -1,
    "thinking.includeThoughts": true,
  };
  const model = await modelOf(
    { google: { kind: "google", apiKey: KEY, baseURL: endpoint.url } },
    "google",
  );

  await partsOf(model, { providerOptions: optionsOf(await providerOf("google"), settings) });

  expect(endpoint.requests[0]?.body).toMatchObject({
    safetySettings: [
      { category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" },
      { category: "HARM_CATEGORY_DANGEROUS_CONTENT", threshold: "OFF" },
    ],
    generationConfig: { thinkingConfig: { thinkingBudget: -1, includeThoughts: true } },
  });
});

it.each([
  ["anthropic", "promptCaching", true, "yes"],
  ["anthropic", "thinking.budgetTokens", 1_024, 1_023],
  ["google", "safety.hateSpeech", "BLOCK_NONE", "BLOCK_SOME"],
  ["google", "safety.sexuallyExplicit", "OFF", true],
  ["google", "safety.civicIntegrity", "BLOCK_MEDIUM_AND_ABOVE", ""],
  ["google", "thinking.budgetTokens", 65_535, 65_536],
  ["google", "thinking.budgetTokens", -1, -2],
] as const)("checks the setting %s.%s", async (kind, name, fits, doesNot) => {
  const schema = (await providerOf(kind)).settings?.[name]?.schema;

  expect(schema?.safeParse(fits).success).toBe(true);
  expect(schema?.safeParse(doesNot).success).toBe(false);
});

const anthropicModel = (): Promise<LanguageModel> =>
  modelOf({ claude: { kind: "anthropic", apiKey: KEY, baseURL: endpoint.url } }, "claude");

const modelOf = async (config: ProvidersConfig, name: string): Promise<LanguageModel> =>
  (await providerFrom(config, name)).languageModel("some-model");

const providerOf = (kind: "anthropic" | "google"): Promise<ModelProvider> =>
  providerFrom({ [kind]: { kind, apiKey: KEY } }, kind);

async function providerFrom(config: ProvidersConfig, name: string): Promise<ModelProvider> {
  const { providers, findings } = await createProviders(config, {
    env: { SOME_API_KEY: "key-of-the-environment" },
  });
  expect(findings).toEqual([]);
  const provider = providers.find((it) => it.name === name);
  if (provider === undefined) throw new Error(`there is no provider ${name}`);
  return provider;
}

/** Puts settings where their targets say, as the compiler does. */
function optionsOf(
  provider: ModelProvider,
  settings: Readonly<Record<string, string | number | boolean>>,
): SharedV4ProviderOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const path = [provider.optionsKey, ...(provider.settings?.[name]?.target ?? [])];
    let current = options;
    for (const member of path.slice(0, -1)) {
      current[member] ??= {};
      current = current[member] as Record<string, unknown>;
    }
    current[path.at(-1) ?? ""] = value;
  }
  return options as SharedV4ProviderOptions;
}

async function partsOf(
  model: LanguageModel,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<LanguageModelV4StreamPart[]> {
  if (model.specificationVersion !== "v4") throw new Error("the presets build V4 models");
  const prompt: LanguageModelV4CallOptions["prompt"] = [
    { role: "user", content: [{ type: "text", text: "Where is it?" }] },
  ];
  const { stream } = await model.doStream({ prompt, ...options });
  return Array.fromAsync(stream);
}

type Endpoint = {
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: unknown;
  }[];
  /** Answers the next request; one without a stream to play gets 503. */
  play(events: readonly object[]): void;
  close(): void;
};

async function startEndpoint(): Promise<Endpoint> {
  const streams: (readonly object[])[] = [];
  const requests: Endpoint["requests"][number][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString();
    const path = request.url?.split("?", 1)[0] ?? "";
    requests.push({ path, headers: request.headers, body: JSON.parse(text) });
    const events = streams.shift();
    response.writeHead(events === undefined ? 503 : 200, { "content-type": "text/event-stream" });
    response.end(events?.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play: (events) => void streams.push(events),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
