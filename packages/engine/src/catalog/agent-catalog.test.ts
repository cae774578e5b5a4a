import { agentDefinitionRequestSchema } from "@tracon/core";
import { openStores } from "@tracon/store";
import { memoryLog, TEST_EPOCH_MS } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createAgentCatalog, describeAgent } from "./agent-catalog.ts";
import type { CatalogSource } from "./catalog-entry.ts";
import { codeSource } from "./sources/code.ts";
import { databaseSource } from "./sources/database.ts";

it(
  "merges its sources into one list by name, in which the lower priority value wins",
  covers("source.priority-order", "source.loser-dropped-from-list"),
  async () => {
    const catalog = catalogOf([
      sourceOf("late", 200, ["b", "c"]),
      sourceOf("early", 50, ["b", "a"]),
    ]);

    const list = await catalog.list("default");

    expect(list.map((it) => [it.definition?.name, it.sourceName])).toEqual([
      ["a", "early"],
      ["b", "early"],
      ["c", "late"],
    ]);
  },
);

it("finds an agent of any source by its name", covers("source.resolves-by-name"), async () => {
  const catalog = catalogOf([sourceOf("late", 200, ["b"]), sourceOf("early", 50, ["a"])]);

  const found = await Promise.all(["a", "b", "c"].map((name) => catalog.find("default", name)));

  expect(found.map((it) => it?.sourceName)).toEqual(["early", "late", undefined]);
});

it("lets an agent of code win over a stored one", covers("source.code-wins"), async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  await stores.definitions.append({
    tenantId: "default",
    content: contentOf("agent", "stored"),
    contentHash: "hash",
    condition: "any",
    savedAt: new Date(TEST_EPOCH_MS).toISOString(),
  });
  const catalog = catalogOf([
    databaseSource(stores.definitions),
    codeSource([contentOf("agent", "coded")]),
  ]);

  const found = await catalog.find("default", "agent");

  expect(found?.definition).toMatchObject({ instructions: "coded", origin: "Code", version: 1 });
  expect(await catalog.list("default")).toEqual([found]);
});

it("asks a source only when none before it knows the name", async () => {
  const asked: string[] = [];
  const last = { ...sourceOf("last", 100, []), find: async () => void asked.push("last") };
  const catalog = catalogOf([last as CatalogSource, sourceOf("first", 0, ["a"])]);

  await catalog.find("default", "a");

  expect(asked).toEqual([]);
});

it("tells once that a stored agent is hidden, with the first use of the one that hides it", async () => {
  const log = memoryLog();
  const store = storeOf(["a", "b"]);
  const catalog = createAgentCatalog([store.source, sourceOf("first", 0, ["a", "c"])], { log });

  for (const name of ["a", "a", "b", "c", "a"]) await catalog.find("default", name);
  await catalog.findLive("default", "a");
  await expect.poll(() => log.entries.length).toBe(1);

  expect(log.entries.map(({ message, fields }) => [message, fields])).toEqual([
    [
      "an agent is hidden by one of another source",
      { agent: "a", source: "database", winner: "first", tenantId: "default" },
    ],
  ]);
  expect(store.asked).toEqual(["a", "b", "c"]);
});

it("does not wait for what an agent hides, and asks again when that could not be said", async () => {
  const log = memoryLog();
  const store = storeOf(["a"]);
  const catalog = createAgentCatalog([store.source, sourceOf("first", 0, ["a"])], { log });
  store.fail(true);

  const found = await catalog.find("default", "a");
  store.fail(false);
  const told = async () => {
    await catalog.find("default", "a");
    return log.entries.length;
  };

  expect(found?.sourceName).toBe("first");
  await expect.poll(told).toBe(1);
});

it("gives stored agents of a tenant to that tenant only", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  await stores.definitions.append({
    tenantId: "one",
    content: contentOf("agent", "x"),
    contentHash: "hash",
    condition: "any",
    savedAt: new Date(TEST_EPOCH_MS).toISOString(),
  });
  const catalog = catalogOf([databaseSource(stores.definitions)]);

  expect(await catalog.find("other", "agent")).toBeUndefined();
  expect(await catalog.list("other")).toEqual([]);
});

it("describes an agent by what a list shows", () => {
  const definition = {
    ...agentDefinitionRequestSchema.parse({
      name: "agent",
      displayName: "The agent",
      model: { provider: "test", model: "m" },
      toolNames: ["look"],
      callableAgents: ["other"],
      harness: {},
    }),
    origin: "Database",
    version: 3,
    updatedAt: "2026-01-01T00:00:00.000Z",
  } as const;

  const described = describeAgent({ definition, contentHash: "", sourceName: "database" });

  expect(described).toEqual({
    name: "agent",
    displayName: "The agent",
    origin: "Database",
    sourceName: "database",
    version: 3,
    model: definition.model,
    toolNames: ["look"],
    skillNames: [],
    callableAgentNames: ["other"],
    usesHarness: true,
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
});

const catalogOf = (sources: readonly CatalogSource[]) =>
  createAgentCatalog(sources, { log: memoryLog() });

function contentOf(name: string, instructions: string) {
  return agentDefinitionRequestSchema.parse({
    name,
    instructions,
    model: { provider: "test", model: "m" },
  });
}

/** A database that can fail and remembers what it was asked for. */
function storeOf(agents: readonly string[]) {
  const stored = sourceOf("database", 100, agents);
  const asked: string[] = [];
  let isFailing = false;
  const source: CatalogSource = {
    ...stored,
    find(tenantId, name) {
      asked.push(name);
      return isFailing
        ? Promise.reject(new Error("the store is down"))
        : stored.find(tenantId, name);
    },
  };
  return {
    source,
    asked,
    fail: (it: boolean) => {
      isFailing = it;
    },
  };
}

function sourceOf(name: string, priority: number, agents: readonly string[]): CatalogSource {
  const entries = agents.map((agent) => ({
    definition: { ...contentOf(agent, name), origin: "Custom" as const, version: 1 },
    contentHash: "hash",
    sourceName: name,
  }));
  return {
    name,
    priority,
    list: async () => entries,
    find: async (_, agent) => entries.find((it) => it.definition.name === agent),
  };
}
