/** Agents that a definition may call, as they are checked when it is saved, and again before each run. */

import type { AgentDefinitionRequest, Finding } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { AgentSource } from "../catalog/agent-source.ts";

const T = "default";
const MODEL = { provider: "test", model: "m" };

it(
  "saves an agent that calls agents of the store, of code and of a source",
  covers("callable-agent.every-name-in-catalog"),
  async () => {
    const { agents } = await start({
      agentFactories: { built: () => Promise.reject(new Error("not called")) },
      agentSources: [sourceOf([{ name: "wiki", model: MODEL }])],
    });
    await agents.create(T, written("researcher"));
    const names = ["researcher", "agent", "built", "wiki"];

    const { definition, warnings } = await agents.create(T, {
      ...written("writer"),
      callableAgents: names,
    });

    expect(definition.callableAgents).toEqual(names.map((name) => ({ name })));
    expect(warnings).toEqual([]);
  },
);

it(
  "reports everything that is wrong with the agents at once, each with its path",
  covers(
    "pin.validate-reports-each",
    "pin.version-below-one",
    "pin.version-of-code-agent",
    "pin.code-agent-refused",
    "pin.version-not-found",
    "pin.duplicate-name",
    "pin.missing-version-message",
    "callable-agent.every-name-in-catalog",
    "callable-agent.self-call-rejected",
    "compile.unknown-callable-agent",
  ),
  async () => {
    const { agents } = await start();
    await agents.create(T, written("researcher"));

    const { valid, messages } = await agents.validate(T, {
      ...written("writer"),
      callableAgents: [
        { name: "researcher", version: 0 },
        { name: "researcher", version: 3 },
        { name: "agent", version: 1 },
        "nobody",
        "writer",
        { name: "researcher", version: 1 },
        { name: "agent", version: -1 },
      ],
    });

    expect(valid).toBe(false);
    expect(messages.map(({ code, path }) => [code, path])).toEqual([
      ["callable_agent_version_invalid", "callableAgents[0].version"],
      ["callable_agent_version_not_found", "callableAgents[1].version"],
      ["callable_agent_version_invalid", "callableAgents[2].version"],
      ["unknown_agent", "callableAgents[3].name"],
      ["cycle", "callableAgents[4].name"],
      ["callable_agent_version_invalid", "callableAgents[6].version"],
      ["callable_agent_duplicate", "callableAgents[1].name"],
      ["callable_agent_duplicate", "callableAgents[5].name"],
      ["callable_agent_duplicate", "callableAgents[6].name"],
    ]);
    expect(messages[1]?.message).toBe(
      "Agent 'writer' pins callable agent 'researcher' to version 3, but the agent has no version 3",
    );
    expect(messages[2]?.message).toContain("is defined in code, which keeps no versions");
    expect(messages[4]?.message).toContain("writer → writer");
  },
);

it("takes any number for a version, and knows none that is not there", async () => {
  const { agents } = await start();
  await agents.create(T, written("researcher"));
  const asked = [1, 2, 2_147_483_648, Number.MAX_SAFE_INTEGER];

  const found = await Promise.all(
    asked.map((version) =>
      agents.validate(T, {
        ...written("writer"),
        callableAgents: [{ name: "researcher", version }],
      }),
    ),
  );

  expect(found.map(({ valid }) => valid)).toEqual([true, false, false, false]);
});

it("says of a pinned agent that is not there both that, and what the pin comes to", async () => {
  const { agents } = await start();

  const { messages } = await agents.validate(T, {
    ...written("writer"),
    callableAgents: [{ name: "nobody", version: 2 }],
  });

  expect(messages.map(({ code, path }) => [code, path])).toEqual([
    ["unknown_agent", "callableAgents[0].name"],
    ["callable_agent_version_not_found", "callableAgents[0].version"],
  ]);
});

it(
  "leaves it to a source whether it has a version, and refuses what is no definition",
  covers("pin.custom-source-decides-version"),
  async () => {
    const wiki = { name: "wiki", model: MODEL, version: 5 };
    const versioned: AgentSource = {
      ...sourceOf([wiki, { name: "broken", model: 7 } as never]),
      findVersion: async (_tenantId, name, version) =>
        name === "wiki" && version === 2 ? { ...wiki, version } : undefined,
    };
    const plain = { ...sourceOf([{ name: "plain", model: MODEL }]), name: "plain", priority: 60 };
    const { agents } = await start({ agentSources: [versioned, plain] });

    const { messages } = await agents.validate(T, {
      ...written("writer"),
      callableAgents: [
        { name: "wiki", version: 2 },
        { name: "plain", version: 1 },
        { name: "broken" },
      ],
    });
    const others = await Promise.all(
      [
        { name: "wiki", version: 5 },
        { name: "wiki", version: 3 },
        { name: "plain", version: 2 },
      ].map((pin) => agents.validate(T, { ...written("writer"), callableAgents: [pin] })),
    );

    expect(messages.map(({ code, path }) => [code, path])).toEqual([
      ["unknown_agent", "callableAgents[2].name"],
    ]);
    expect(others.map((it) => it.messages.map(({ code }) => code))).toEqual([
      [],
      ["callable_agent_version_not_found"],
      ["callable_agent_version_not_found"],
    ]);
  },
);

it("knows only the agents of the tenant", async () => {
  const { agents } = await start();
  await agents.create("other", written("researcher"));

  const { messages } = await agents.validate(T, {
    ...written("writer"),
    callableAgents: ["researcher"],
  });

  expect(messages.map(({ code }) => code)).toEqual(["unknown_agent"]);
});

it.each<[string, AgentDefinitionRequest["subAgents"], readonly string[]]>([
  ["a longer cutoff", { childDeadline: "10s", waitTimeout: "20s" }, []],
  ["one limit", { waitTimeout: "20s" }, []],
  ["equal limits", { childDeadline: "10s", waitTimeout: "10s" }, ["subAgents.waitTimeout"]],
  ["a shorter cutoff", { childDeadline: "1m", waitTimeout: "10s" }, ["subAgents.waitTimeout"]],
  [
    "no time at all",
    { childDeadline: "0s", waitTimeout: "00:00:00" },
    ["subAgents.childDeadline", "subAgents.waitTimeout"],
  ],
  ["more than a timer can wait for", { waitTimeout: "25d" }, ["subAgents.waitTimeout"]],
])("takes %s for the wait, or says what is wrong with it", async (_, subAgents, paths) => {
  const { agents } = await start();

  const calling = await agents.validate(T, {
    ...written("writer"),
    callableAgents: ["agent"],
    subAgents,
  });
  const alone = await agents.validate(T, { ...written("writer"), subAgents });

  expect(calling.messages.map(({ code, path }) => [code, path])).toEqual(
    paths.map((path) => ["invalid_value", path]),
  );
  expect(alone.messages).toEqual([]);
});

it(
  "checks at start what code alone can tell of its agents, and leaves the rest to the store",
  covers("call-mode.name-conflict-fails-compile"),
  async () => {
    const broken = start({
      agents: [
        { ...written("one"), callableAgents: ["agent", { name: "agent", version: 2 }, "one"] },
        { ...written("two"), callableAgents: ["stored", { name: "pinned", version: 7 }] },
        {
          ...written("three"),
          callableAgents: ["a-b", "a.b"],
          subAgents: { callMode: "Tool" },
        },
      ],
    });

    await expect(broken).rejects.toMatchObject({ code: "configuration_invalid" });
    const findings = await broken.catch((error) => error.details.findings as Finding[]);
    expect(findings).toMatchObject([
      { code: "callable_agent_version_invalid", path: "agents[1].callableAgents[1].version" },
      { code: "cycle", path: "agents[1].callableAgents[2].name" },
      { code: "callable_agent_duplicate", path: "agents[1].callableAgents[1].name" },
      { code: "sub_agent_tool_name_conflict", path: "agents[3].callableAgents[1].name" },
    ]);
  },
);

it("refuses a run of an agent of code whose callee the tenant does not have, until it has it", async () => {
  const { agents, run } = await start({
    agents: [{ ...written("coded"), callableAgents: ["researcher"] }],
  });

  const before = run("coded");
  await expect(before).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "unknown_agent", path: "callableAgents[0].name" }] },
  });
  await agents.create(T, written("researcher"));

  expect(await run("coded")).toMatchObject({ status: "Completed" });
});

it(
  "refuses a run whose pinned callee is gone, also when another one has its name",
  covers("pin.compile-repeats-check", "pin.deleted-callee-fails", "pin.missing-version-message"),
  async () => {
    const { agents, run } = await start();
    for (const text of ["One.", "Two.", "Three."]) {
      await agents.save(T, "researcher", { ...written("researcher"), instructions: text });
    }
    const pin = { name: "researcher", version: 3 };
    await agents.create(T, { ...written("writer"), callableAgents: [pin] });
    await run("writer");
    const refusal = {
      code: "compilation_failed",
      message:
        "Agent 'writer' pins callable agent 'researcher' to version 3, but the agent has no version 3",
    };

    await agents.delete(T, "researcher");
    await expect(run("writer")).rejects.toMatchObject(refusal);
    const recreated = await agents.create(T, written("researcher"));
    await expect(run("writer")).rejects.toMatchObject(refusal);

    expect(recreated.definition.version).toBe(4);
    await agents.save(T, "writer", {
      ...written("writer"),
      callableAgents: [{ name: "researcher", version: 4 }],
    });
    expect(await run("writer")).toMatchObject({ status: "Completed" });
  },
);

it(
  "keeps pins and call mode in every version, and checks them again when one is brought back",
  covers("call-mode.part-of-definition"),
  async () => {
    const { agents } = await start();
    await agents.create(T, written("researcher"));
    const calling = {
      ...written("writer"),
      callableAgents: [{ name: "researcher", version: 1 }],
      subAgents: { callMode: "Tool" as const, waitTimeout: "00:01:00" },
    };
    await agents.create(T, calling);
    await agents.save(T, "writer", written("writer"));

    const { definition } = await agents.rollback(T, "writer", 1);
    await agents.delete(T, "researcher");
    const again = agents.rollback(T, "writer", 1);

    expect(definition).toMatchObject({ ...calling, version: 3 });
    await expect(again).rejects.toMatchObject({
      code: "definition_invalid",
      details: {
        findings: [
          { code: "unknown_agent", path: "callableAgents[0].name" },
          { code: "callable_agent_version_not_found", path: "callableAgents[0].version" },
        ],
      },
    });
  },
);

it(
  "saves an older row, which lists names alone, in the new shape",
  covers("pin.old-row-reads-unpinned", "pin.old-row-rewritten-on-save"),
  async () => {
    const { agents, stores, run } = await start();
    await agents.create(T, written("researcher"));
    const { callableAgents: _, ...members } = (await agents.get(T, "researcher")).definition ?? {};
    const older = { ...members, name: "writer", callableAgentNames: ["researcher"] };
    await stores.definitions.append({
      tenantId: T,
      content: older as never,
      contentHash: "of the older content",
      condition: "absent",
      savedAt: "2026-01-01T00:00:00.000Z",
    });

    const { definition: read } = await agents.get(T, "writer");
    await run("writer");
    const saved = await agents.save(T, "writer", read);

    expect(read?.callableAgents).toEqual([{ name: "researcher" }]);
    expect(saved).toMatchObject({
      unchanged: false,
      definition: { version: 2, callableAgents: [{ name: "researcher" }] },
    });
    expect((await agents.save(T, "writer", read)).unchanged).toBe(true);
  },
);

const written = (name: string) => ({ name, model: MODEL });

function sourceOf(agents: Awaited<ReturnType<AgentSource["list"]>>): AgentSource {
  return {
    name: "wikis",
    priority: 50,
    list: async () => agents,
    find: async (_tenantId, name) => agents.find((agent) => agent.name === name),
  };
}

async function start(options: Partial<TestEngineOptions> = {}) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(Array(8).fill("Done."));
  const { engine } = await startTestEngine({ stores, model, clock: manualClock(), ...options });
  onTestFinished(() => engine.close());
  return {
    stores,
    agents: engine.agents,
    run: async (name: string) => (await engine.runs.start(T, name, { message: "Go." })).result,
  };
}
