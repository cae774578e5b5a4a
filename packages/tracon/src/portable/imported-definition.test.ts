import { agentDefinitionRequestSchema } from "@tracon/core";
import { expect, it } from "vitest";
import { readImported } from "./imported-definition.ts";
import { portableForm } from "./portable-content.ts";

it("reads a definition of Tracon for .NET with all its members", () => {
  const { value, notes, problems } = readImported(FROM_DOTNET);

  const content = agentDefinitionRequestSchema.parse(value);

  expect(problems).toEqual([]);
  expect(notes.map(({ path }) => path)).toEqual([
    "callableAgentNames",
    "model.allowConcurrentToolCalls",
  ]);
  expect(portableForm(content)).toEqual({
    name: "router",
    displayName: "Router",
    instructions: "You help {{customer}}.",
    instructionsByCulture: { "tr-TR": "Merhaba" },
    model: {
      provider: "openai",
      model: "gpt-5.4-mini",
      providerSettings: { "openai.ServiceTier": "Flex" },
      responseFormat: {
        kind: "JsonSchema",
        schema: { Type: "object", properties: { Name: null } },
      },
      fallbacks: [{ provider: "claude", model: "m" }],
      responseCache: { enabled: true, lifetime: "1.02:00:00" },
      toolLoop: { allowConcurrentToolCalls: true },
    },
    toolNames: ["Get_Order"],
    callableAgents: [{ name: "support" }, { name: "billing" }],
    subAgents: { childDeadline: "00:00:10", waitTimeout: "00:00:20.500", callMode: "Tool" },
    harness: {
      enableWebSearch: true,
      loop: { criteria: [{ kind: "aiJudge", judgeCriteria: ["Ready"] }], onExhausted: "FailRun" },
    },
    parameters: [{ name: "customer", kind: "Text", required: true }],
    metadata: { Team: { Lead: "Ada" }, Version: 1 },
  });
});

it("reads camelCase members alike", () => {
  const camel = readImported(camelCased(FROM_DOTNET)).value;

  const [left, right] = [camel, readImported(FROM_DOTNET).value].map((value) =>
    agentDefinitionRequestSchema.parse(value),
  );

  expect(left?.callableAgents).toEqual(right?.callableAgents);
  expect(left?.subAgents).toEqual(right?.subAgents);
  expect(left?.model.toolLoop).toEqual({ allowConcurrentToolCalls: true });
});

it("keeps the pins of the new form of callable agents", () => {
  const { value, notes } = readImported({ CallableAgents: [{ Name: "a", Version: 3 }, "b"] });

  expect(value).toEqual({ callableAgents: [{ name: "a", version: 3 }, "b"] });
  expect(notes).toEqual([]);
});

it.each([
  [
    "both forms of callable agents",
    { callableAgents: ["a"], CallableAgentNames: ["b"] },
    "callableAgentNames",
  ],
  ["names that are no list", { callableAgentNames: "a" }, "callableAgentNames"],
  ["a member in two spellings", { Model: { Provider: "p", provider: "q" } }, "model.provider"],
  [
    "two answers about concurrent tool calls",
    { model: { allowConcurrentToolCalls: true, ToolLoop: { AllowConcurrentToolCalls: false } } },
    "model.allowConcurrentToolCalls",
  ],
])("says that %s cannot be read", (_what, value, path) => {
  expect(readImported(value).problems.map((problem) => problem.path)).toEqual([path]);
});

it("leaves what no member is called as it stands, to be refused by its name", () => {
  const { value } = readImported({ Name: "a", Temprature: 1 });

  expect(value).toEqual({ name: "a", Temprature: 1 });
});

it.each([null, 5, "text", [1]])("leaves %j as it is", (value) => {
  expect(readImported(value)).toMatchObject({ value, problems: [] });
});

const FROM_DOTNET = {
  Name: "router",
  DisplayName: "Router",
  Description: null,
  Instructions: "You help {{customer}}.",
  InstructionsByCulture: { "tr-TR": "Merhaba" },
  Model: {
    Provider: "openai",
    Model: "gpt-5.4-mini",
    ProviderSettings: { "openai.ServiceTier": "Flex" },
    ResponseFormat: {
      Kind: "jsonSchema",
      Schema: { Type: "object", properties: { Name: null } },
    },
    Fallbacks: [{ Provider: "claude", Model: "m" }],
    ResponseCache: { Enabled: true, Lifetime: "1.02:00:00" },
    AllowConcurrentToolCalls: true,
  },
  ToolNames: ["Get_Order"],
  SkillNames: [],
  CallableAgentNames: ["support", "billing"],
  SubAgents: { ChildDeadline: "00:00:10", WaitTimeout: "00:00:20.5000000", CallMode: "TOOL" },
  Harness: {
    EnableWebSearch: true,
    Loop: {
      Criteria: [{ Kind: "aiJudge", JudgeCriteria: ["Ready"], Modes: [] }],
      OnExhausted: "failRun",
    },
  },
  Parameters: [{ Name: "customer", Kind: "text", Required: true, DefaultValue: null }],
  Metadata: { Team: { Lead: "Ada" }, Version: 1 },
  Origin: "Database",
  Version: 12,
  TenantId: "default",
  UpdatedAt: "2026-10-20T08:00:00+00:00",
};

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.charAt(0).toLowerCase() + key.slice(1),
      camelCased(member),
    ]),
  );
}
