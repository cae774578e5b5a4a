import {
  type AgentDefinition,
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  contentHash,
  TraconError,
} from "@tracon/core";
import { expect, it } from "vitest";
import { appliedAfter, carryOut, type DoneStep } from "./carry-out.ts";
import type { FileDefinition } from "./definition-files.ts";
import type { CatalogAgent, DefinitionTarget } from "./definition-target.ts";
import type { Applied } from "./lock-file.ts";
import { makePlan, type PlanStep } from "./plan.ts";

it("creates, changes and leaves alone, with a field diff and the version it is based on", async () => {
  const target = memoryTarget();
  await target.create(content("old", { instructions: "before" }));
  await target.create(content("same"));

  const { steps, findings } = await makePlan(
    [file("new"), file("old", { instructions: "after" }), file("same")],
    target,
  );

  expect(findings).toEqual([]);
  expect(steps).toMatchObject([
    { action: "create", name: "new" },
    {
      action: "change",
      name: "old",
      basedOn: 1,
      changes: [{ path: "instructions", before: "before", after: "after" }],
    },
    { action: "unchanged", name: "same", version: 1 },
  ]);
});

it("saves a block before its users and callees before their callers", async () => {
  const plan = await makePlan(
    [
      file("caller", { callableAgents: [{ name: "callee" }] }),
      file("callee", { sharedInstructionsName: "block" }),
      file("reviewed", {
        harness: { loop: { criteria: [{ kind: "agentReview", reviewerAgent: "z" }] } },
      }),
      file("block"),
      file("z"),
    ],
    memoryTarget(),
  );

  expect(plan.findings).toEqual([]);
  expect(namesOf(plan.steps)).toEqual(["block", "callee", "caller", "z", "reviewed"]);
});

it("trusts the set for a name that is not stored yet, and the installation for all others", async () => {
  const target = memoryTarget();

  const { findings } = await makePlan(
    [
      file("a", { sharedInstructionsName: "b" }),
      file("b"),
      file("c", { sharedInstructionsName: "d" }),
    ],
    target,
  );

  expect(findings).toMatchObject([
    { file: "c.yaml", path: "sharedInstructionsName", code: "shared_instructions_invalid" },
  ]);
});

it("refuses a block of the set that refers to a block itself", async () => {
  const { findings } = await makePlan(
    [
      file("a", { sharedInstructionsName: "b" }),
      file("b", { sharedInstructionsName: "c" }),
      file("c"),
    ],
    memoryTarget(),
  );

  expect(findings).toMatchObject([
    { file: "a.yaml", path: "sharedInstructionsName", severity: "Error" },
  ]);
});

it("refuses agents that call each other in a ring", async () => {
  const { findings } = await makePlan(
    [file("a", { callableAgents: ["b"] }), file("b", { callableAgents: ["a"] })],
    memoryTarget(),
  );

  expect(findings.map(({ code, message }) => [code, message.split(": ")[1]])).toEqual([
    ["cycle", "a → b → a"],
    ["cycle", "b → a → b"],
  ]);
});

it("refuses a ring through an agent that is not in the set, and saves in the order of calls through it", async () => {
  const target = memoryTarget();
  await target.create(content("between", { callableAgents: ["b"] }));
  await target.create(content("b"));
  await target.create(content("a"));

  const ring = await makePlan(
    [file("a", { callableAgents: ["between"] }), file("b", { callableAgents: ["a"] })],
    target,
  );
  const chain = await makePlan(
    [file("a", { callableAgents: ["between"] }), file("b", { instructions: "x" })],
    target,
  );

  expect(ring.findings.map(({ file, code }) => [file, code])).toEqual([
    ["a.yaml", "cycle"],
    ["b.yaml", "cycle"],
  ]);
  expect(chain.findings).toEqual([]);
  expect(namesOf(chain.steps)).toEqual(["b", "a"]);
});

it("does not trust the set for a version that is pinned", async () => {
  const { findings } = await makePlan(
    [file("a", { callableAgents: [{ name: "b", version: 2 }] }), file("b")],
    memoryTarget(),
  );

  expect(findings).toMatchObject([{ file: "a.yaml", path: "callableAgents[0].name" }]);
});

it("refuses a name that code has", async () => {
  const { findings } = await makePlan([file("coded")], memoryTarget({ coded: ["coded"] }));

  expect(findings).toMatchObject([{ path: "name", code: "agent_read_only" }]);
});

it("calls it drift when what was applied last is not what is stored", async () => {
  const target = memoryTarget();
  await target.create(content("kept", { instructions: "1" }));
  await target.create(content("drifted", { instructions: "by hand" }));
  const applied = new Map([
    ["kept", lastApplied("kept", { instructions: "1" })],
    ["drifted", lastApplied("drifted", { instructions: "1" })],
    ["deleted", lastApplied("deleted")],
  ]);

  const { steps } = await makePlan(
    ["kept", "drifted", "deleted"].map((name) => file(name, { instructions: "2" })),
    target,
    { applied },
  );

  expect(steps).toMatchObject([
    { name: "kept", action: "change", isDrift: false },
    { name: "drifted", action: "change", isDrift: true },
    { name: "deleted", action: "create", isDrift: true },
  ]);
});

it("deletes only what was applied from the folder, and only when asked to", async () => {
  const target = memoryTarget();
  await target.create(content("gone"));
  await target.create(content("foreign"));
  const applied = new Map([["gone", lastApplied("gone")]]);

  const kept = await makePlan([], target, { applied });
  const pruned = await makePlan([], target, { applied, prune: true });

  expect(kept.steps).toEqual([{ action: "keep", name: "gone" }]);
  expect(pruned.steps).toEqual([{ action: "delete", name: "gone", version: 1, isDrift: false }]);
});

it("refuses to delete what a definition of the set refers to", async () => {
  const target = memoryTarget();
  await target.create(content("block"));
  const applied = new Map([["block", lastApplied("block")]]);

  const { findings } = await makePlan([file("a", { sharedInstructionsName: "block" })], target, {
    applied,
    prune: true,
  });

  expect(findings).toMatchObject([{ path: "sharedInstructionsName", code: "invalid_value" }]);
});

it("remembers what was done when a later step fails", async () => {
  const target = memoryTarget();
  await target.create(content("b", { instructions: "1" }));
  const { steps } = await makePlan([file("a"), file("b", { instructions: "2" })], target);
  await target.save(content("b", { instructions: "by hand" }), 1);
  const done: DoneStep[] = [];

  const carrying = carryOut(steps, {
    target,
    onDone: (step) => void done.push(step),
    signal: new AbortController().signal,
  });

  await expect(carrying).rejects.toMatchObject({ code: "version_conflict" });
  expect([...appliedAfter(new Map(), steps, done).keys()]).toEqual(["a"]);
});

type Members = Readonly<Record<string, unknown>>;

function content(name: string, members: Members = {}) {
  return agentDefinitionRequestSchema.parse({
    name,
    model: { provider: "p", model: "m" },
    ...members,
  });
}

function file(name: string, members: Members = {}): FileDefinition {
  const read = content(name, members);
  return { file: `${name}.yaml`, place: [], content: read, contentHash: contentHash(read) };
}

const lastApplied = (name: string, members: Members = {}): Applied => ({
  version: 1,
  contentHash: contentHash(content(name, members)),
});

const namesOf = (steps: readonly PlanStep[]): readonly string[] => steps.map(({ name }) => name);

/** An installation that judges references by what it has, as a real one does. */
function memoryTarget({
  coded = [],
}: {
  readonly coded?: readonly string[];
} = {}): DefinitionTarget {
  const stored = new Map<string, AgentDefinition>();
  const save = async (read: AgentDefinitionContent, version: number) => {
    stored.set(read.name, { ...read, origin: "Database", version });
    return version;
  };
  return {
    name: "memory:",
    list: async () => [
      ...coded.map(
        (name): CatalogAgent => ({
          name,
          origin: "Code",
          sourceName: "code",
          callableAgentNames: [],
        }),
      ),
      ...[...stored.values()].map(
        ({ name, callableAgents }): CatalogAgent => ({
          name,
          origin: "Database",
          sourceName: "database",
          callableAgentNames: callableAgents.map((callee) => callee.name),
        }),
      ),
    ],
    find: async (name) => stored.get(name),
    versions: async (name) => [...stored.values()].filter((it) => it.name === name),
    version: async (name) => stored.get(name) ?? Promise.reject(new Error("no version")),
    async validate(read) {
      const messages = missing(read as AgentDefinitionContent, new Set(stored.keys()));
      return { valid: messages.length === 0, inconclusive: false, messages };
    },
    create: (read) => save(read, 1),
    async save(read, basedOn) {
      if (stored.get(read.name)?.version === basedOn) return save(read, basedOn + 1);
      throw new TraconError("version_conflict", "somebody was faster");
    },
    async delete(name, basedOn) {
      if (stored.get(name)?.version === basedOn) stored.delete(name);
      else throw new TraconError("version_conflict", "somebody was faster");
    },
    close: async () => undefined,
  };
}

function missing(read: AgentDefinitionContent, stored: ReadonlySet<string>) {
  const at = (code: string, path: string, name: string | undefined) =>
    name === undefined || stored.has(name)
      ? []
      : [{ code, path, message: `there is no '${name}'`, severity: "Error" as const }];
  return [
    ...at("shared_instructions_invalid", "sharedInstructionsName", read.sharedInstructionsName),
    ...read.callableAgents.flatMap((callee, index) =>
      at("unknown_agent", `callableAgents[${index}].name`, callee.name),
    ),
    ...(read.harness?.loop?.criteria ?? []).flatMap((criterion, index) =>
      at(
        "loop_reviewer_not_found",
        `harness.loop.criteria[${index}].reviewerAgent`,
        criterion.reviewerAgent,
      ),
    ),
  ];
}
