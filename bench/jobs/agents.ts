/**
 * `agents.ts`: how a run finds its agent when it is compiled already, a hit of the cache alone, and what
 * 10,000 resident agents weigh.
 */

import { createHash } from "node:crypto";
import {
  type AgentDefinition,
  agentDefinitionRequestSchema,
  type DefinitionStore,
} from "@tracon/core";
import { createToolRegistry, systemClock } from "@tracon/engine";
import { tool } from "ai";
import * as z from "zod";
import { createAgentCatalog } from "../../packages/engine/src/catalog/agent-catalog.ts";
import { codeSource } from "../../packages/engine/src/catalog/sources/code.ts";
import { databaseSource } from "../../packages/engine/src/catalog/sources/database.ts";
import { CompiledAgents } from "../../packages/engine/src/compile/compiled-agents.ts";
import { LiveAgents } from "../../packages/engine/src/compile/live-agents.ts";
import { createLoopHost } from "../../packages/engine/src/compile/loop-host.ts";
import { createRingHosts } from "../../packages/engine/src/compile/ring-hosts.ts";
import { createProviderRegistry } from "../../packages/engine/src/model/provider-registry.ts";
import {
  createScript,
  INSTRUCTIONS,
  scriptedBenchModel,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
} from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { nanosecondsOf, nanosecondsOfWaiting } from "../measure.ts";

const AGENTS = 10_000;
const TENANT = "default";

const { registry } = await createToolRegistry({
  [TOOL_NAME]: tool({
    description: TOOL_DESCRIPTION,
    inputSchema: z.object({ orderId: z.string() }),
    execute: async () => TOOL_RESULT,
  }),
});
const model = scriptedBenchModel(createScript());
const providers = createProviderRegistry(
  [{ name: "bench", kind: "custom", optionsKey: "bench", languageModel: () => model }],
  [],
);

const names = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`);
const stored = new Map(names.map((name) => [name, definitionText(name)]));
/** Every definition as it comes out of a database: an object of its own. */
const definitions = new Map<string, AgentDefinition>();

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let queries = 0;
const store = {
  changeCounter: async () => 1,
  async get(_tenantId: string, name: string) {
    queries += 1;
    const definition = definitions.get(name);
    if (definition === undefined) return undefined;
    return { definition, contentHash: createHash("sha256").update(name).digest("hex") };
  },
} as unknown as DefinitionStore;
const system = { clock: systemClock, random: Math.random, sleep: async () => undefined };
const rings = createRingHosts({}, system);
const context = {
  providers,
  tools: registry,
  extensions: new Map(),
  loop: createLoopHost({}, { providers, log, ...rings }),
  log,
  ...rings,
};
const catalog = createAgentCatalog([codeSource([]), databaseSource(store)], { log });
const agents = new CompiledAgents({ catalog, definitions: store, context, log });

function definitionText(name: string): string {
  const content = agentDefinitionRequestSchema.parse({
    name,
    instructions: `${INSTRUCTIONS} You are ${name}.`,
    model: { provider: "bench", model: "bench-1" },
    toolNames: [TOOL_NAME],
  });
  return JSON.stringify({ ...content, version: 1, origin: "Database" });
}

async function heapUsed(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return process.memoryUsage().heapUsed;
}

// What is made once for all agents is no agent's weight.
definitions.set("first", JSON.parse(definitionText("first")));
(await agents.resolve(TENANT, "first")).inCulture(undefined);

const empty = await heapUsed();
for (const [name, text] of stored) definitions.set(name, JSON.parse(text));
const withDefinitions = await heapUsed();
for (const name of names) (await agents.resolve(TENANT, name)).inCulture(undefined);
const withAgents = await heapUsed();

const ready = new Map(names.map((name) => [name, { name }]));
let found = 0;
const nameAt = (index: number): string => names[index % AGENTS] ?? "";
const hits = { cache: 0, map: 0 };
hits.map = nanosecondsOf((index) => {
  if (ready.get(nameAt(index)) !== undefined) found += 1;
}, setting.budgetMs);
hits.cache = nanosecondsOf((index) => {
  if (agents.cached(TENANT, nameAt(index)) !== undefined) found += 1;
}, setting.budgetMs);

/** As `EngineRuns` finds the agent of a run: those of code and of sources first, then the kept ones. */
function resolving(live: LiveAgents) {
  return async (index: number): Promise<void> => {
    const name = nameAt(index);
    if ((await live.resolve(TENANT, name.normalize("NFC"), undefined)) !== undefined) return;
    const kept = agents.cached(TENANT, name) ?? (await agents.resolve(TENANT, name));
    if (kept.inCulture(undefined) !== undefined) found += 1;
  };
}

const factories = { legacy: () => Promise.reject(new Error("is not called")) };
const withFactory = createAgentCatalog([codeSource([], factories), databaseSource(store)], {
  log,
  hasFactories: true,
});
const queriesBefore = queries;
const resolveNs = {
  stored: await nanosecondsOfWaiting(resolving(new LiveAgents(catalog, context)), setting.budgetMs),
  besideFactory: await nanosecondsOfWaiting(
    resolving(new LiveAgents(withFactory, context)),
    setting.budgetMs,
  ),
};
if (queries > queriesBefore) throw new Error("a kept agent was asked for in the store");
if (found === 0) throw new Error("the cache holds nothing");

finish({
  hitNs: hits,
  resolveNs,
  definitionBytes: (withDefinitions - empty) / AGENTS,
  agentBytes: (withAgents - withDefinitions) / AGENTS,
});
