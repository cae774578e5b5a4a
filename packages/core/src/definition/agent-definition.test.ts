import fc from "fast-check";
import { expect, it } from "vitest";
import type * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { contentHash } from "../canonical.ts";
import { findingsOf } from "../finding.ts";
import {
  type AgentDefinitionContent,
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  agentDefinitionSchema,
} from "./agent-definition.ts";

const MINIMAL = { name: "agent", model: { provider: "openai", model: "gpt-5" } };

/** Every member the documents name, each with a value. */
const COMPLETE: AgentDefinitionRequest = {
  name: "Support agent-2.1",
  displayName: "Support",
  description: "Answers.",
  instructions: "Be brief.",
  instructionsByCulture: { "de-DE": "Sei knapp.", hu: "Légy tömör." },
  model: {
    provider: "openai",
    model: "gpt-5",
    temperature: 0.5,
    maxOutputTokens: 1_000,
    topP: 0.9,
    reasoningEffort: "high",
    providerSettings: { "openai.user": "u", "openai.store": null },
    responseFormat: {
      kind: "JsonSchema",
      schema: { type: "object", default: null },
      schemaName: "answer",
      schemaDescription: "An answer.",
    },
    fallbacks: [{ provider: "anthropic", model: "claude" }],
    responseCache: { enabled: true, lifetime: "01:00:00" },
    toolLoop: { allowConcurrentToolCalls: true },
  },
  toolNames: ["look"],
  skillNames: ["read"],
  skills: { disableReadApproval: true },
  callableAgents: [{ name: "researcher", version: 3 }, { name: "writer" }],
  subAgents: { childDeadline: "00:01:00", waitTimeout: "00:02:00", callMode: "Tool" },
  extensionNames: ["audit"],
  mcpResourceUris: ["server:file:///a"],
  harness: {
    maxContextWindowTokens: 100_000,
    maxOutputTokens: 4_096,
    maximumIterationsPerRequest: 5,
    harnessInstructions: "Plan first.",
    disableCompaction: true,
    disableTodoProvider: true,
    disableFileMemory: true,
    disableWebSearch: true,
    enableWebSearch: true,
    disableToolAutoApproval: true,
    disableAgentSkillsProvider: true,
    disableAgentModeProvider: true,
    loop: {
      criteria: [
        {
          kind: "agentReview",
          marker: "DONE",
          judgeCriteria: ["complete"],
          judgeInstructions: "Be strict.",
          modes: ["plan"],
          reviewerAgent: "reviewer",
          reviewerAgentVersion: 2,
        },
      ],
      maxIterations: 3,
      freshContextPerIteration: true,
      onExhausted: "FailRun",
      onCriterionError: "ReturnLastResponse",
    },
    progress: { escalate: true, maxRepeats: 6 },
  },
  compaction: {
    strategy: "Pipeline",
    triggerTokens: 1,
    triggerMessages: 2,
    triggerTurns: 3,
    minimumPreservedTurns: 0,
    minimumPreservedGroups: 4,
    maxContextWindowTokens: 5,
    maxOutputTokens: 6,
    summarizationPrompt: "Sum up.",
    summarizationModel: { provider: "openai", model: "mini" },
  },
  memory: {
    enableFileMemory: true,
    enableTodo: true,
    enableTextSearch: true,
    enableVectorSearch: true,
    vectorCollection: "c",
  },
  workspace: { readOnly: true, disableReadApproval: true },
  parameters: [
    { name: "p", kind: "Number", required: true, defaultValue: "1", description: "A number." },
  ],
  sharedInstructionsName: "house",
  metadata: { owner: null, tags: ["a"], nested: { deep: [null] } },
};

it(
  "reads every member of a definition and keeps it as it is through JSON",
  covers("definition.is-data", "definition.metadata-free-form"),
  () => {
    const content = read(COMPLETE);

    expect(content).toMatchObject(COMPLETE);
    expect(read(JSON.parse(JSON.stringify(content)))).toEqual(content);
  },
);

it(
  "reads lists that are left out, undefined or null as empty",
  covers("definition.absent-collection-reads-empty", "definition.null-collection-reads-empty"),
  () => {
    const absent = read(MINIMAL);
    const empty = Object.fromEntries(LISTS.map((name) => [name, []]));
    const nothing = Object.fromEntries(LISTS.map((name) => [name, null]));

    expect(absent).toMatchObject({ ...empty, metadata: {}, model: { fallbacks: [] } });
    expect(read({ ...MINIMAL, ...nothing, metadata: null })).toEqual(absent);
    expect(read({ ...MINIMAL, ...empty, displayName: null, harness: undefined })).toEqual(absent);
  },
);

it("gives the same hash to the same definition, however it is written", () => {
  const variants = fc.record({
    lists: fc.constantFrom(null, undefined, []),
    nothing: fc.constantFrom(null, undefined),
    isReversed: fc.boolean(),
  });
  const expected = contentHash(read(MINIMAL));

  fc.assert(
    fc.property(variants, ({ lists, nothing, isReversed }) => {
      const members = [
        ...Object.entries(MINIMAL),
        ...LISTS.map((name) => [name, lists] as const),
        ["description", nothing] as const,
        ["metadata", nothing] as const,
      ];
      const written = Object.fromEntries(isReversed ? members.reverse() : members);

      expect(contentHash(read(written))).toBe(expected);
    }),
  );
});

it("keeps null where content is the user's own", () => {
  const content = read(COMPLETE);

  expect(content.metadata).toEqual(COMPLETE.metadata);
  expect(content.model.providerSettings).toEqual({ "openai.user": "u", "openai.store": null });
  expect(content.model.responseFormat?.schema).toEqual({ type: "object", default: null });
});

it("reads enum members in any case and keeps them as the documents write them", () => {
  const content = read({
    ...MINIMAL,
    compaction: { strategy: "slidingwindow" },
    subAgents: { callMode: "TOOL" },
    parameters: [{ name: "p", kind: "boolean" }],
    harness: { loop: { onExhausted: "failRun" } },
  });

  expect(content).toMatchObject({
    compaction: { strategy: "SlidingWindow" },
    subAgents: { callMode: "Tool" },
    parameters: [{ kind: "Boolean" }],
    harness: { loop: { onExhausted: "FailRun" } },
  });
});

it("reads durations in every spelling and keeps the one that travels", () => {
  const { subAgents } = read({
    ...MINIMAL,
    subAgents: { childDeadline: "90s", waitTimeout: "PT2M" },
  });

  expect(subAgents).toMatchObject({ childDeadline: "00:01:30", waitTimeout: "00:02:00" });
});

it(
  "reads a plain name as a reference to an agent",
  covers("pin.name-is-unpinned-reference"),
  () => {
    expect(read({ ...MINIMAL, callableAgents: ["one"] }).callableAgents).toEqual([{ name: "one" }]);
  },
);

it("ignores the members that the store owns, so that what was read can be sent back", () => {
  const stored = agentDefinitionSchema.parse({
    ...read(COMPLETE),
    origin: "Database",
    version: 7,
    tenantId: "t",
    updatedAt: "2026-01-01T00:00:00.000Z",
  });

  expect(read(stored)).toEqual(read(COMPLETE));
});

it("takes names of tools and nothing else", covers("definition.tool-names-only"), () => {
  const code = [{ name: "look", execute: "return 1" }, 7];

  expect(problemsOf({ ...MINIMAL, toolNames: ["look", ...code] })).toEqual([
    ["invalid_value", "toolNames[1]"],
    ["invalid_value", "toolNames[2]"],
  ]);
});

it.each([
  ["definition", { ...MINIMAL, extra: 1 }, "extra"],
  ["model", { ...MINIMAL, model: { ...MINIMAL.model, temprature: 1 } }, "model.temprature"],
  [
    "tool loop",
    { ...MINIMAL, model: { ...MINIMAL.model, toolLoop: { x: 1 } } },
    "model.toolLoop.x",
  ],
  [
    "criterion",
    { ...MINIMAL, harness: { loop: { criteria: [{ kind: "a", mark: 1 }] } } },
    "harness.loop.criteria[0].mark",
  ],
  [
    "fallback",
    {
      ...MINIMAL,
      model: { ...MINIMAL.model, fallbacks: [{ provider: "a", model: "b", topP: 1 }] },
    },
    "model.fallbacks[0].topP",
  ],
])("refuses an unknown member of a %s with its path", (_, definition, path) => {
  expect(problemsOf(definition)).toEqual([["unknown_member", path]]);
});

it("asks for no escalation unless a definition does, and hashes as before without the setting", () => {
  const without = contentHash(read({ ...MINIMAL, harness: {} }));

  expect(read({ ...MINIMAL, harness: {} }).harness).not.toHaveProperty("progress");
  expect(read({ ...MINIMAL, harness: { progress: {} } }).harness).toMatchObject({
    progress: { escalate: false, maxRepeats: 4 },
  });
  expect(contentHash(read({ ...MINIMAL, harness: { progress: null } }))).toBe(without);
});

it.each([
  ["harness.progress.maxRepeats", { maxRepeats: 3 }],
  ["harness.progress.maxRepeats", { maxRepeats: 4.5 }],
  ["harness.progress.escalate", { escalate: "yes" }],
])("refuses %s where it is %j", (path, progress) => {
  expect(problemsOf({ ...MINIMAL, harness: { progress } })).toEqual([["invalid_value", path]]);
});

it("names the new member for `callableAgentNames`", () => {
  const [found] = findings({ ...MINIMAL, callableAgentNames: ["a"] });

  expect(found).toMatchObject({
    path: "callableAgentNames",
    message: expect.stringContaining("callableAgents"),
  });
});

it("refuses members named __proto__ at any depth, and is not fooled by them", () => {
  const written = JSON.parse(`{
    "name": "agent", "__proto__": { "instructions": "x" },
    "model": { "provider": "a", "model": "b", "providerSettings": { "__proto__": { "y": 1 } } },
    "instructionsByCulture": { "__proto__": "z" },
    "metadata": { "deep": [{ "__proto__": 1 }] }
  }`);

  expect(problemsOf(written)).toEqual([
    ["unknown_member", "__proto__"],
    ["unknown_member", "model.providerSettings.__proto__"],
    ["unknown_member", "instructionsByCulture.__proto__"],
    ["unknown_member", "metadata.deep[0].__proto__"],
  ]);
});

it(
  "names everything that is missing at once",
  covers("definition.name-required", "definition.model-required"),
  () => {
    expect(problemsOf({})).toEqual([
      ["member_missing", "name"],
      ["member_missing", "model"],
    ]);
    expect(problemsOf({ name: "a", model: {} })).toEqual([
      ["member_missing", "model.provider"],
      ["member_missing", "model.model"],
    ]);
  },
);

it.each([null, undefined, "agent", 7, [], true])("refuses %j, which is no definition", (it) => {
  expect(findings(it)).toHaveLength(1);
});

it.each(["a", "7", "Support agent", "ágens", "日本", "a.b_c-d", "x".repeat(128)])(
  "accepts the name %j",
  (name) => {
    expect(read({ ...MINIMAL, name }).name).toBe(name);
  },
);

it.each([
  "",
  " a",
  "a ",
  "a  b",
  "-a",
  ".",
  "a/b",
  "a\u0000",
  "a\nb",
  "a?b",
  "😀",
  "x".repeat(129),
  7,
])("refuses the name %j", (name) => {
  expect(problemsOf({ ...MINIMAL, name })).toMatchObject([["invalid_value", "name"]]);
});

it("keeps a name in one normal form", () => {
  expect(read({ ...MINIMAL, name: "Zoe\u0308" }).name).toBe("Zo\u00eb");
});

it.each([
  ["toolNames", Array(257).fill("a")],
  ["instructions", "x".repeat(262_145)],
  ["description", "x".repeat(4_097)],
  ["toolNames[0]", [""]],
])("refuses %s beyond its limit", (path, value) => {
  expect(problemsOf({ ...MINIMAL, [path.replace("[0]", "")]: value })).toEqual([
    ["invalid_value", path],
  ]);
});

it.each([
  { temperature: 2.1 },
  { temperature: Number.NaN },
  { topP: -0.1 },
  { maxOutputTokens: 0 },
  { maxOutputTokens: 1.5 },
  { responseCache: { lifetime: "soon" } },
])("refuses the model setting %j", (setting) => {
  expect(findings({ ...MINIMAL, model: { ...MINIMAL.model, ...setting } })).toHaveLength(1);
});

const LISTS = [
  "toolNames",
  "skillNames",
  "callableAgents",
  "extensionNames",
  "mcpResourceUris",
  "parameters",
] as const;

function read(definition: unknown): AgentDefinitionContent {
  return agentDefinitionRequestSchema.parse(definition);
}

const findings = (definition: unknown) => {
  const { error } = agentDefinitionRequestSchema.safeParse(definition, { reportInput: true });
  return findingsOf(error as unknown as z.ZodError);
};

const problemsOf = (definition: unknown) =>
  findings(definition).map(({ code, path }) => [code, path]);
