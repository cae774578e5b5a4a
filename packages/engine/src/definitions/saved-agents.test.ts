import type { AgentDefinition } from "@tracon/core";
import { openStores } from "@tracon/store";
import { manualClock, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const T = "default";
const MODEL = { provider: "test", model: "m" };

it(
  "creates an agent with version 1 and reads it back as it was written",
  covers("definition.tenant-of-definition", "definition.updated-at-utc"),
  async () => {
    const { agents } = await engine();

    const { definition, created, unchanged } = await agents.create(T, written("one"));

    expect({ created, unchanged }).toEqual({ created: true, unchanged: false });
    expect(definition).toMatchObject({
      ...written("one"),
      version: 1,
      origin: "Database",
      tenantId: T,
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
    expect(await agents.get(T, "one")).toMatchObject({ definition, isEditable: true });
  },
);

it(
  "says of every agent whether it comes from code or from the database",
  covers("definition.origin-tells-source"),
  async () => {
    const { agents } = await engine();
    await agents.create(T, written("one"));

    const list = await agents.list(T);

    expect(list.map(({ name, origin, sourceName }) => [name, origin, sourceName])).toEqual([
      ["agent", "Code", "code"],
      ["one", "Database", "database"],
    ]);
  },
);

it("refuses to create an agent that exists", async () => {
  const { agents } = await engine();
  await agents.create(T, written("one"));

  const again = agents.create(T, written("one", "New."));

  await expect(again).rejects.toMatchObject({ code: "agent_exists" });
  expect(await agents.versions(T, "one")).toHaveLength(1);
});

it(
  "appends a version with every save, one higher, and changes none before it",
  covers("version.save-appends", "version.history-never-rewritten", "version.store-owns-number"),
  async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("one", "First."));

    const second = await agents.save(T, "one", { ...written("one", "Second."), version: 77 });

    expect(second).toMatchObject({ created: false, definition: { version: 2 } });
    const versions = await agents.versions(T, "one");
    expect(versions.map(essence)).toEqual([
      [2, "Second."],
      [1, "First."],
    ]);
    expect(await agents.version(T, "one", 1)).toEqual(versions[1]);
  },
);

it("says when a save changed nothing, whatever the order of members and lists left out", async () => {
  const { agents } = await engine();
  const { name, model, instructions } = written("one");
  await agents.save(T, name, { name, model, instructions });

  const again = await agents.save(T, name, { toolNames: null, instructions, model, name });

  expect(again).toMatchObject({ unchanged: true, definition: { version: 2 } });
});

it(
  "writes an older version's content as a new one when it rolls back",
  covers("version.rollback-writes-new-version"),
  async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("one", "First."));
    await agents.save(T, "one", written("one", "Second."));

    const { definition } = await agents.rollback(T, "one", 1);

    expect(essence(definition)).toEqual([3, "First."]);
    expect((await agents.versions(T, "one")).map(essence)).toEqual([
      [3, "First."],
      [2, "Second."],
      [1, "First."],
    ]);
  },
);

it("rolls back to no version that does not exist", async () => {
  const { agents } = await engine();
  await agents.save(T, "one", written("one"));

  await expect(agents.rollback(T, "one", 2)).rejects.toMatchObject({
    code: "agent_version_not_found",
  });
  await expect(agents.rollback(T, "two", 1)).rejects.toMatchObject({
    code: "agent_version_not_found",
  });
});

it(
  "removes an agent with its versions and goes on counting when its name is used again",
  covers("version.never-reused", "version.recreate-continues-numbering"),
  async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("one"));
    await agents.save(T, "one", written("one"));

    await agents.delete(T, "one");
    await expect(agents.get(T, "one")).rejects.toMatchObject({ code: "agent_not_found" });
    await expect(agents.versions(T, "one")).rejects.toMatchObject({ code: "agent_not_found" });
    await expect(agents.delete(T, "one")).rejects.toMatchObject({ code: "agent_not_found" });
    const again = await agents.create(T, written("one"));

    expect(again).toMatchObject({ created: true, definition: { version: 3 } });
    await expect(agents.version(T, "one", 1)).rejects.toMatchObject({
      code: "agent_version_not_found",
    });
  },
);

it("deletes the version that was meant and no other", async () => {
  const { agents } = await engine();
  await agents.save(T, "one", written("one"));
  await agents.save(T, "one", written("one"));

  const stale = agents.delete(T, "one", { basedOn: 1 });
  await expect(stale).rejects.toMatchObject({
    code: "version_conflict",
    details: { extensions: { currentVersion: 2 } },
  });
  expect(await agents.versions(T, "one")).toHaveLength(2);
  await agents.delete(T, "one", { basedOn: 2 });

  await expect(agents.get(T, "one")).rejects.toMatchObject({ code: "agent_not_found" });
  const gone = agents.delete(T, "one", { basedOn: 2 });
  await expect(gone).rejects.toMatchObject({ code: "agent_not_found" });
  await expect(agents.delete(T, "one", { basedOn: "any" })).rejects.toMatchObject({
    code: "agent_not_found",
  });
});

it("refuses a definition under another name than its own", async () => {
  const { agents } = await engine();

  const save = agents.save(T, "one", written("two"));

  await expect(save).rejects.toMatchObject({
    code: "definition_invalid",
    details: { findings: [{ code: "agent_name_mismatch", path: "name" }] },
  });
  await expect(agents.get(T, "two")).rejects.toMatchObject({ code: "agent_not_found" });
});

it("compares names after normalization", async () => {
  const { agents } = await engine();
  await agents.save(T, "Zoe\u0308", written("Zo\u00eb"));

  expect(await agents.get(T, "Zoe\u0308")).toMatchObject({ descriptor: { name: "Zo\u00eb" } });
  await agents.delete(T, "Zoe\u0308");
  expect((await agents.list(T)).map(({ name }) => name)).toEqual(["agent"]);
});

it(
  "changes no agent of code and keeps no versions of it",
  covers("source.code-agent-keeps-no-versions"),
  async () => {
    const { agents, stores } = await engine();
    const attempts = [
      () => agents.create(T, written("agent")),
      () => agents.save(T, "agent", written("agent")),
      () => agents.rollback(T, "agent", 1),
      () => agents.delete(T, "agent"),
    ];

    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: "agent_read_only" });
    }
    expect(await stores.definitions.list(T)).toEqual([]);
    expect(await agents.get(T, "agent")).toMatchObject({ definition: null, isEditable: false });
    await expect(agents.versions(T, "agent")).rejects.toMatchObject({ code: "agent_not_found" });
  },
);

it(
  "refuses to save what could not run, with every finding, and stores nothing",
  covers("compile.save-runs-the-check", "definition.tool-must-be-registered"),
  async () => {
    const { agents } = await engine();

    const save = agents.save(T, "one", {
      ...written("one"),
      toolNames: ["missing"],
      callableAgents: [{ name: "nobody" }],
    });

    await expect(save).rejects.toMatchObject({
      code: "definition_invalid",
      details: {
        findings: [
          { code: "unknown_tool", path: "toolNames[0]" },
          { code: "unknown_agent", path: "callableAgents[0].name" },
        ],
      },
    });
    await expect(agents.get(T, "one")).rejects.toMatchObject({ code: "agent_not_found" });
  },
);

it("validates without saving", covers("compile.validate-does-not-save"), async () => {
  const { agents, stores } = await engine();

  const good = await agents.validate(T, written("one"));
  const bad = await agents.validate(T, { ...written("one"), toolNames: ["missing"], extra: 1 });

  expect(good).toEqual({ valid: true, inconclusive: false, messages: [] });
  expect(bad).toMatchObject({
    valid: false,
    messages: [{ path: "extra" }, { path: "toolNames[0]" }],
  });
  expect(await stores.definitions.list(T)).toEqual([]);
});

it("says everything that is wrong with a definition of very many members that are none", async () => {
  const MANY = 40_000;
  const { agents } = await engine();
  const unknown = Array.from({ length: MANY }, (_, index) => [`k.${index}`, 1]);
  const { harness, ...rest } = {
    ...written("one"),
    toolNames: ["nobody"],
    harness: { loop: { criteria: [], extra: 1 } },
  };

  const { messages } = await agents.validate(T, {
    ...Object.fromEntries(unknown),
    ...rest,
    harness,
  });

  expect(messages).toHaveLength(MANY + 3);
  expect(messages.slice(-2).map(({ code, path }) => [code, path])).toEqual([
    ["unknown_tool", "toolNames[0]"],
    ["loop_criteria_empty", "harness.loop.criteria"],
  ]);
});

it("names the loop outcomes when a definition asks for another", async () => {
  const { agents } = await engine();
  const loop = { criteria: [{ kind: "x" }], onExhausted: "Explode", onCriterionError: "FailRun" };

  const { messages } = await agents.validate(T, { ...written("one"), harness: { loop } });

  expect(messages[0]).toMatchObject({
    code: "loop_outcome_invalid",
    path: "harness.loop.onExhausted",
    severity: "Error",
  });
});

it.each([
  ["a member does not exist", { extra: 1 }, ["extra"]],
  ["a setting has no such value", { model: { ...MODEL, temperature: 9 } }, ["model.temperature"]],
  ["an item of a list is wrong", { parameters: [{ name: "a" }] }, ["parameters[0].kind"]],
  ["the model says nothing", { model: {} }, ["model.provider", "model.model"]],
  ["there is no name", { name: undefined }, ["name"]],
  ["a whole section is wrong", { harness: 7, name: "!" }, ["name", "harness"]],
])("reports what does not resolve as well when %s", async (_, members, paths) => {
  const { agents } = await engine();
  const unresolved = { toolNames: ["missing"], sharedInstructionsName: "nobody" };
  const definition = { ...written("one", "{{b}}"), ...unresolved, ...members };

  const { messages } = await agents.validate(T, definition);
  const save = agents.create(T, definition);

  expect(messages.map(({ path }) => path)).toEqual([
    ...paths,
    "sharedInstructionsName",
    "toolNames[0]",
  ]);
  await expect(save).rejects.toMatchObject({
    code: "definition_invalid",
    details: { findings: messages },
  });
});

it.each([null, undefined, "agent", 7, []])(
  "refuses to validate %j, which is no object",
  async (it) => {
    const { agents } = await engine();

    await expect(agents.validate(T, it)).rejects.toMatchObject({ code: "request_invalid" });
  },
);

it(
  "runs the saved definition from its next run on",
  covers("definition.edit-without-deployment", "cache.next-run-compiles-again"),
  async () => {
    const { agents, model, runs } = await engine();
    await agents.save(T, "one", written("one", "First."));
    await (await runs.start(T, "one", { message: "Hi." })).result;

    await agents.save(T, "one", written("one", "Second."));
    const { agentVersion } = await (await runs.start(T, "one", { message: "Hi." })).result;

    expect(agentVersion).toBe(2);
    expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(["First.", "Second."]);
  },
);

it("numbers concurrent saves without gap or repetition", async () => {
  const { agents } = await engine();

  const saved = await Promise.all(
    Array.from({ length: 20 }, (_, index) => agents.save(T, "one", written("one", `${index}`))),
  );

  const versions = saved.map(({ definition }) => definition.version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

it("keeps agents of tenants apart", async () => {
  const { agents } = await engine();
  await agents.create(T, written("one"));

  await expect(agents.get("other", "one")).rejects.toMatchObject({ code: "agent_not_found" });
  expect(await agents.create("other", written("one"))).toMatchObject({ created: true });
});

const written = (name: string, instructions = "Be brief.") => ({
  name,
  instructions,
  model: MODEL,
});

const essence = ({ version, instructions }: AgentDefinition) => [version, instructions];

async function engine() {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(["Hi.", "Hi."]);
  const started = await startTestEngine({ stores, model, clock: manualClock() });
  return { agents: started.engine.agents, runs: started.engine.runs, stores, model };
}
