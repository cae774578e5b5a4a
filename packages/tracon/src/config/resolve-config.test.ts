import { type Finding, TraconError } from "@tracon/core";
import { memoryResponseCache } from "@tracon/engine";
import { tool } from "ai";
import { expect, it } from "vitest";
import * as z from "zod";
import type { TraconConfig } from "./config.ts";
import { resolveConfig } from "./resolve-config.ts";

const SECRET = "sk-canary-0123456789";

it("applies the defaults to an empty configuration", async () => {
  const resolved = await resolveConfig({}, {});

  expect(resolved).toMatchObject({
    storage: "sqlite:.tracon/tracon.db",
    server: { port: 7_717, host: "127.0.0.1", prefix: "/tracon" },
    runRecording: { recordMessageDeltas: true, recordReasoningDeltas: false },
    agents: [],
    token: undefined,
  });
});

it("reports everything that is wrong at once, whichever part it is in", async () => {
  const findings = await findingsOf({
    providers: {
      vendor: { kind: "nope" },
      keyed: { kind: "openai", apiKey: { env: "UNSET_KEY" } },
    },
    tools: { "not a name": echo(), broken: 5 },
    agents: [{ name: "a" }],
    models: [{ provider: "vendor" }],
    runRecording: { maxPayloadLength: -1 },
    server: { port: 70_000, typo: true },
    judge: { provider: "vendor" },
    runContinuation: {},
  });

  expect(findings.map(({ path, code }) => `${path}: ${code}`).sort()).toEqual([
    "agents[0].model: member_missing",
    "judge.model: member_missing",
    "models[0].model: member_missing",
    "providers.keyed.apiKey: secret_missing",
    "providers.vendor.kind: invalid_value",
    "runContinuation: feature_unavailable",
    "runRecording.maxPayloadLength: invalid_value",
    "server.port: invalid_value",
    "server.typo: unknown_member",
    "tools.broken: invalid_value",
    "tools.not a name: tool_name_invalid",
  ]);
});

it("reads dated prices and when prompts are measured", async () => {
  const price = { provider: "p", model: "m", inputPerMillion: 1 };

  const { prices, preflight } = await resolveConfig(
    { prices: [price, { ...price, validFrom: "2026-07-01" }], preflight: { enabled: true } },
    {},
  );

  expect(prices).toEqual([
    { ...price, currency: "USD" },
    { ...price, currency: "USD", validFrom: "2026-07-01T00:00:00.000Z" },
  ]);
  expect(preflight).toEqual({ enabled: true, reserveRatio: 0.2 });
});

it("finds prices that contradict each other or say nothing", async () => {
  const price = { provider: "p", model: "m", inputPerMillion: 1 };

  const findings = await findingsOf({
    models: [{ provider: "p", model: "listed", price: { inputPerMillion: 1 } }],
    prices: [
      price,
      price,
      { ...price, model: "listed" },
      { ...price, validFrom: "July" },
      { provider: "p", model: "n" },
    ],
    preflight: { reserveRatio: 1 },
  });
  const contradictions = await findingsOf({
    models: [{ provider: "p", model: "listed", price: { inputPerMillion: 1 } }],
    prices: [price, price, { ...price, model: "listed" }, { provider: "p", model: "n" }],
  });

  expect(findings.map(({ path }) => path)).toEqual([
    "prices[3].validFrom",
    "preflight.reserveRatio",
  ]);
  expect(contradictions.map(({ path, code }) => `${path}: ${code}`)).toEqual([
    "prices[1]: duplicate_name",
    "prices[2]: duplicate_name",
    "prices[3]: member_missing",
  ]);
});

it("applies the defaults of how models are called", async () => {
  const resolved = await resolveConfig({}, {});

  expect(resolved).toMatchObject({
    modelRetry: { maxRetries: 2, baseDelayMs: 500, maxDelayMs: 30_000 },
    modelConcurrency: {},
    circuitBreaker: { enabled: true, failureThreshold: 5, breakDurationMs: 30_000 },
    structuredResponse: { enabled: false, maxRepairAttempts: 0 },
    contentGuards: {},
  });
});

it("reads durations in every form", async () => {
  const resolved = await resolveConfig(
    {
      modelRetry: { baseDelay: "1s", maxDelay: "PT1M" },
      circuitBreaker: { breakDuration: "00:02:00" },
    },
    {},
  );

  expect(resolved).toMatchObject({
    modelRetry: { baseDelayMs: 1_000, maxDelayMs: 60_000 },
    circuitBreaker: { breakDurationMs: 120_000 },
  });
});

it("refuses settings of model calls that cannot be", async () => {
  const findings = await findingsOf({
    modelRetry: { maxRetries: -1, baseDelay: "soon", maxDelay: "0s" },
    modelConcurrency: { maxConcurrentCallsPerProvider: 0 },
    circuitBreaker: { failureThreshold: 0 },
    structuredResponse: { maxRepairAttempts: 11 },
    structuredResponseValidator: "yes",
    responseCache: { get: () => undefined },
    contentGuards: { empty: {} },
  });

  expect(findings.map(({ path, code }) => `${path}: ${code}`).sort()).toEqual([
    "circuitBreaker.failureThreshold: invalid_value",
    "contentGuards.empty: invalid_value",
    "modelConcurrency.maxConcurrentCallsPerProvider: invalid_value",
    "modelRetry.baseDelay: invalid_value",
    "modelRetry.maxDelay: invalid_value",
    "modelRetry.maxRetries: invalid_value",
    "responseCache: invalid_value",
    "structuredResponse.maxRepairAttempts: invalid_value",
    "structuredResponseValidator: invalid_value",
  ]);
});

it("reads what holds for all tools, beside a tool of the same name", async () => {
  const tools = { defaultTimeout: "10s", defaultMaxOutputBytes: 100, plain: echo() };

  const resolved = await resolveConfig({ tools }, {});
  const named = await resolveConfig({ tools: { defaultTimeout: echo() } }, {});
  const findings = await findingsOf({
    tools: { defaultTimeout: "soon", defaultMaxOutputBytes: 3 },
  });

  expect(resolved.tools.descriptors).toMatchObject([
    { name: "plain", timeout: "00:00:10", maxOutputBytes: 100 },
  ]);
  expect(named.tools.descriptors).toMatchObject([{ name: "defaultTimeout", timeout: "00:00:30" }]);
  expect(findings.map(({ path }) => path)).toEqual([
    "tools.defaultTimeout",
    "tools.defaultMaxOutputBytes",
  ]);
});

it("reads how long decisions may take", async () => {
  const defaults = await resolveConfig({}, {});
  const set = await resolveConfig({ approvals: { defaultExpiration: "2h", maxPerScan: 5 } }, {});
  const findings = await findingsOf({ approvals: { scanInterval: "0s", maxPerScan: 0, odd: 1 } });

  const inWords = { defaultExpirationMs: 86_400_000, scanIntervalMs: 60_000, maxPerScan: 100 };
  expect(defaults.approvals).toEqual({ ...inWords, expirationEnabled: true });
  expect(set.approvals).toMatchObject({ defaultExpirationMs: 7_200_000, maxPerScan: 5 });
  expect(findings.map(({ path }) => path).sort()).toEqual([
    "approvals.maxPerScan",
    "approvals.odd",
    "approvals.scanInterval",
  ]);
});

it("compiles an agent with a response cache once one is registered", async () => {
  const cached = {
    ...agent("cached"),
    model: { ...agent("cached").model, responseCache: { enabled: true } },
  };
  const responseCache = memoryResponseCache();

  const without = await findingsOf({ ...scripted, agents: [cached] });
  const resolved = await resolveConfig({ ...scripted, agents: [cached], responseCache }, {});

  expect(without).toMatchObject([
    { path: "agents[0].model.responseCache", code: "response_cache_missing" },
  ]);
  expect(resolved.responseCache).toBe(responseCache);
});

it("lists the findings in the message, for whoever reads it in a terminal", async () => {
  const error = await errorOf({ storage: "mysql://db", server: { prefix: "no-slash" } });

  expect(error.message).toMatch(/^the configuration is not valid:\n {2}storage: .*mysql/);
  expect(error.message).toContain("\n  server.prefix: ");
});

it.each(["runReconciliation", "runContinuation"])(
  "refuses '%s' by name until it is built",
  async (member) => {
    const findings = await findingsOf({ [member]: {} });

    expect(findings).toMatchObject([{ path: member, code: "feature_unavailable" }]);
  },
);

it("refuses a member it does not know rather than ignoring a typo", async () => {
  const findings = await findingsOf({ agnets: [] });

  expect(findings).toMatchObject([{ path: "agnets", code: "unknown_member" }]);
});

it.each([null, undefined, 5, "config", []])("refuses %j as a configuration", async (config) => {
  expect(await findingsOf(config)).toHaveLength(1);
});

it.each<[string, TraconConfig | object]>([
  ["providers.openai.apiKey", { providers: { openai: { kind: "openai", apiKey: SECRET } } }],
  ["server.token", { server: { token: SECRET } }],
])("refuses a secret written into %s and does not repeat it", async (path, config) => {
  const error = await errorOf(config);

  expect(error.details.findings).toMatchObject([{ path }]);
  expect(JSON.stringify([error.message, error.details])).not.toContain(SECRET);
});

it("reads the token from the variable that is named, and TRACON_TOKEN wins", async () => {
  const config = { server: { token: { env: "MY_TOKEN" } } };

  const named = await resolveConfig(config, { MY_TOKEN: "mine" });
  const overridden = await resolveConfig(config, { MY_TOKEN: "mine", TRACON_TOKEN: "wins" });

  expect([named.token, overridden.token]).toEqual(["mine", "wins"]);
});

it.each([{}, { MY_TOKEN: "" }])("refuses a token whose variable is not set (%j)", async (env) => {
  const findings = await findingsOf({ server: { token: { env: "MY_TOKEN" } } }, env);

  expect(findings).toMatchObject([{ path: "server.token", code: "secret_missing" }]);
});

it("refuses two agents of one name", async () => {
  const findings = await findingsOf({ ...scripted, agents: [agent("twin"), agent("twin")] });

  expect(findings).toMatchObject([{ path: "agents[1].name", code: "duplicate_name" }]);
});

it("compiles the agents before anything is opened", async () => {
  const findings = await findingsOf({
    ...scripted,
    agents: [{ ...agent("lost"), toolNames: ["absent"] }],
  });

  expect(findings).toMatchObject([{ path: "agents[0].toolNames[0]" }]);
});

it("compiles what can be read of an agent, and the others", async () => {
  const findings = await findingsOf({
    ...scripted,
    agents: [
      { ...agent("half"), toolNames: ["absent"], model: { provider: "demo", model: 7 }, typo: 1 },
      "no agent",
      { ...agent("!"), toolNames: ["gone"] },
      { ...agent("?"), instructionsByCulture: { "not a tag": "x" } },
      { ...agent("whole"), toolNames: ["lost"] },
    ],
  });

  expect(findings.map(({ path, code }) => `${path}: ${code}`).sort()).toEqual([
    "agents[0].model.model: invalid_value",
    "agents[0].toolNames[0]: unknown_tool",
    "agents[0].typo: unknown_member",
    "agents[1]: invalid_value",
    "agents[2].name: invalid_value",
    "agents[2].toolNames[0]: unknown_tool",
    'agents[3].instructionsByCulture["not a tag"]: culture_invalid',
    "agents[3].name: invalid_value",
    "agents[4].toolNames[0]: unknown_tool",
  ]);
});

it("does not blame the agents for a provider that could not be built", async () => {
  const findings = await findingsOf({
    providers: { demo: { kind: "nope" } },
    agents: [agent("innocent")],
  });

  expect(findings.map(({ path }) => path)).toEqual(["providers.demo.kind"]);
});

it.each(["mysql://db", "sqlite:", "sqlite::memory:", "memory", "postgres://[bad"])(
  "refuses %j as storage",
  async (storage) => {
    expect(await findingsOf({ storage })).toMatchObject([{ path: "storage" }]);
  },
);

it("never repeats the password of a storage address", async () => {
  const error = await errorOf({ storage: `postgres://user:${SECRET}@[bad` });

  expect(JSON.stringify([error.message, error.details])).not.toContain(SECRET);
});

it("prefers DATABASE_URL to the configured storage, and checks it too", async () => {
  const resolved = await resolveConfig({}, { DATABASE_URL: "memory:" });
  const findings = await findingsOf({}, { DATABASE_URL: "mysql://db" });

  expect(resolved.storage).toBe("memory:");
  expect(findings).toMatchObject([{ path: "env.DATABASE_URL" }]);
});

it.each([
  ["/", ""],
  ["", ""],
  ["/ops/", "/ops"],
  ["/a/b", "/a/b"],
])("serves the prefix %j as %j", async (prefix, expected) => {
  const resolved = await resolveConfig({ server: { prefix } }, {});

  expect(resolved.server.prefix).toBe(expected);
});

it.each(["tracon", "/a b", "/../x", "/a?b"])("refuses %j as a prefix", async (prefix) => {
  expect(await findingsOf({ server: { prefix } })).toMatchObject([{ path: "server.prefix" }]);
});

it.each([
  [{ tool: echo(), effect: "maybe" }, "effect"],
  [{ tool: echo(), timout: "3s" }, "timout"],
  [{ tool: echo(), safeToRepeat: "yes" }, "safeToRepeat"],
  [{ tool: echo(), polling: "yes" }, "polling"],
  [{ tool: null }, "tool"],
  [{ tool: echo(), requiresApproval: "yes" }, "requiresApproval"],
])("refuses the registration %j for its %s", async (registration, member) => {
  const findings = await findingsOf({ tools: { odd: registration } });

  expect(findings.map(({ path }) => path)).toEqual([`tools.odd.${member}`]);
});

it("refuses a log level there is not", async () => {
  const findings = await findingsOf({}, { TRACON_LOG_LEVEL: "loud" });

  expect(findings).toMatchObject([{ path: "env.TRACON_LOG_LEVEL" }]);
});

it("reads the limits of a run tree, and takes one that is not positive for none", async () => {
  const counts = { maxTotalTokens: 0, maxTotalCost: 2.5, maxToolCalls: -1 };
  const waits = { maxDuration: "2m", childDeadline: "10s", waitTimeout: "20s" };

  const defaults = await resolveConfig({}, {});
  const { agentGraph: limits } = await resolveConfig({ agentGraph: { ...counts, ...waits } }, {});

  expect(defaults.agentGraph).toEqual({
    maxDepth: 3,
    maxTotalTokens: 200_000,
    maxTotalRuns: 25,
    currency: "USD",
  });
  expect(limits).toMatchObject({
    ...counts,
    maxDurationMs: 120_000,
    childDeadlineMs: 10_000,
    waitTimeoutMs: 20_000,
  });
});

it("reads how long runs wait for their children", async () => {
  const config: TraconConfig = { agentGraph: { childDeadline: "5s", waitTimeout: "PT10S" } };

  const { agentGraph } = await resolveConfig(config, {});

  expect(agentGraph).toMatchObject({ childDeadlineMs: 5_000, waitTimeoutMs: 10_000 });
});

it.each([
  [{ childDeadline: "soon" }, "agentGraph.childDeadline", "invalid_value"],
  [{ waitTimeout: 10 }, "agentGraph.waitTimeout", "invalid_value"],
  [{ maxTotalTokens: 1.5 }, "agentGraph.maxTotalTokens", "invalid_value"],
  [{ maxTotalTokens: "many" }, "agentGraph.maxTotalTokens", "invalid_value"],
  [{ maxTotalCost: 1e12 }, "agentGraph.maxTotalCost", "invalid_value"],
  [{ maxDuration: "soon" }, "agentGraph.maxDuration", "invalid_value"],
  [{ maxCost: 1 }, "agentGraph.maxCost", "unknown_member"],
])("refuses the limits %j of a run tree", async (agentGraph, path, code) => {
  expect(await findingsOf({ agentGraph })).toMatchObject([{ path, code }]);
});

it("refuses a log without its functions", async () => {
  expect(await findingsOf({ log: { info: () => undefined } })).toMatchObject([{ path: "log" }]);
});

it.each([
  [{ policy: {} }, "extensions.policy"],
  [{ policy: { apply: "code" } }, "extensions.policy"],
  [{ policy: { apply: () => undefined, description: 1 } }, "extensions.policy"],
  [[], "extensions"],
])("refuses the extensions %j", async (extensions, path) => {
  expect(await findingsOf({ extensions })).toMatchObject([{ code: "invalid_value", path }]);
});

it.each([
  [{ hasCitations: {} }, "loopEvaluators.hasCitations"],
  [{ hasCitations: { evaluate, create: evaluate } }, "loopEvaluators.hasCitations"],
  [{ hasCitations: { evaluate, description: 1 } }, "loopEvaluators.hasCitations"],
  [{ hasCitations: { create: "code" } }, "loopEvaluators.hasCitations"],
  [[], "loopEvaluators"],
])("refuses the loop evaluators %j", async (loopEvaluators, path) => {
  expect(await findingsOf({ loopEvaluators })).toMatchObject([{ code: "invalid_value", path }]);
});

it("refuses kinds of criteria that would be taken for another one", async () => {
  const create = () => {
    throw new Error("no factory runs");
  };

  const findings = await findingsOf({
    loopEvaluators: {
      aiJudge: { evaluate },
      hasLinks: { create },
      HasLinks: { evaluate },
      " ": { evaluate },
    },
  });

  expect(findings.map(({ path, code }) => `${path}: ${code}`)).toEqual([
    "loopEvaluators.aiJudge: duplicate_name",
    "loopEvaluators.HasLinks: duplicate_name",
    "loopEvaluators. : invalid_value",
  ]);
});

it.each([
  [{ provider: "p" }, "judge.model", "member_missing"],
  [
    { provider: "p", model: "m", responseFormat: { kind: "Json" } },
    "judge.responseFormat",
    "unknown_member",
  ],
  [{ provider: "p", model: "m", temperature: 3 }, "judge.temperature", "invalid_value"],
])("refuses the judge %j", async (judge, path, code) => {
  expect(await findingsOf({ judge })).toMatchObject([{ code, path }]);
});

it.each([
  [{ agentFactories: { own: {} } }, "agentFactories.own"],
  [{ agentFactories: { " own": () => ({}) } }, "agentFactories. own"],
  [{ agentSources: [{ name: "wiki", priority: 5, list: () => [] }] }, "agentSources[0]"],
  [{ agentSources: {} }, "agentSources"],
])("refuses %j", async (config, path) => {
  expect(await findingsOf(config)).toMatchObject([{ code: "invalid_value", path }]);
});

it("refuses sources and factories that can never be asked", async () => {
  const source = { list: async () => [], find: async () => undefined };

  const findings = await findingsOf({
    ...scripted,
    agents: [agent("twin")],
    agentFactories: { twin: () => ({}) },
    agentSources: [
      { ...source, name: "wiki", priority: 5 },
      { ...source, name: "wiki", priority: 100 },
    ],
  });

  expect(findings.map(({ path, code }) => `${path}: ${code}`)).toEqual([
    'agentFactories["twin"]: duplicate_name',
    "agentSources[1].name: duplicate_name",
    "agentSources[1].priority: invalid_value",
  ]);
});

it("compiles agents with the extensions they name", async () => {
  const apply = () => {
    throw new Error("no");
  };
  const agents = [{ ...agent("a"), extensionNames: ["broken", "unknown"] }, agent("b")];

  const findings = await findingsOf({ ...scripted, agents, extensions: { broken: { apply } } });

  expect(findings).toMatchObject([
    { code: "unknown_extension", path: "agents[0].extensionNames[1]" },
  ]);
});

const scripted = {
  providers: { demo: { kind: "scripted", models: { m: [{ text: "Hello!" }] } } },
};

const agent = (name: string) => ({ name, model: { provider: "demo", model: "m" } });

function evaluate() {
  return { decision: "stop" };
}

function echo() {
  return tool({ inputSchema: z.object({}), execute: () => "echo" });
}

async function errorOf(config: unknown, env = {}): Promise<TraconError> {
  try {
    await resolveConfig(config, env);
  } catch (error) {
    if (TraconError.is(error, "configuration_invalid")) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

async function findingsOf(config: unknown, env = {}): Promise<readonly Finding[]> {
  return (await errorOf(config, env)).details.findings ?? [];
}
