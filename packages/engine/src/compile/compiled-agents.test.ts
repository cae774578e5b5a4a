import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
  type DefinitionStore,
  type Stores,
  TraconError,
} from "@tracon/core";
import { openStores } from "@tracon/store";
import { manualClock, memoryLog, scriptedModel, TEST_EPOCH_MS } from "@tracon/testing";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createAgentCatalog } from "../catalog/agent-catalog.ts";
import { databaseSource } from "../catalog/sources/database.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { CompiledAgents } from "./compiled-agents.ts";
import { createLoopHost } from "./loop-host.ts";
import type { ResolvedAgent } from "./resolved-agent.ts";
import { createRingHosts } from "./ring-hosts.ts";

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
  expect(textOf(await agents.resolve("default", "agent"))).toBe("Be brief.");
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
  expect(textOf(await agents.resolve("default", "agent"))).toBe("New.");
  expect(textOf(agents.cached("default", "agent"))).toBe("New.");
});

it("notices within a second what another process saved", async () => {
  const { agents, save } = await cache();
  await save("agent", "Old.");
  await agents.resolve("default", "agent");

  await save("agent", "New.");
  await vi.advanceTimersByTimeAsync(1_000);

  await vi.waitUntil(() => agents.cached("default", "agent") === undefined);
  expect(textOf(await agents.resolve("default", "agent"))).toBe("New.");
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
  await save("agent", "x", { provider: "gone" });

  const agent = await agents.resolve("default", "agent");

  expect(() => agent.inCulture(undefined)).toThrow(
    expect.objectContaining({
      code: "compilation_failed",
      details: { findings: [expect.objectContaining({ code: "unknown_provider" })] },
    }),
  );
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

it(
  "compiles once for every culture that has a text, whatever its spelling",
  covers("culture.never-shares-compiled-agent", "cache.key"),
  async () => {
    const { agents, save } = await cache();
    await save("agent", "Default.", { instructionsByCulture: { tr: "Türkçe.", "tr-TR": "TR." } });
    const agent = await agents.resolve("default", "agent");

    const compiled = [undefined, "tr", "TR", "tr-TR", "TR-tr", "tr-CY", "de", "!"].map((culture) =>
      agent.inCulture(culture),
    );

    expect(compiled.map(({ instructions }) => instructions)).toEqual([
      "Default.",
      "Türkçe.",
      "Türkçe.",
      "TR.",
      "TR.",
      "Türkçe.",
      "Default.",
      "Default.",
    ]);
    expect(new Set(compiled).size).toBe(3);
  },
);

it(
  "keeps no agent that was compiled with values",
  covers("parameter.never-cached", "parameter.never-shares-compiled-agent"),
  async () => {
    const { agents, save } = await cache();
    const parameters = [{ name: "p", kind: "Text" as const }];
    await save("agent", "Say {{p}}.", { parameters });
    const agent = await agents.resolve("default", "agent");

    const [one, same, other] = ["a", "a", "b"].map((value) =>
      agent.withParameters(undefined, new Map([["p", value]])),
    );

    expect(one).not.toBe(same);
    expect([one, same, other].map((it) => it?.instructions)).toEqual([
      "Say a.",
      "Say a.",
      "Say b.",
    ]);
    expect(textOf(agent)).toBe("Say {{p}}.");
    expect(one?.lockfileHash).toBe(same?.lockfileHash);
    expect(one?.lockfileHash).not.toBe(other?.lockfileHash);
  },
);

it("compiles the agents that share a block again when it changes, and no other", async () => {
  const { agents, save } = await cache();
  await save("house-rule\u00e9", "Old rule.");
  await save("user", "Help.", { sharedInstructionsName: "house-rule\u0065\u0301" });
  await save("other", "Help.");
  const [user, other] = [
    await agents.resolve("default", "user"),
    await agents.resolve("default", "other"),
  ];

  await save("house-rule\u00e9", "New rule.");
  agents.forget("default", "house-rule\u00e9");

  const again = await agents.resolve("default", "user");
  expect([textOf(user), textOf(again)]).toEqual(["Old rule.\n\nHelp.", "New rule.\n\nHelp."]);
  expect(lockOf(again)).not.toBe(lockOf(user));
  expect(agents.cached("default", "other")).toBe(other);
});

it("keeps what another process's save did not touch, and what shares a block that did not change", async () => {
  const { agents, save } = await cache();
  await save("block", "Rule.");
  await save("user", "Help.", { sharedInstructionsName: "block" });
  await save("other");
  const user = await agents.resolve("default", "user");
  const other = await agents.resolve("default", "other");

  await save("other", "New.");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => agents.cached("default", "user") === undefined);

  expect(await agents.resolve("default", "user")).toBe(user);
  expect(await agents.resolve("default", "other")).not.toBe(other);
});

it("notices within a second that another process changed a shared block", async () => {
  const { agents, save } = await cache();
  await save("block", "Old.");
  await save("user", "Help.", { sharedInstructionsName: "block" });
  await agents.resolve("default", "user");

  await save("block", "New.");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => agents.cached("default", "user") === undefined);

  expect(textOf(await agents.resolve("default", "user"))).toBe("New.\n\nHelp.");
});

it(
  "tells the content of two versions with one number apart",
  covers("cache.compares-content", "version.identity-by-content"),
  async () => {
    const { agents, save, overwrite } = await cache();
    await save("agent", "Old.");
    await agents.resolve("default", "agent");

    overwrite("New.");
    await save("other");
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitUntil(() => agents.cached("default", "agent") === undefined);

    expect(textOf(await agents.resolve("default", "agent"))).toBe("New.");
  },
);

it("answers a pinned version only to who asked for it", async () => {
  const { agents, save, reads } = await cache();
  await save("a", "One.");
  await save("a", "Two.");
  const pinned = await agents.resolve("default", "a", 1);
  const before = reads();

  expect(await agents.resolve("default", "a", 1)).toBe(pinned);
  expect(reads()).toBe(before);
  expect(textOf(pinned)).toBe("One.");
  expect(textOf(await agents.resolve("default", "a"))).toBe("Two.");
  for (const name of ["a@1", "1 a", "1\u0000a", "a\n1"]) {
    expect(agents.cached("default", name)).toBeUndefined();
    await expect(agents.resolve("default", name)).rejects.toMatchObject({
      code: "agent_not_found",
    });
  }
  await expect(agents.resolve("default", "a", 3)).rejects.toMatchObject({
    code: "agent_version_not_found",
  });
});

it("never takes one agent for another whose tenant, name and version read alike together", async () => {
  const { agents, save } = await cache();
  const keys = [
    ["t", "a", 11],
    ["t", "a1", 1],
    ["t\na", "b", undefined],
    ["t", "a\nb", undefined],
    ["ta", "1", undefined],
    ["t", "a", undefined],
  ] as const;
  for (let version = 1; version <= 11; version++)
    await save("a", `t a ${version}`, { tenant: "t" });
  await save("a1", "t a1 1", { tenant: "t" });
  await save("b", "t+a b", { tenant: "t\na" });
  await save("1", "ta 1", { tenant: "ta" });

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => keys[(index * 7) % keys.length] ?? keys[0]).map(
      async ([tenant, name, version]) =>
        [
          `${tenant}|${name}|${version}`,
          await agents.resolve(tenant, name, version).then(textOf, codeOf),
        ] as const,
    ),
  );

  expect(Object.fromEntries(answers)).toEqual({
    "t|a|11": "t a 11",
    "t|a1|1": "t a1 1",
    "t\na|b|undefined": "t+a b",
    "t|a\nb|undefined": "agent_not_found",
    "ta|1|undefined": "ta 1",
    "t|a|undefined": "t a 11",
  });
  expect(new Set(answers.map(String)).size).toBe(keys.length);
});

it("serves no deleted agent and no deleted version from what it kept", async () => {
  const { agents, save, remove } = await cache();
  await save("agent", "Old.");
  await agents.resolve("default", "agent");
  await agents.resolve("default", "agent", 1);

  await remove("agent");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => agents.cached("default", "agent") === undefined);
  const gone = await agents.resolve("default", "agent").then(textOf, codeOf);
  await save("agent", "New.");
  agents.forget("default", "agent");

  expect(gone).toBe("agent_not_found");
  expect(textOf(await agents.resolve("default", "agent"))).toBe("New.");
  await expect(agents.resolve("default", "agent", 1)).rejects.toMatchObject({
    code: "agent_version_not_found",
  });
});

it("drops what nobody has run through many changes, and keeps what is run", async () => {
  const { agents, save } = await cache();
  await save("used");
  await save("unused");
  const used = await agents.resolve("default", "used");
  const unused = await agents.resolve("default", "unused");

  for (let change = 0; change < 130; change++) {
    await save("other", `${change}`);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitUntil(() => agents.cached("default", "used") === undefined);
    await agents.resolve("default", "used");
  }

  expect(await agents.resolve("default", "used")).toBe(used);
  expect(await agents.resolve("default", "unused")).not.toBe(unused);
});

async function cache() {
  const stores: Stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const { definitions } = stores;
  let overwritten: string | undefined;
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
      if (stored === undefined || overwritten === undefined) return stored;
      const definition = { ...stored.definition, instructions: overwritten };
      return { definition, contentHash: contentHash(definition) };
    },
    async getVersion(tenantId, name, version) {
      reads++;
      return definitions.getVersion(tenantId, name, version);
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
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const rings = createRingHosts({}, system);
  const agents = new CompiledAgents({
    catalog: createAgentCatalog([databaseSource(observed)], { log }),
    definitions: observed,
    context: {
      providers,
      tools: registry,
      extensions: new Map(),
      loop: createLoopHost({}, { providers, log, ...rings }),
      log,
      ...rings,
    },
    log,
  });
  onTestFinished(() => agents.close());

  async function save(
    name: string,
    instructions = "x",
    { tenant = "default", provider = "test", ...members }: SaveOptions = {},
  ): Promise<void> {
    const content = agentDefinitionRequestSchema.parse({
      name,
      instructions,
      model: { provider, model: "m" },
      ...members,
    });
    await definitions.append({
      tenantId: tenant,
      content,
      contentHash: contentHash(content),
      condition: "any",
      savedAt: SAVED_AT,
    });
  }

  return {
    agents,
    save,
    remove: (name: string) =>
      definitions.delete({
        tenantId: "default",
        name,
        condition: "present",
        deletedAt: SAVED_AT,
      }),
    /** Makes the store answer another text under the same version. */
    overwrite(instructions: string): void {
      overwritten = instructions;
    },
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

type SaveOptions = Partial<AgentDefinitionRequest> & {
  readonly tenant?: string;
  readonly provider?: string;
};

const SAVED_AT = new Date(TEST_EPOCH_MS).toISOString();

const textOf = (agent: ResolvedAgent | undefined) => agent?.inCulture(undefined).instructions;
const lockOf = (agent: ResolvedAgent) => agent.inCulture(undefined).lockfileHash;
const codeOf = (error: unknown) => (TraconError.is(error) ? error.code : String(error));
