/** What the cache of compiled agents does with agents that call others, or have others review. */

import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
  type Stores,
} from "@tracon/core";
import { openStores } from "@tracon/store";
import { manualClock, memoryLog, scriptedModel } from "@tracon/testing";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createAgentCatalog } from "../catalog/agent-catalog.ts";
import type { AgentSource } from "../catalog/agent-source.ts";
import { customSource } from "../catalog/sources/custom.ts";
import { databaseSource } from "../catalog/sources/database.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { CompiledAgents } from "./compiled-agents.ts";
import { createLoopHost } from "./loop-host.ts";
import type { ResolvedAgent } from "./resolved-agent.ts";
import { createRingHosts } from "./ring-hosts.ts";

const T = "default";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it(
  "compiles a caller again when an agent changes that it calls without a version, or has review",
  covers("pin.unpinned-caller-recompiled"),
  async () => {
    const { agents, save } = await callers();
    await save("callee", "One.", { description: "Old." });
    await save("caller", "Help.", { callableAgents: ["callee"] });
    await save("reviewed", "Write.", { harness: loopReviewedBy("callee") });
    await save("other", "Help.");
    const names = ["caller", "reviewed", "other"];
    const before = await Promise.all(names.map((name) => agents.resolve(T, name)));

    await save("callee", "Two.", { description: "New." });
    agents.forget(T, "callee");
    const after = await Promise.all(names.map((name) => agents.resolve(T, name)));

    expect(after.map((agent, index) => agent === before[index])).toEqual([false, false, true]);
    expect([before[0], after[0]].map(calleesOf)).toEqual([
      [{ name: "callee", description: "Old.", toolName: "callee" }],
      [{ name: "callee", description: "New.", toolName: "callee" }],
    ]);
  },
);

it(
  "keeps a compiled caller through new versions of what it calls at a version",
  covers("pin.new-version-keeps-caller"),
  async () => {
    const { agents, save } = await callers();
    await save("callee", "One.", { description: "Pinned." });
    await save("callee", "Two.", { description: "Current." });
    await save("caller", "Help.", { callableAgents: [{ name: "callee", version: 1 }] });
    const compiled = (await agents.resolve(T, "caller")).inCulture(undefined);

    await save("callee", "Three.");
    agents.forget(T, "callee");
    const afterOwnSave = await agents.resolve(T, "caller");
    for (const text of ["Four.", "Five."]) {
      await save("callee", text);
      await vi.advanceTimersByTimeAsync(1_000);
      await vi.waitUntil(() => agents.cached(T, "caller") === undefined);
    }
    const afterOthers = await agents.resolve(T, "caller");

    expect(afterOwnSave.inCulture(undefined)).toBe(compiled);
    expect(afterOthers.inCulture(undefined)).toBe(compiled);
    expect(compiled.callees).toEqual([
      { name: "callee", version: 1, description: "Pinned.", toolName: "callee" },
    ]);
  },
);

it("runs no caller whose callee another process deleted", async () => {
  const { agents, save, remove } = await callers();
  await save("callee");
  await save("caller", "Help.", { callableAgents: [{ name: "callee", version: 1 }] });
  (await agents.resolve(T, "caller")).inCulture(undefined);

  await remove("callee");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => agents.cached(T, "caller") === undefined);
  const caller = await agents.resolve(T, "caller");

  expect(() => caller.inCulture(undefined)).toThrow(
    "Agent 'caller' pins callable agent 'callee' to version 1, but the agent has no version 1",
  );
});

it("calls what the caller's own version names", async () => {
  const { agents, save } = await callers();
  await save("callee", "One.");
  await save("callee", "Two.");
  await save("caller", "Help.", { callableAgents: ["callee"] });
  await save("caller", "Help.", { callableAgents: [{ name: "callee", version: 1 }] });
  await save("caller", "Help.");

  const versions = await Promise.all([1, 2, 3].map((it) => agents.resolve(T, "caller", it)));

  expect(versions.map((agent) => calleesOf(agent)?.map(({ version }) => version))).toEqual([
    [undefined],
    [1],
    [],
  ]);
});

it("gives a lockfile another hash for another version of a callee, unless it is pinned", async () => {
  const { agents, save } = await callers();
  await save("callee", "One.");
  await save("loose", "Help.", { callableAgents: ["callee"] });
  await save("pinned", "Help.", { callableAgents: [{ name: "callee", version: 1 }] });
  const locks = async () => {
    agents.forget(T, "callee");
    return Promise.all(
      ["loose", "pinned"].map(async (name) => lockOf(await agents.resolve(T, name))),
    );
  };

  const before = await locks();
  await save("callee", "Two.");
  const after = await locks();

  expect(after.map((hash, index) => hash === before[index])).toEqual([false, true]);
});

it(
  "describes a callee of a source as the source does now, in whatever version it is pinned",
  covers("pin.custom-source-current-description"),
  async () => {
    let description = "Old.";
    const wiki = () => ({ name: "wiki", model: MODEL, version: 2, description });
    const source: AgentSource = {
      name: "wikis",
      priority: 50,
      list: async () => [wiki()],
      find: async (_tenantId, name) => (name === "wiki" ? wiki() : undefined),
      findVersion: async (_tenantId, _name, version) => ({
        ...wiki(),
        version,
        description: "Of the version.",
      }),
    };
    const { agents, save } = await callers([source]);
    await save("caller", "Help.", { callableAgents: [{ name: "wiki", version: 1 }] });
    const before = await agents.resolve(T, "caller");
    const same = await agents.resolve(T, "caller");

    description = "New.";
    const after = await agents.resolve(T, "caller");

    expect(same).toBe(before);
    expect([before, after].map((it) => calleesOf(it)?.[0]?.description)).toEqual(["Old.", "New."]);
  },
);

it("notices at once that a source has an agent it did not have", async () => {
  let has = false;
  const source: AgentSource = {
    name: "wikis",
    priority: 50,
    list: async () => [],
    find: async (_tenantId, name) => (has && name === "wiki" ? { name, model: MODEL } : undefined),
  };
  const { agents, save } = await callers([source]);
  await save("caller", "Help.", { callableAgents: ["wiki"] });
  const before = await agents.resolve(T, "caller");
  expect(() => calleesOf(before)).toThrow("does not compile");

  has = true;

  expect(calleesOf(await agents.resolve(T, "caller"))).toMatchObject([{ name: "wiki" }]);
});

const MODEL = { provider: "test", model: "m" };

async function callers(sources: readonly AgentSource[] = []) {
  const stores: Stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const { definitions } = stores;
  const log = memoryLog();
  const { registry } = await createToolRegistry({});
  const provider = {
    name: "test",
    kind: "custom",
    optionsKey: "test",
    languageModel: () => scriptedModel([]),
  };
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const rings = createRingHosts({}, system);
  const providers = createProviderRegistry([provider], []);
  const agents = new CompiledAgents({
    catalog: createAgentCatalog([...sources.map(customSource), databaseSource(definitions)], {
      log,
    }),
    definitions,
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
  return {
    agents,
    async save(
      name: string,
      instructions = "x",
      members: Partial<AgentDefinitionRequest> = {},
    ): Promise<void> {
      const content = agentDefinitionRequestSchema.parse({
        name,
        instructions,
        model: MODEL,
        ...members,
      });
      await definitions.append({
        tenantId: T,
        content,
        contentHash: contentHash(content),
        condition: "any",
        savedAt: CHANGED_AT,
      });
    },
    remove: (name: string) =>
      definitions.delete({ tenantId: T, name, condition: "present", deletedAt: CHANGED_AT }),
  };
}

const CHANGED_AT = "2026-01-01T00:00:00.000Z";

const loopReviewedBy = (reviewerAgent: string) => ({
  disableCompaction: true,
  loop: { criteria: [{ kind: "agentReview", reviewerAgent }] },
});

const calleesOf = (agent: ResolvedAgent | undefined) => agent?.inCulture(undefined).callees;
const lockOf = (agent: ResolvedAgent) => agent.inCulture(undefined).lockfileHash;
