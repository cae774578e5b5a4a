import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Finding } from "@tracon/core";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";
import { createProviders, type ProvidersConfig } from "./create-providers.ts";

const SECRET = "sk-proj-VerySecretIndeed-0123456789";

it("registers the names of each kind", async () => {
  const { providers, findings } = await create({
    openai: { kind: "openai", apiKey: { env: "OPENAI_API_KEY" } },
    local: { kind: "openai-compatible", baseURL: "http://127.0.0.1:11434/v1" },
    claude: { kind: "anthropic", apiKey: () => SECRET },
    gemini: { kind: "google", apiKey: { env: "GEMINI_API_KEY" } },
    azure: {
      kind: "azure-openai",
      endpoint: "https://example.openai.azure.com",
      apiKey: { env: "AZURE_KEY" },
    },
    demo: { kind: "scripted", models: { support: [{ text: "Hi" }] } },
  });

  expect(findings).toEqual([]);
  expect(providers.map(({ name, kind, optionsKey }) => [name, kind, optionsKey])).toEqual([
    ["openai", "openai", "openai"],
    ["openai-responses", "openai-responses", "openai"],
    ["local", "openai-compatible", "local"],
    ["claude", "anthropic", "anthropic"],
    ["gemini", "google", "google"],
    ["azure", "azure-openai", "azure"],
    ["demo", "scripted", "scripted"],
  ]);
});

it("uses a provider of the AI SDK as it is", async () => {
  const model = new MockLanguageModelV4();
  const sdkProvider = Object.assign(() => model, { languageModel: () => model });

  const { providers } = await create({ Mine_2: sdkProvider });

  expect(providers[0]).toMatchObject({ name: "Mine_2", kind: "custom", optionsKey: "Mine_2" });
  expect(providers[0]?.settings).toBeUndefined();
  expect(providers[0]?.languageModel("any")).toBe(model);
});

it("refuses a model that speaks an older version of the AI SDK", async () => {
  const old = { languageModel: () => ({ specificationVersion: "v2" }) };

  const { providers } = await create({ mine: old as never });

  expect(() => providers[0]?.languageModel("any")).toThrow("specification v3 or v4");
});

it("builds the good providers beside the bad", async () => {
  const { providers, findings } = await create({
    good: { kind: "scripted", models: { one: [{ text: "Hi" }] } },
    bad: { kind: "scripted", models: {} },
  });

  expect(providers.map((it) => it.name)).toEqual(["good"]);
  expect(findings.map((it) => it.path)).toEqual(["providers.bad.models"]);
});

it("reports everything that is wrong at once", async () => {
  const { findings } = await create({
    openai: {
      kind: "openai",
      apiKey: { env: "OPENAI_KEY_UNSET" },
      headers: { X: { env: "NOT_SET" } },
    },
    "openai-mine": { kind: "openai-compatible", baseURL: "http://127.0.0.1/v1" },
    Local: { kind: "openai-compatible", baseURL: "/v1", api: 1 },
    claude: { kind: "anthropic", baseURL: "ftp://host" },
    gemini: { kind: "gemini" },
    azure: { kind: "azure-openai", apiKey: { env: "AZURE_KEY", or: 1 } },
    nothing: {},
    text: "openai",
  } as unknown as ProvidersConfig);

  expect(findings.map(({ code, path }) => `${path} ${code}`)).toEqual([
    "providers.openai.headers.X secret_missing",
    "providers.openai.apiKey secret_missing",
    "providers.openai-mine invalid_value",
    "providers.Local invalid_value",
    "providers.Local.baseURL invalid_value",
    "providers.Local.api unknown_member",
    "providers.claude.apiKey member_missing",
    "providers.claude.baseURL invalid_value",
    "providers.gemini.kind invalid_value",
    "providers.azure.endpoint member_missing",
    "providers.azure.apiKey invalid_value",
    "providers.nothing.kind member_missing",
    "providers.text invalid_value",
  ]);
});

it("names the variable that is not set", async () => {
  const { findings } = await create({ openai: { kind: "openai", apiKey: { env: "NOT_SET" } } });

  expect(findings).toEqual([
    {
      code: "secret_missing",
      path: "providers.openai.apiKey",
      message: "the environment variable 'NOT_SET' is not set",
      severity: "Error",
    },
  ]);
});

it("takes an empty variable for one that is not set", async () => {
  const config: ProvidersConfig = { openai: { kind: "openai", apiKey: { env: "EMPTY_KEY" } } };

  const { findings } = await createProviders(config, { env: { EMPTY_KEY: "" } });

  expect(findings.map((it) => it.code)).toEqual(["secret_missing"]);
});

it.each<[string, object]>([
  ["a literal key", { apiKey: SECRET }],
  ["a literal key in place of a variable's name", { apiKey: { env: SECRET } }],
  ["a literal authorization header", { apiKey: () => "key", headers: { Authorization: SECRET } }],
  ["credentials in the address", { apiKey: () => "key", baseURL: `https://me:${SECRET}@host/v1` }],
])("refuses %s and never repeats it", async (_, options) => {
  const { providers, findings } = await create({
    openai: { kind: "openai", ...options },
  } as never);

  expect(providers).toEqual([]);
  expect(findings).toHaveLength(1);
  expect(JSON.stringify(findings)).not.toContain("VerySecret");
});

it("says how a literal key is written instead", async () => {
  const { findings } = await create({ claude: { kind: "anthropic", apiKey: SECRET } } as never);

  expect(findings[0]?.message).toContain('{ env: "NAME" }');
});

it("does not repeat a variable's name that may be a key", async () => {
  const { findings } = await create({
    gemini: { kind: "google", apiKey: { env: "AIzaSyVerySecretIndeed0123456789" } },
  });

  expect(findings.map((it) => it.code)).toEqual(["secret_missing"]);
  expect(JSON.stringify(findings)).not.toContain("VerySecret");
});

it("refuses a header that no request can carry", async () => {
  const { findings } = await create({
    local: {
      kind: "openai-compatible",
      baseURL: "http://127.0.0.1/v1",
      headers: { "X-Team": "a\r\nX-Evil: 1", "bad name": "x", "X-Count": 1 as never },
    },
  });

  expect(pathsOf(findings)).toEqual([
    "providers.local.headers.X-Count",
    "providers.local.headers.X-Team",
    "providers.local.headers.bad name",
  ]);
});

it("refuses a name that two entries register", async () => {
  const { providers, findings } = await create({
    openai: { kind: "openai", apiKey: () => "key" },
    "openai-responses": { kind: "scripted", models: { one: [{ text: "Hi" }] } },
  });

  expect(providers.map((it) => it.name)).toEqual(["openai", "openai-responses"]);
  expect(findings).toMatchObject([{ code: "duplicate_name", path: "providers.openai-responses" }]);
});

it("finds what is wrong with a script, turn by turn", async () => {
  const { findings } = await create({
    demo: {
      kind: "scripted",
      models: {
        empty: [],
        silent: [{}],
        both: { turns: [{ text: "a" }], when: [{ turns: [{ text: "b" }] }] },
        placeholder: [{ text: "{{orderId}} {{input}}" }],
        rules: {
          when: [
            {
              captures: { input: "word:ORD-", id: "ORD" },
              turns: [{ text: "a", error: { statusCode: 200 } }],
            },
          ],
        },
        tool: [{ toolCalls: [{ name: "a.b", input: [] }] }],
        pace: { turns: [{ text: "a", delay: 3 }], delayMs: -1 },
      },
    },
  } as never);

  expect(pathsOf(findings)).toEqual(
    [
      "empty.turns",
      "silent.turns[0]",
      "both",
      "placeholder.turns[0]",
      "rules.when[0].captures.input",
      "rules.when[0].captures.id",
      "rules.when[0].turns[0].error",
      "rules.when[0].turns[0].error.statusCode",
      "tool.turns[0].toolCalls[0].name",
      "tool.turns[0].toolCalls[0].input",
      "pace.turns[0].delay",
      "pace.delayMs",
    ]
      .map((path) => `providers.demo.models.${path}`)
      .sort(),
  );
});

it("has no script for a model that is not listed", async () => {
  const { providers } = await create({
    demo: { kind: "scripted", models: { support: [{ text: "Hi" }] } },
  });

  expect(() => providers[0]?.languageModel("other")).toThrow("a script for 'support' only");
  expect(() => providers[0]?.languageModel("toString")).toThrow("a script for 'support' only");
});

it("never reads the process environment", async () => {
  const { findings } = await createProviders(
    { openai: { kind: "openai", apiKey: { env: "PATH" } } },
    { env: {} },
  );

  expect(findings.map((it) => it.code)).toEqual(["secret_missing"]);
});

it.each<[string, string, readonly string[]]>([
  ["nothing for a script", '{ kind: "scripted", models: { a: [{ text: "Hi" }] } }', []],
  ["one package for one kind", '{ kind: "google", apiKey: () => "key" }', ["google"]],
])("loads %s", async (_, options, packages) => {
  const index = fileURLToPath(new URL("./index.ts", import.meta.url));
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/(?:@ai-sdk\\/)?([^/]+)/.exec(url)?.[1];
        if (url.includes("@ai-sdk/")) loaded.add(name);
        return next(url, context);
      },
    });
    const { createProviders } = await import(${JSON.stringify(index)});
    await createProviders({ a: ${options} }, { env: {} });
    console.log(JSON.stringify([...loaded].filter((it) => !it.startsWith("provider"))));
  `;
  const args = ["--conditions=@tracon/source", "--input-type=module", "--eval", program];

  const { stdout } = await promisify(execFile)(process.execPath, args);

  expect(JSON.parse(stdout)).toEqual(packages);
});

const pathsOf = (findings: readonly Finding[]): readonly string[] =>
  findings.map((it) => it.path).sort();

const create = (config: ProvidersConfig) =>
  createProviders(config, {
    env: { OPENAI_API_KEY: "key", GEMINI_API_KEY: "key", AZURE_KEY: "key" },
  });
