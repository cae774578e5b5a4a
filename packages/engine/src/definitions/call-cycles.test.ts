/** Agents that would call or review each other for ever, as they are found when one of them is saved. */

import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
} from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const T = "default";
const MODEL = { provider: "test", model: "m" };

it(
  "refuses a definition that closes a cycle over other agents, with the way around",
  covers("callable-agent.indirect-cycle-rejected"),
  async () => {
    const { agents } = await start();
    await agents.create(T, calling("c", []));
    await agents.create(T, calling("b", ["c"]));
    await agents.create(T, calling("a", ["b"]));

    const save = agents.save(T, "c", calling("c", ["agent", "a"]));

    await expect(save).rejects.toMatchObject({
      code: "definition_invalid",
      details: {
        findings: [
          {
            code: "cycle",
            path: "callableAgents[1].name",
            message: expect.stringContaining("c → a → b → c"),
            severity: "Error",
          },
        ],
      },
    });
    expect(await agents.versions(T, "c")).toHaveLength(1);
  },
);

it("finds a finding for each entry that leads back, and none for those that do not", async () => {
  const { agents, cycles } = await start();
  for (const [name, callees] of [
    ["leaf", []],
    ["a", []],
    ["near", ["a", "leaf"]],
    ["far", ["near"]],
    ["diamond", ["leaf", "far", "near"]],
  ] as const) {
    await agents.save(T, name, calling(name, callees));
  }

  expect(await cycles(calling("a", ["leaf", "near", "far", "diamond"]))).toEqual([
    ["cycle", "callableAgents[1].name", "a → near → a"],
    ["cycle", "callableAgents[2].name", "a → far → near → a"],
    ["cycle", "callableAgents[3].name", "a → diamond → near → a"],
  ]);
});

it(
  "reads the current versions by name, whatever is pinned",
  covers("pin.graph-reads-current-versions", "pin.current-cycle-refused-despite-pin"),
  async () => {
    const { agents, cycles } = await start();
    await agents.create(T, calling("a", []));
    await agents.create(T, calling("b", []));
    await agents.save(T, "b", calling("b", ["a"]));

    expect(await cycles(calling("a", [{ name: "b", version: 1 }]))).toEqual([
      ["cycle", "callableAgents[0].name", "a → b → a"],
    ]);
  },
);

it(
  "finds a cycle that only a pinned older version closes",
  covers("pin.pinned-cycle-refused"),
  async () => {
    const { agents, cycles } = await start();
    await agents.create(T, calling("a", []));
    await agents.create(T, calling("b", ["a"]));
    await agents.save(T, "b", calling("b", []));
    await agents.create(T, calling("c", [{ name: "b", version: 1 }]));

    expect(await cycles(calling("a", ["b", { name: "c", version: 1 }]))).toEqual([
      ["cycle", "callableAgents[1].name", "a → c@1 → b@1 → a"],
    ]);
    expect(await cycles(calling("a", [{ name: "b", version: 1 }]))).toEqual([
      ["cycle", "callableAgents[0].name", "a → b@1 → a"],
    ]);
    expect(await cycles(calling("a", [{ name: "b", version: 2 }]))).toEqual([]);
  },
);

it("does not take an older version of an agent for the agent itself", async () => {
  const { agents, cycles } = await start();
  await agents.create(T, calling("a", []));
  await agents.create(T, calling("b", []));
  await agents.save(T, "b", calling("b", [{ name: "a", version: 1 }]));
  await agents.save(T, "b", calling("b", []));

  expect(await cycles(calling("a", [{ name: "b", version: 2 }]))).toEqual([
    // The version that is pinned calls the first version of `a`, which calls nobody.
  ]);
});

it("finds a cycle through an agent of code, and one among agents of code at start", async () => {
  const { cycles } = await start({ agents: [calling("coded", ["stored"])] });
  const ring = start({ agents: [calling("one", ["two"]), calling("two", ["one", "agent"])] });

  expect(await cycles(calling("stored", ["coded"]))).toEqual([
    ["cycle", "callableAgents[0].name", "stored → coded → stored"],
  ]);
  await expect(ring).rejects.toMatchObject({
    code: "configuration_invalid",
    details: {
      findings: [
        { code: "cycle", path: "agents[1].callableAgents[0].name" },
        { code: "cycle", path: "agents[2].callableAgents[0].name" },
      ],
    },
  });
});

it("warns of agents that review each other, at once or behind a call", async () => {
  const { agents, cycles, store } = await start();
  await agents.create(T, calling("plain", []));
  await agents.create(T, calling("a", []));
  await store(reviewedBy("b", "a"));
  await store(calling("c", ["b"]));
  await store(reviewedBy("d", "plain"));

  expect(await cycles(reviewedBy("a", "b"))).toEqual([
    ["loop_reviewer_cycle", "harness.loop.criteria[0].reviewerAgent", "a → b → a"],
  ]);
  expect(await cycles(reviewedBy("a", "c"))).toEqual([
    ["loop_reviewer_cycle", "harness.loop.criteria[0].reviewerAgent", "a → c → b → a"],
  ]);
  expect(await cycles(calling("a", ["b", "d"]))).toEqual([
    ["loop_reviewer_cycle", "callableAgents[0].name", "a → b → a"],
  ]);
  expect(await cycles(reviewedBy("a", "d"))).toEqual([]);
});

it("calls it a cycle when the same agents call each other as well as review each other", async () => {
  const { agents, cycles, store } = await start();
  await agents.create(T, calling("a", []));
  await store({ ...reviewedBy("b", "a"), callableAgents: ["a"] });

  expect(await cycles({ ...reviewedBy("a", "b"), callableAgents: ["b"] })).toEqual([
    ["cycle", "callableAgents[0].name", "a → b → a"],
    ["loop_reviewer_cycle", "harness.loop.criteria[0].reviewerAgent", "a → b → a"],
  ]);
});

it("warns of a reviewer that reviews itself again only through a pinned version", async () => {
  const { agents, cycles, store } = await start();
  await agents.create(T, calling("a", []));
  await store(reviewedBy("b", "a"));
  await store(calling("b", []));

  expect(await cycles(reviewedBy("a", "b", 1))).toEqual([
    ["loop_reviewer_cycle", "harness.loop.criteria[0].reviewerAgent", "a → b@1 → a"],
  ]);
  expect(await cycles(reviewedBy("a", "b"))).toEqual([]);
});

it("walks a chain of any length, shows both its ends, and reads each definition once", async () => {
  const { agents, cycles, store, reads } = await start();
  await agents.create(T, calling("a", []));
  const length = 900;
  await store(calling(`n${length}`, ["a"]));
  for (let index = length - 1; index > 0; index--) {
    await store(calling(`n${index}`, [`n${index + 1}`, "shared"]));
  }
  await store(calling("shared", [`n${length}`]));
  const before = reads();

  const [found] = await cycles(calling("a", ["n1"]));

  expect(found?.[2]).toBe("a → n1 → shared → n900 → a");
  expect(reads() - before).toBe(length + 1);
  await store(calling("shared", []));
  const [long] = await cycles(calling("a", ["n1"]));
  expect(long?.[2]).toBe(
    "a → n1 → n2 → n3 → n4 → n5 → (890 more) → n896 → n897 → n898 → n899 → n900 → a",
  );
});

it("searches so many agents and no more, and says so", async () => {
  const { agents, cycles, store } = await start();
  await agents.create(T, calling("a", []));
  for (let index = 1; index <= 1_200; index++) {
    await store(calling(`n${index}`, index === 1_200 ? ["a"] : [`n${index + 1}`]));
  }
  await store(calling("near", ["a"]));

  const found = await cycles(calling("a", ["n1", "near"]));

  expect(found.map(([code, path]) => [code, path])).toEqual([
    ["cycle", "callableAgents[1].name"],
    ["cycle_unchecked", "callableAgents"],
  ]);
});

type Callees = NonNullable<AgentDefinitionRequest["callableAgents"]>;

const calling = (name: string, callableAgents: readonly Callees[number][]) => ({
  name,
  model: MODEL,
  callableAgents: [...callableAgents],
});

const reviewedBy = (name: string, reviewerAgent: string, reviewerAgentVersion?: number) => ({
  name,
  model: MODEL,
  harness: {
    disableCompaction: true,
    loop: { criteria: [{ kind: "agentReview", reviewerAgent, reviewerAgentVersion }] },
  },
});

/** What is found of cycles: code, path and the way around. */
const CYCLE_CODES: ReadonlySet<string> = new Set([
  "cycle",
  "cycle_unchecked",
  "loop_reviewer_cycle",
]);

async function start(options: Partial<TestEngineOptions> = {}) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  let reads = 0;
  const stores = {
    ...opened,
    definitions: {
      ...opened.definitions,
      get(tenantId: string, name: string) {
        reads++;
        return opened.definitions.get(tenantId, name);
      },
    },
  };
  const model = scriptedModel([]);
  const { engine } = await startTestEngine({ stores, model, clock: manualClock(), ...options });
  onTestFinished(() => engine.close());
  return {
    agents: engine.agents,
    reads: () => reads,
    async cycles(definition: AgentDefinitionRequest) {
      const { messages } = await engine.agents.validate(T, definition);
      return messages
        .filter(({ code }) => CYCLE_CODES.has(code))
        .map(({ code, path, message }) => [code, path, /: ([^;]*)/.exec(message)?.[1]] as const);
    },
    /** Saves without a check, as something that was saved before. */
    async store(definition: AgentDefinitionRequest) {
      const content = agentDefinitionRequestSchema.parse(definition);
      await opened.definitions.append({
        tenantId: T,
        content,
        contentHash: contentHash(content),
        condition: "any",
        savedAt: "2026-01-01T00:00:00.000Z",
      });
    },
  };
}
