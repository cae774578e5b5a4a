import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { LanguageModel, ModelProvider } from "@tracon/core";
import { type FakeOpenAi, type FakeOpenAiTurn, startFakeOpenAi } from "@tracon/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProviders, type ProvidersConfig } from "../create-providers.ts";

/** The four ways to an OpenAI-shaped server, each against the strict fake. */

let server: FakeOpenAi;
beforeEach(async () => {
  server = await startFakeOpenAi();
});
afterEach(() => server.close());

const TURN: FakeOpenAiTurn = {
  text: ["Let me ", "look."],
  toolCalls: [{ name: "look", arguments: ['{"id"', ":7}"] }],
  usage: { inputTokens: 20, cachedInputTokens: 8, outputTokens: 9 },
};

type Way = {
  readonly config: (url: string, origin: string) => ProvidersConfig;
  readonly provider: string;
  readonly path: string;
  readonly header: readonly [name: string, value: string];
};

const KEY = { env: "SOME_API_KEY" };
const compatible: Way = {
  config: (baseURL) => ({ "my-vllm": { kind: "openai-compatible", baseURL, apiKey: KEY } }),
  provider: "my-vllm",
  path: "/v1/chat/completions",
  header: ["authorization", "Bearer key-of-the-environment"],
};
const ways: Readonly<Record<string, Way>> = {
  "openai on Chat Completions": {
    config: (baseURL) => ({ openai: { kind: "openai", baseURL, apiKey: KEY } }),
    provider: "openai",
    path: "/v1/chat/completions",
    header: ["authorization", "Bearer key-of-the-environment"],
  },
  "openai on Responses": {
    config: (baseURL) => ({ openai: { kind: "openai", baseURL, apiKey: KEY } }),
    provider: "openai-responses",
    path: "/v1/responses",
    header: ["authorization", "Bearer key-of-the-environment"],
  },
  "openai-compatible with a key": compatible,
  "azure-openai": {
    config: (_, endpoint) => ({ azure: { kind: "azure-openai", endpoint, apiKey: KEY } }),
    provider: "azure",
    path: "/openai/v1/chat/completions",
    header: ["api-key", "key-of-the-environment"],
  },
};

describe.each(Object.entries(ways))("%s", (_, way) => {
  it("sends the model, the key and the question to the right place", async () => {
    server.enqueue(TURN);
    const model = await modelOf(way);

    await partsOf(model);

    const [name, value] = way.header;
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: way.path,
      headers: { [name]: value },
      body: { model: "some-model", stream: true },
    });
    server.assertDone();
  });

  it("streams text, a tool call and usage", async () => {
    server.enqueue(TURN);
    const model = await modelOf(way);

    const parts = await partsOf(model);

    expect(textsOf(parts)).toEqual(["Let me ", "look."]);
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

  it("never repeats a call by itself", async () => {
    server.enqueue({ http: { status: 503 } }, TURN);
    const model = await modelOf(way);

    await expect(partsOf(model)).rejects.toMatchObject({ statusCode: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it("ends the request when the call is aborted", async () => {
    server.enqueue({ text: "late", faults: { hangsBeforeHeaders: true } });
    const model = await modelOf(way);
    const run = new AbortController();
    const answered = Promise.allSettled([partsOf(model, { abortSignal: run.signal })]);
    const request = await server.received(1);

    run.abort(new Error("canceled"));
    await request.aborted;
    await answered;

    expect(request.state).toBe("aborted");
  });
});

it("needs no key for a compatible server", async () => {
  server.enqueue(TURN);
  const { providers } = await createProviders(
    { local: { kind: "openai-compatible", baseURL: `${server.url}/` } },
    { env: {} },
  );

  await partsOf(modelNamed(providers, "local"));

  expect(server.requests[0]?.headers.authorization).toBeUndefined();
  expect(server.requests[0]?.path).toBe("/v1/chat/completions");
});

it("reads the reasoning of a compatible server", async () => {
  server.enqueue({ reasoning: ["Hm", "m."], text: "Yes." });

  const parts = await partsOf(await modelOf(compatible));

  const reasoning = parts.flatMap((it) => (it.type === "reasoning-delta" ? [it.delta] : []));
  expect(reasoning.join("")).toBe("Hmm.");
});

it("leaves usage unknown where a compatible server reports none", async () => {
  server.enqueue({ text: "Yes.", usage: null });

  const parts = await partsOf(await modelOf(compatible));

  expect(parts.at(-1)).toMatchObject({
    usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
  });
});

it("sends a response schema to a compatible server as it is", async () => {
  server.enqueue({ text: "{}" });
  const schema = { type: "object", properties: {}, additionalProperties: false } as const;

  await partsOf(await modelOf(compatible), { responseFormat: { type: "json", schema } });

  expect(server.requests[0]?.body).toMatchObject({
    response_format: { type: "json_schema", json_schema: { schema } },
  });
});

it("asks a key function before every request", async () => {
  server.enqueue(TURN, TURN);
  let asked = 0;
  const apiKey = async (): Promise<string> => {
    asked += 1;
    return `key-${asked}`;
  };
  const config: ProvidersConfig = {
    openai: { kind: "openai", baseURL: server.url, apiKey },
    azure: { kind: "azure-openai", endpoint: `${server.origin}/openai/v1/`, apiKey },
  };
  const { providers } = await createProviders(config, { env: {} });

  await partsOf(modelNamed(providers, "openai"));
  await partsOf(modelNamed(providers, "azure"));

  expect(server.requests[0]?.headers.authorization).toBe("Bearer key-1");
  expect(server.requests[1]?.headers["api-key"]).toBe("key-2");
  expect(server.requests[1]?.headers.authorization).toBeUndefined();
});

it("sends nothing when the key function gives no key", async () => {
  const { providers } = await createProviders(
    { openai: { kind: "openai", baseURL: server.url, apiKey: () => "" } },
    { env: { OPENAI_API_KEY: "key-of-somebody-else" } },
  );

  await expect(partsOf(modelNamed(providers, "openai"))).rejects.toMatchObject({
    code: "provider_error",
    message: "the key function of provider 'openai' gave no key",
  });
  expect(server.requests).toEqual([]);
});

it("sends the organization and the headers, also those from the environment", async () => {
  server.enqueue(TURN);
  const { providers } = await createProviders(
    {
      openai: {
        kind: "openai",
        baseURL: server.url,
        apiKey: KEY,
        organization: "org-1",
        headers: { "X-Team": "support", Cookie: { env: "GATEWAY_COOKIE" } },
      },
    },
    { env: { SOME_API_KEY: "key", GATEWAY_COOKIE: "session=1" } },
  );

  await partsOf(modelNamed(providers, "openai"));

  expect(server.requests[0]?.headers).toMatchObject({
    "openai-organization": "org-1",
    "x-team": "support",
    cookie: "session=1",
  });
});

it("sends through the fetch it is given", async () => {
  server.enqueue(TURN);
  const seen: string[] = [];
  const { providers } = await createProviders(
    { local: { kind: "openai-compatible", baseURL: server.url } },
    {
      env: {},
      fetch: (input, init) => {
        seen.push(String(input));
        return fetch(input, init);
      },
    },
  );

  await partsOf(modelNamed(providers, "local"));

  expect(seen).toEqual([`${server.url}/chat/completions`]);
});

async function modelOf(way: Way): Promise<LanguageModel> {
  const { providers, findings } = await createProviders(way.config(server.url, server.origin), {
    env: { SOME_API_KEY: "key-of-the-environment" },
  });
  expect(findings).toEqual([]);
  return modelNamed(providers, way.provider);
}

function modelNamed(providers: readonly ModelProvider[], name: string): LanguageModel {
  const provider = providers.find((it) => it.name === name);
  if (provider === undefined) throw new Error(`there is no provider ${name}`);
  return provider.languageModel("some-model");
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

/** OpenAI opens every text with an empty piece of it. */
const textsOf = (parts: readonly LanguageModelV4StreamPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === "text-delta" && part.delta !== "" ? [part.delta] : []));
