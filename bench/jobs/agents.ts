/** `agents.ts`: a hit of the cache of compiled agents, and what 10,000 resident agents weigh. */

import { createHash } from "node:crypto";
import {
  type AgentDefinition,
  agentDefinitionRequestSchema,
  type DefinitionStore,
} from "@tracon/core";
import { createToolRegistry, systemClock } from "@tracon/engine";
import { tool } from "ai";
import * as z from "zod";
import { CompiledAgents } from "../../packages/engine/src/compile/compiled-agents.ts";
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
import { nanosecondsOf } from "../measure.ts";

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
const agents = new CompiledAgents({
  catalog: {
    async find(_tenantId: string, name: string) {
      const definition = definitions.get(name);
      if (definition === undefined) return undefined;
      return { definition, contentHash: createHash("sha256").update(name).digest("hex") };
    },
  } as never,
  definitions: { changeCounter: async () => 1 } as unknown as DefinitionStore,
  context: {
    providers,
    tools: registry,
    extensions: new Map(),
    log,
    ...createRingHosts(
      {},
      { clock: systemClock, random: Math.random, sleep: async () => undefined },
    ),
  },
  log,
});

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
if (found === 0) throw new Error("the cache holds nothing");

finish({
  hitNs: hits,
  definitionBytes: (withDefinitions - empty) / AGENTS,
  agentBytes: (withAgents - withDefinitions) / AGENTS,
});
