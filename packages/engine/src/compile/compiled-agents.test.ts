import { agentDefinitionRequestSchema, type DefinitionStore, type Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { memoryLog, scriptedModel, TEST_EPOCH_MS } from "@tracon/testing";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { createAgentCatalog } from "../catalog/agent-catalog.ts";
import { databaseSource } from "../catalog/sources/database.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { CompiledAgents } from "./compiled-agents.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("compiles once for concurrent first uses, and not again for later ones", async () => {
  const { agents, save, reads } = await cache();
  await save("agent");

  const [one, other] = await Promise.all([
    agents.resolve("default", "agent"),
    agents.resolve("default", "agent"),
  ]);

  expect(other).toBe(one);
  expect(agents.cached("default", "agent")).toBe(one);
  expect(reads()).toBe(1);
});

it("keeps agents of different tenants apart", async () => {
  const { agents, save } = await cache();
  await save("agent");
  await agents.resolve("default", "agent");

  expect(agents.cached("other", "agent")).toBeUndefined();
  await expect(agents.resolve("other", "agent")).rejects.toMatchObject({ code: "agent_not_found" });
});

it("compiles again after a save of this process", async () => {
  const { agents, save } = await cache();
  await save("agent");
  await agents.resolve("default", "agent");

  await save("agent", "Be brief.");
  agents.forget("default", "agent");

  expect(agents.cached("default", "agent")).toBeUndefined();
  expect(await agents.resolve("default", "agent")).toMatchObject({ instructions: "Be brief." });
});

it("does not let a compilation hide the save that overtook it", async () => {
  const { agents, save, holdReads } = await cache();
  await save("agent", "Old.");
  await agents.resolve("default", "agent");
  agents.forget("default", "agent");

  const release = holdReads();
  const overtaken = agents.resolve("default", "agent");
  await save("agent", "New.");
  agents.forget("default", "agent");
  release();
  await overtaken;

  expect(agents.cached("default", "agent")).toBeUndefined();
  expect(await agents.resolve("default", "agent")).toMatchObject({ instructions: "New." });
  expect(agents.cached("default", "agent")).toMatchObject({ instructions: "New." });
});

it("notices within a second what another process saved", async () => {
  const { agents, save } = await cache();
  await save("agent", "Old.");
  await agents.resolve("default", "agent");

  await save("agent", "New.");
  await vi.advanceTimersByTimeAsync(1_000);

  await vi.waitUntil(() => agents.cached("default", "agent") === undefined);
  expect(await agents.resolve("default", "agent")).toMatchObject({ instructions: "New." });
});

it("keeps what is compiled while nothing changes", async () => {
  const { agents, save, counterReads } = await cache();
  await save("agent");
  const compiled = await agents.resolve("default", "agent");
  const before = counterReads();

  await vi.advanceTimersByTimeAsync(3_000);

  expect(counterReads() - before).toBe(3);
  expect(agents.cached("default", "agent")).toBe(compiled);
});

it("runs no old definition while the store is silent, and says so once", async () => {
  const { agents, save, log, silence } = await cache();
  await save("agent");
  await agents.resolve("default", "agent");

  silence();
  await vi.advanceTimersByTimeAsync(5_000);

  expect(agents.cached("default", "agent")).toBeUndefined();
  expect(log.entries.map(({ message }) => message)).toEqual(["agent changes could not be checked"]);
});

it("reports an agent that does not compile any more, with its findings", async () => {
  const { agents, save } = await cache();
  await save("agent", "x", "gone");

  const resolving = agents.resolve("default", "agent");

  await expect(resolving).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "unknown_provider" }] },
  });
});

it("tries again after a failed compilation", async () => {
  const { agents, save } = await cache();
  await expect(agents.resolve("default", "agent")).rejects.toMatchObject({
    code: "agent_not_found",
  });

  await save("agent");

  expect(await agents.resolve("default", "agent")).toBeDefined();
});

it("asks nothing of the store once it is closed", async () => {
  const { agents, save, counterReads } = await cache();
  await save("agent");
  await agents.resolve("default", "agent");
  const before = counterReads();

  agents.close();
  await vi.advanceTimersByTimeAsync(5_000);

  expect(counterReads()).toBe(before);
  expect(vi.getTimerCount()).toBe(0);
});

async function cache() {
  const stores: Stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const { definitions } = stores;
  let reads = 0;
  let counterReads = 0;
  let isSilent = false;
  let gate = Promise.resolve();
  const observed: DefinitionStore = {
    ...definitions,
    async get(tenantId, name) {
      reads++;
      const stored = await definitions.get(tenantId, name);
      await gate;
      return stored;
    },
    async changeCounter() {
      counterReads++;
      if (isSilent) throw new Error("no answer");
      return definitions.changeCounter();
    },
  };
  const log = memoryLog();
  const { registry } = await createToolRegistry({});
  const providers = createProviderRegistry(
    [
      {
        name: "test",
        kind: "custom",
        optionsKey: "test",
        languageModel: () => scriptedModel([]),
      },
    ],
    [],
  );
  const agents = new CompiledAgents({
    catalog: createAgentCatalog([databaseSource(observed)]),
    definitions: observed,
    context: { providers, tools: registry },
    log,
  });
  onTestFinished(() => agents.close());

  async function save(name: string, instructions = "x", provider = "test"): Promise<void> {
    const content = agentDefinitionRequestSchema.parse({
      name,
      instructions,
      model: { provider, model: "m" },
    });
    await definitions.append({
      tenantId: "default",
      content,
      contentHash: instructions,
      condition: "any",
      savedAt: new Date(TEST_EPOCH_MS).toISOString(),
    });
  }

  return {
    agents,
    save,
    log,
    reads: () => reads,
    counterReads: () => counterReads,
    silence: () => {
      isSilent = true;
    },
    /** Keeps reads of definitions from ending until the returned function is called. */
    holdReads(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}
