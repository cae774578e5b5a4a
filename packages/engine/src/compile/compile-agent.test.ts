import { tool } from "@ai-sdk/provider-utils";
import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
  type Finding,
  type ModelProvider,
} from "@tracon/core";
import { manualClock, memoryLog, scriptedModel } from "@tracon/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { compileAgent } from "./compile-agent.ts";
import { createLoopHost } from "./loop-host.ts";
import { createRingHosts } from "./ring-hosts.ts";

it("binds the model, its sampling and the tools in the order of the definition", async () => {
  const { agent, findings } = await compile({
    model: {
      provider: "test",
      model: "m",
      temperature: 0.2,
      topP: 0.9,
      maxOutputTokens: 100,
      reasoningEffort: "High",
    },
    toolNames: ["second", "first"],
  });

  expect(findings).toEqual([]);
  expect(agent?.turn.bound).toMatchObject({ provider: "test", modelId: "m" });
  expect(agent?.turn.callOptions).toMatchObject({
    temperature: 0.2,
    topP: 0.9,
    maxOutputTokens: 100,
    reasoning: "high",
    tools: [
      { type: "function", name: "second", inputSchema: { type: "object" } },
      { type: "function", name: "first", description: "The first." },
    ],
  });
});

it("offers no tools and sends no instructions when there are none", async () => {
  const { agent } = await compile({ instructions: "" });

  expect(agent?.turn.callOptions).toEqual({});
  expect(agent?.instructions).toBeUndefined();
});

it(
  "reports every name that does not resolve, all at once, each with its path",
  covers("compile.every-name-resolves", "compile.unknown-tool", "compile.unknown-provider"),
  async () => {
    const { agent, findings } = await compile({
      model: { provider: "nowhere", model: "m", reasoningEffort: "lots" },
      toolNames: ["first", "missing", "first"],
      skillNames: ["a"],
    });

    expect(agent).toBeUndefined();
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ["feature_unavailable", "skillNames"],
      ["invalid_value", "model.reasoningEffort"],
      ["unknown_provider", "model.provider"],
      ["unknown_tool", "toolNames[1]"],
      ["duplicate_name", "toolNames[2]"],
    ]);
  },
);

it.each<[string, Partial<AgentDefinitionRequest>]>([
  ["skillNames", { skillNames: ["a"] }],
  ["mcpResourceUris", { mcpResourceUris: ["server:uri"] }],
  ["compaction.strategy", { compaction: { strategy: "Truncation" } }],
  ["memory.enableFileMemory", { memory: { enableFileMemory: true } }],
  ["memory.enableTextSearch", { memory: { enableTextSearch: true } }],
  ["memory.enableVectorSearch", { memory: { enableVectorSearch: true } }],
  ["workspace", { workspace: {} }],
  ["harness.enableWebSearch", harness({ enableWebSearch: true })],
  ["harness.maxContextWindowTokens", harness({ maxContextWindowTokens: 1 })],
  ["harness.maxOutputTokens", harness({ maxOutputTokens: 1 })],
])("refuses %s, which is not part of this version", async (path, definition) => {
  const { agent, findings } = await compile(definition);

  expect(agent).toBeUndefined();
  expect(findings).toMatchObject([{ code: "feature_unavailable", path }]);
});

it.each<[string, Partial<AgentDefinitionRequest>]>([
  ["empty lists", { instructionsByCulture: {}, parameters: [], skillNames: [] }],
  ["compaction that is off", { compaction: { strategy: "None", triggerTokens: 5 } }],
  ["memory that is off", { memory: { enableTodo: false, vectorCollection: "a" } }],
  [
    "settings of skills and sub-agents without any",
    { skills: {}, subAgents: { waitTimeout: "2m" } },
  ],
  ["a cache that is off", binding({ responseCache: { enabled: false } })],
  ["text as response format", binding({ responseFormat: { kind: "Text" } })],
  ["a harness with nothing set", { harness: {} }],
  ["a harness with its defaults off", harness({ disableWebSearch: true, disableFileMemory: true })],
])("compiles %s", async (_, definition) => {
  const { agent, findings } = await compile(definition);

  expect(findings).toEqual([]);
  expect(agent).toBeDefined();
});

it("refuses a response schema that nobody would read", async () => {
  const { findings } = await compile(binding({ responseFormat: { kind: "Text", schema: {} } }));

  expect(findings).toMatchObject([
    { code: "response_format_schema_invalid", path: "model.responseFormat.schema" },
  ]);
});

it("puts settings of the provider where its models read them", async () => {
  const settings = {
    effort: { schema: z.enum(["low", "high"]), target: ["reasoning", "effort"] },
    summary: { schema: z.boolean(), target: ["reasoning", "summary"] },
    user: { schema: z.string(), target: ["user"] },
  };
  const { agent } = await compile(
    binding({
      providerSettings: { "test.effort": "low", "test.summary": true, "test.user": "u" },
    }),
    { settings },
  );

  expect(agent?.turn.callOptions.providerOptions).toEqual({
    options: { reasoning: { effort: "low", summary: true }, user: "u" },
  });
});

it("refuses settings that the provider does not know, or not so", async () => {
  const settings = { effort: { schema: z.enum(["low", "high"]), target: ["effort"] } };
  const { findings } = await compile(
    binding({
      providerSettings: {
        "test.effort": "much",
        "test.efort": "low",
        "other.effort": "low",
        effort: "low",
        "test.toString": 1,
        "test.": 1,
      },
    }),
    { settings },
  );

  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ["provider_setting_invalid", 'model.providerSettings["test.effort"]'],
    ["provider_setting_unknown", 'model.providerSettings["test.efort"]'],
    ["provider_setting_unknown", 'model.providerSettings["other.effort"]'],
    ["provider_setting_unknown", 'model.providerSettings["effort"]'],
    ["provider_setting_unknown", 'model.providerSettings["test.toString"]'],
    ["provider_setting_unknown", 'model.providerSettings["test."]'],
  ]);
});

it("passes any setting on to a provider of one's own, into its own options only", async () => {
  const { agent, findings } = await compile(
    binding({
      providerSettings: {
        "test.a.b": 1,
        "test.constructor.prototype.polluted": true,
        "test.__proto__.polluted": true,
        "test.a": 2,
        "test.list": [1],
        "test.list.length": 9,
      },
    }),
  );

  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(agent).toBeUndefined();
  expect(findings.map(({ path }) => path)).toEqual([
    'model.providerSettings["test.__proto__.polluted"]',
    'model.providerSettings["test.a"]',
    'model.providerSettings["test.list.length"]',
  ]);
});

it.each([
  ["throws", () => fail(new Error("no such deployment")), "no such deployment"],
  ["throws no error", () => fail("no"), "refused"],
  ["gives the name of a model", () => "gpt" as never, "specification"],
  ["gives nothing", () => undefined as never, "specification"],
  [
    "speaks an older specification",
    () => ({ specificationVersion: "v2" }) as never,
    "specification",
  ],
])("reports a model whose provider %s", async (_, languageModel, reason) => {
  const { findings } = await compile({}, { languageModel });

  expect(findings).toMatchObject([
    { code: "model_unavailable", path: "model.model", message: expect.stringContaining(reason) },
  ]);
});

it("refuses an effort for a model of a specification that cannot carry it", async () => {
  const older = { ...scriptedModel([]), specificationVersion: "v3" } as never;
  const { findings } = await compile(binding({ reasoningEffort: "high" }), {
    languageModel: () => older,
  });

  expect(findings).toMatchObject([{ code: "invalid_value", path: "model.reasoningEffort" }]);
});

it("gives a run's lockfile another hash whenever something that shapes it is another", async () => {
  const hashes = [
    await compile({}),
    await compile({ instructions: "Be brief." }),
    await compile({ toolNames: ["first"] }),
    await compile(binding({ model: "other" })),
  ].map(({ agent }) => agent?.lockfileHash);

  expect(new Set(hashes).size).toBe(4);
});

it("calls no model", covers("compile.validate-calls-no-model"), async () => {
  const model = scriptedModel([]);

  await compile({ toolNames: ["first"] }, { languageModel: () => model });

  expect(model.calls).toEqual([]);
});

function fail(thrown: unknown): never {
  throw thrown;
}

function binding(model: Partial<AgentDefinitionRequest["model"]>): Partial<AgentDefinitionRequest> {
  return { model: { provider: "test", model: "m", ...model } };
}

function harness(settings: NonNullable<AgentDefinitionRequest["harness"]>) {
  const off = {
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
  };
  return { harness: { ...off, ...settings } };
}

async function compile(
  definition: Partial<AgentDefinitionRequest>,
  provider: Partial<ModelProvider> = {},
): Promise<{
  readonly agent: ReturnType<typeof compileAgent>["agent"];
  readonly findings: readonly Finding[];
}> {
  const inputSchema = z.object({});
  const { registry } = await createToolRegistry({
    first: tool({ description: "The first.", inputSchema, execute: () => 1 }),
    second: tool({ inputSchema, execute: () => 2 }),
  });
  const providers = createProviderRegistry(
    [
      {
        name: "test",
        kind: "custom",
        optionsKey: "options",
        languageModel: () => scriptedModel([]),
        ...provider,
      },
    ],
    [],
  );
  const content = agentDefinitionRequestSchema.parse({
    name: "agent",
    model: { provider: "test", model: "m" },
    ...definition,
  });
  const stored = { ...content, origin: "Database", version: 1 } as const;
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const input = { definitionHash: contentHash(content), dependencies: {} };
  const log = memoryLog();
  const rings = createRingHosts({}, system);
  const context = {
    providers,
    tools: registry,
    extensions: new Map(),
    loop: createLoopHost({}, { providers, log, ...rings }),
    log,
    ...rings,
  };
  return compileAgent(stored, input, context);
}
