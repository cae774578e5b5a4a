import { openStores } from "@tracon/store";
import {
  agentSourceContract,
  memoryMeter,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { AgentSource, SourcedAgent, SourcedDefinition } from "./agent-source.ts";

const TENANT = "default";
const MODEL = { provider: "test", model: "test-model" };
const WIKI = { name: "wiki", model: MODEL };

it(
  "lists and runs the definitions of a source",
  covers("source.custom-source", "source.custom-source-visible"),
  async () => {
    const source = sourceOf([
      { name: "wiki", model: MODEL, instructions: "Look it up.", version: 3 },
    ]);
    const { engine, model } = await start(["Found."], { agentSources: [source] });

    const list = await engine.agents.list(TENANT);
    const { runId, result } = await engine.runs.start(TENANT, "wiki", { message: "Go." });

    expect(list.find(({ name }) => name === "wiki")).toMatchObject({
      origin: "Custom",
      sourceName: "wikis",
      version: 3,
      model: MODEL,
    });
    expect(await result).toMatchObject({ status: "Completed", output: "Found." });
    expect(model.calls[0]?.prompt[0]).toEqual({ role: "system", content: "Look it up." });
    expect(await engine.runs.get(TENANT, runId)).toMatchObject({ agentVersion: 3 });
  },
);

it("runs what the source has now, and compiles it only when it has changed", async () => {
  let instructions = "One.";
  let compiled = 0;
  const source = sourceOf(() => [
    { name: "wiki", model: MODEL, instructions, extensionNames: ["count"] },
  ]);
  const apply = () => {
    compiled++;
  };
  const { engine, model } = await start(["A.", "B.", "C."], {
    agentSources: [source],
    extensions: { count: { apply } },
  });
  const run = async () => (await engine.runs.start(TENANT, "wiki", { message: "Go." })).result;

  await run();
  await run();
  instructions = "Two.";
  await run();

  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(["One.", "One.", "Two."]);
  expect(compiled).toBe(2);
});

it("takes a text that agents share from a source as it is now", async () => {
  let instructions = "One.";
  const source = sourceOf(() => [{ name: "rules", model: MODEL, instructions }]);
  const { engine, model } = await start(["A.", "B."], { agentSources: [source] });
  const stored = { name: "stored", model: MODEL, sharedInstructionsName: "rules" };
  await engine.agents.create(TENANT, stored);
  const run = async () => (await engine.runs.start(TENANT, "stored", { message: "Go." })).result;

  await run();
  instructions = "Two.";
  await run();

  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(["One.", "Two."]);
});

it("gives a source the tenant, and a tenant only what the source has for it", async () => {
  const source = {
    ...sourceOf([]),
    list: async (tenantId: string) => [{ name: tenantId, model: MODEL }],
  };
  const { engine } = await start([], { agentSources: [source] });

  expect((await engine.agents.list("one")).map(({ name }) => name)).toContain("one");
  expect((await engine.agents.list("two")).map(({ name }) => name)).not.toContain("one");
});

it(
  "shows an agent of a source with its definition, and changes none",
  covers("source.custom-source-read-only"),
  async () => {
    const source = sourceOf([{ name: "wiki", model: MODEL, instructions: "Look it up." }]);
    const { engine } = await start([], { agentSources: [source] });
    const definition = { name: "wiki", model: MODEL };
    const readOnly = { code: "agent_read_only" };

    const detail = await engine.agents.get(TENANT, "wiki");

    expect(detail).toMatchObject({
      isEditable: false,
      definition: { name: "wiki", instructions: "Look it up.", origin: "Custom" },
    });
    await expect(engine.agents.create(TENANT, definition)).rejects.toMatchObject(readOnly);
    await expect(engine.agents.save(TENANT, "wiki", definition)).rejects.toMatchObject(readOnly);
    await expect(engine.agents.delete(TENANT, "wiki")).rejects.toMatchObject(readOnly);
    await expect(engine.agents.rollback(TENANT, "wiki", 1)).rejects.toMatchObject(readOnly);
  },
);

it("hides an agent behind the one of a source with a lower number, and says so once", async () => {
  const { engine, log, model } = await start(["Answer."], {
    agentSources: [
      sourceOf([{ name: "twin", model: MODEL, instructions: "late" }], {
        name: "late",
        priority: 60,
      }),
      sourceOf([{ name: "twin", model: MODEL, instructions: "early" }], {
        name: "early",
        priority: 50,
      }),
      sourceOf([{ name: "agent", model: MODEL }], { name: "behind-code", priority: 1 }),
    ],
  });

  const first = await engine.agents.list(TENANT);
  await engine.agents.list(TENANT);
  await (await engine.runs.start(TENANT, "twin", { message: "Go." })).result;

  expect(first.map(({ name, sourceName }) => [name, sourceName])).toEqual([
    ["agent", "code"],
    ["twin", "early"],
  ]);
  expect(model.calls[0]?.prompt[0]?.content).toBe("early");
  expect(log.entries.map(({ fields }) => [fields?.agent, fields?.source, fields?.winner])).toEqual([
    ["agent", "behind-code", "code"],
    ["twin", "late", "early"],
  ]);
});

it("lists the agents of others when a source fails, and says so once until it answers", async () => {
  let fails = true;
  const source: AgentSource = {
    ...sourceOf([{ name: "wiki", model: MODEL }]),
    list: async () => {
      if (fails) throw new Error("no connection");
      return [];
    },
  };
  const { engine, log } = await start([], { agentSources: [source] });
  const list = async () => (await engine.agents.list(TENANT)).map(({ name }) => name);

  const names = [await list(), await list()];
  fails = false;
  await list();
  fails = true;
  await list();

  expect(names).toEqual([["agent"], ["agent"]]);
  expect(log.entries).toMatchObject([
    {
      message: "an agent source failed",
      fields: { source: "wikis", error: "Error: no connection" },
    },
    { message: "an agent source failed" },
  ]);
});

it("starts no run when a source that may have the agent fails", async () => {
  const source: AgentSource = {
    ...sourceOf([]),
    find: () => Promise.reject(new Error("no connection")),
  };
  const { engine, model } = await start([], { agentSources: [source] });
  await engine.agents.list(TENANT);

  const run = engine.runs.start(TENANT, "stored", { message: "Go." });

  await expect(run).rejects.toMatchObject({
    code: "agent_source_failed",
    message: "agent source 'wikis' did not answer",
  });
  expect(model.calls).toEqual([]);
});

it("counts every fault of a source by its name and by what it failed at", async () => {
  const meterProvider = memoryMeter();
  const faulty: AgentSource = {
    ...sourceOf([]),
    list: () => Promise.reject(new Error("no connection")),
    find: async (_tenantId, name) => {
      if (name === "wiki") return { name: "another", model: MODEL };
      throw new Error("no connection");
    },
  };
  const { engine } = await start([], { agentSources: [faulty], meterProvider });

  await engine.agents.list(TENANT);
  await engine.agents.list(TENANT);
  await Promise.allSettled([
    engine.runs.start(TENANT, "stored", { message: "Go." }),
    engine.runs.start(TENANT, "wiki", { message: "Go." }),
  ]);

  expect(meterProvider.of("tracon.agent_source.failures")).toEqual(
    ["list", "list", "resolve", "consistency"].map((operation) => ({
      meter: "Tracon",
      name: "tracon.agent_source.failures",
      value: 1,
      attributes: {
        "tracon.agent_source.name": "wikis",
        "tracon.agent_source.operation": operation,
      },
    })),
  );
});

it("asks no source for an agent that code defines", async () => {
  const asked: string[] = [];
  const source: AgentSource = {
    ...sourceOf([]),
    find: async (_, name) => void asked.push(name) as undefined,
  };
  const { run } = await start(["Done."], { agentSources: [source] });

  await run();

  expect(asked).toEqual([]);
});

it("runs a version of a source's agent, and refuses one it does not have", async () => {
  const versions = [1, 2].map((version) => ({
    name: "wiki",
    model: MODEL,
    instructions: `v${version}`,
    version,
  }));
  const source: AgentSource = {
    ...sourceOf(versions.slice(1)),
    findVersion: async (_tenant, _name, version) => versions.find((it) => it.version === version),
  };
  const { engine, model } = await start(["A."], { agentSources: [source] });
  const runOf = (agentVersion: number) =>
    engine.runs.start(TENANT, "wiki", { message: "Go." }, { agentVersion });

  await (await runOf(1)).result;

  expect(model.calls[0]?.prompt[0]?.content).toBe("v1");
  await expect(runOf(3)).rejects.toMatchObject({ code: "agent_version_not_found" });
});

it("refuses a run of a version for which a source gives another", async () => {
  const source: AgentSource = {
    ...sourceOf([{ name: "wiki", model: MODEL, version: 2 }]),
    findVersion: async () => ({ name: "wiki", model: MODEL, version: 2 }),
  };
  const { engine } = await start([], { agentSources: [source] });

  const run = engine.runs.start(TENANT, "wiki", { message: "Go." }, { agentVersion: 1 });

  await expect(run).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "invalid_value", path: "version" }] },
  });
});

it.each([
  [{ name: "wiki" }, "member_missing", "model"],
  [{ name: "wiki", model: MODEL, instruction: "x" }, "unknown_member", "instruction"],
  [{ name: "wiki", model: MODEL, version: 0 }, "invalid_value", "version"],
  [{ name: "other", model: MODEL }, "agent_name_mismatch", "name"],
  [{ name: "wiki", agent: {} }, "invalid_value", "agent"],
  [{ name: "wiki", agent: () => 1, model: { provider: 1 } }, "invalid_value", "model.provider"],
  ["wiki", "invalid_value", ""],
])("refuses a run of what a source gives as %j", async (given, code, path) => {
  const source: AgentSource = { ...sourceOf([]), find: async () => given as never };
  const { engine } = await start([], { agentSources: [source] });

  const run = engine.runs.start(TENANT, "wiki", { message: "Go." });

  await expect(run).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: expect.arrayContaining([expect.objectContaining({ code, path })]) },
  });
});

it("shows what is no definition in the list under its name, and leaves out what has none", async () => {
  const source = sourceOf([{ name: "broken" } as never, {} as never]);
  const { engine } = await start([], { agentSources: [source] });

  const list = await engine.agents.list(TENANT);

  expect(list.map(({ name }) => name)).toEqual(["agent", "broken"]);
  expect(await engine.agents.get(TENANT, "broken")).toMatchObject({ definition: null });
});

it("reports a name of a source's definition that does not resolve, when it is run", async () => {
  const source = sourceOf([{ name: "wiki", model: MODEL, toolNames: ["missing"] }]);
  const { engine } = await start([], { agentSources: [source] });

  const run = engine.runs.start(TENANT, "wiki", { message: "Go." });

  await expect(run).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "unknown_tool", path: "toolNames[0]" }] },
  });
});

it.each([
  [{ name: "code" }, "agentSources[0].name"],
  [{ name: "" }, "agentSources[0].name"],
  [{ priority: 0 }, "agentSources[0].priority"],
  [{ priority: 100 }, "agentSources[0].priority"],
])("refuses a source with %j", async (members, path) => {
  const started = start([], { agentSources: [sourceOf([], members)] });

  await expect(started).rejects.toMatchObject({
    code: "configuration_invalid",
    details: { findings: [{ code: "invalid_value", path }] },
  });
});

const kept = sourceOf([
  { name: "wiki", model: MODEL, version: 2 },
  { name: "remote", agent: { version: "agent-v1", stream: () => Promise.reject(new Error("no")) } },
]);
const versioned: AgentSource = {
  ...sourceOf([{ name: "wiki", model: MODEL, version: 2 }]),
  findVersion: async (_tenantId, name, version) =>
    name === "wiki" && version === 2 ? { name, model: MODEL, version } : undefined,
};
const byTenant: AgentSource = {
  ...sourceOf([]),
  list: async (tenantId) => [{ name: "own", model: MODEL, description: tenantId }],
  find: async (tenantId, name) =>
    name === "own" ? { name, model: MODEL, description: tenantId } : undefined,
};

for (const { name, run } of [
  ...agentSourceContract({ source: () => kept }),
  ...agentSourceContract({ source: () => versioned, tenantId: TENANT }),
  ...agentSourceContract({ source: () => byTenant, otherTenantId: "other" }),
]) {
  it(`holds sources to their contract: ${name}`, () => run());
}

it.each([
  ["lists an agent it does not find", { find: async () => undefined }],
  [
    "finds what it does not list",
    { find: async (_: string, name: string) => ({ name, model: MODEL }) },
  ],
  ["lists nothing", { list: async () => [] }],
  ["lists a name twice", { list: async () => [WIKI, WIKI] }],
  ["lists what is no definition", { list: async () => [{ name: "wiki" }] }],
  ["has a priority of code", { priority: 0 }],
  ["has versions it does not have", { findVersion: async () => WIKI }],
])("breaks the contract when a source %s", async (_, members) => {
  const source = { ...sourceOf([WIKI]), ...members } as AgentSource;
  const cases = agentSourceContract({ source: () => source });

  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));

  expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
});

function sourceOf(
  agents: readonly Given[] | (() => readonly Given[]),
  members: { readonly name?: string; readonly priority?: number } = {},
): AgentSource {
  const current = () => (typeof agents === "function" ? agents() : agents);
  return {
    name: "wikis",
    priority: 50,
    ...members,
    list: async () => current(),
    find: async (_tenantId, name) => current().find((it) => it.name === name),
  };
}

type Given = SourcedDefinition | SourcedAgent;

async function start(script: readonly ScriptedStep[], options: Partial<TestEngineOptions>) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  return { ...(await startTestEngine({ stores, model, ...options })), model };
}
