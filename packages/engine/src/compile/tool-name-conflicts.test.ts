import { type AgentDefinitionRequest, agentDefinitionRequestSchema } from "@tracon/core";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { toolNameFindings } from "./tool-name-conflicts.ts";

type Members = Partial<AgentDefinitionRequest>;

it(
  "names both sides when the tool of an agent would have the name of another tool",
  covers(
    "call-mode.name-conflict-with-tool",
    "call-mode.name-conflict-with-other-agent",
    "call-mode.name-conflict-path",
  ),
  () => {
    const found = findingsOf({
      toolNames: ["look", "support_agent", "Count"],
      callableAgents: ["free", "support-agent", "a.b", "a-b", "count", "a b"],
      subAgents: { callMode: "Tool" },
    });

    expect(found.map(({ code, path }) => [code, path])).toEqual([
      ["sub_agent_tool_name_conflict", "callableAgents[1].name"],
      ["sub_agent_tool_name_conflict", "callableAgents[3].name"],
      ["sub_agent_tool_name_conflict", "callableAgents[4].name"],
      ["sub_agent_tool_name_conflict", "callableAgents[5].name"],
    ]);
    expect(found[0]?.message).toContain("agent 'support-agent'");
    expect(found[0]?.message).toContain("tool 'support_agent' of toolNames");
    expect(found[1]?.message).toContain("agent 'a-b'");
    expect(found[1]?.message).toContain("agent 'a.b'");
    expect(found[2]?.message).toContain("tool 'Count' of toolNames");
  },
);

it.each<[string, string, Members, Members]>([
  ["todos add", "the harness", { harness: {} }, { harness: { disableTodoProvider: true } }],
  ["todos.add", "the harness", { memory: { enableTodo: true } }, { memory: {} }],
  ["Mode-Set", "the harness", { harness: {} }, { harness: { disableAgentModeProvider: true } }],
])("keeps tool names of agent %j and of %s apart while it is on", (name, owner, on, off) => {
  const calling = { callableAgents: [name], subAgents: { callMode: "Tool" as const } };

  expect(findingsOf({ ...calling, ...on })).toMatchObject([
    {
      code: "sub_agent_tool_name_conflict",
      path: "callableAgents[0].name",
      message: expect.stringContaining(owner),
    },
  ]);
  expect(findingsOf({ ...calling, ...off })).toEqual([]);
});

it("keeps the names of background tasks free for the other call mode", () => {
  const callableAgents = ["background agents start task"];

  expect(findingsOf({ callableAgents, subAgents: { callMode: "Tool" } })).toMatchObject([
    { code: "sub_agent_tool_name_conflict", path: "callableAgents[0].name" },
  ]);
  expect(findingsOf({ callableAgents })).toEqual([]);
});

it.each(["load-skill", "read skill resource", "run.skill.script"])(
  "keeps the tools of skills apart from agent %j",
  covers("call-mode.name-conflict-with-skill-tool"),
  (name) => {
    const calling = { callableAgents: [name], subAgents: { callMode: "Tool" as const } };

    expect(findingsOf({ ...calling, skillNames: ["cooking"] })).toMatchObject([
      { code: "sub_agent_tool_name_conflict", message: expect.stringContaining("the skills") },
    ]);
    expect(findingsOf(calling)).toEqual([]);
  },
);

it(
  "keeps the search of knowledge apart while it is on, and no longer",
  covers(
    "call-mode.name-conflict-with-search-knowledge",
    "call-mode.search-knowledge-free-otherwise",
  ),
  () => {
    const calling = {
      callableAgents: ["search-knowledge"],
      subAgents: { callMode: "Tool" as const },
    };

    expect(findingsOf({ ...calling, memory: { enableVectorSearch: true } })).toMatchObject([
      { code: "sub_agent_tool_name_conflict", message: expect.stringContaining("semantic search") },
    ]);
    expect(findingsOf({ ...calling, memory: { enableTextSearch: true } })).toEqual([]);
    expect(findingsOf(calling)).toEqual([]);
  },
);

it("refuses names that providers would refuse as those of tools", () => {
  const longest = "x".repeat(64);
  const found = findingsOf({
    callableAgents: [longest, `${longest}x`, "ágens", "日本", "٣", "1st", "a--"],
    subAgents: { callMode: "Tool" },
  });

  expect(found.map(({ code, path }) => [code, path])).toEqual([
    ["tool_name_invalid", "callableAgents[1].name"],
    ["tool_name_invalid", "callableAgents[2].name"],
    ["tool_name_invalid", "callableAgents[3].name"],
    ["tool_name_invalid", "callableAgents[4].name"],
  ]);
  expect(found[1]?.message).toContain("'ágens'");
});

it("lets agents that run as background tasks have any name but the same in another case", () => {
  const found = findingsOf({
    toolNames: ["support_agent", "background_agents_get_all_tasks", "todos_add"],
    callableAgents: ["support-agent", "support agent", "ágens", "x".repeat(128), "Support agent"],
  });

  expect(found.map(({ code, path }) => [code, path])).toEqual([
    ["sub_agent_tool_name_conflict", "toolNames[1]"],
    ["callable_agent_duplicate", "callableAgents[4].name"],
  ]);
  expect(found[1]?.message).toContain("'support agent' and 'Support agent'");
});

it("says nothing of an agent that calls nobody, nor twice of one that is listed twice", () => {
  const twice = { callableAgents: ["one", "one", "agent", "agent"] };

  expect(findingsOf({ toolNames: ["background_agents_start_task"] })).toEqual([]);
  expect(findingsOf({ ...twice, subAgents: { callMode: "Tool" } })).toEqual([]);
  expect(findingsOf(twice)).toEqual([]);
});

const findingsOf = (members: Members) =>
  toolNameFindings(
    agentDefinitionRequestSchema.parse({
      name: "agent",
      model: { provider: "test", model: "m" },
      ...members,
    }),
  );
