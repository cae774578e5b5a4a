/** Tools that are agents, over HTTP: their names, what they are not asked, and in which order they run. */

import { tool } from "ai";
import { createTracon } from "tracon";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  ofScript,
  resultsIn,
  type Scripted,
  startAgentsHost,
} from "../kit/agents-host.ts";
import { covers } from "../requirements/covers.ts";

const byTool = { callMode: "Tool" } as const;
const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

const BACKGROUND_TOOLS = [
  "background_agents_start_task",
  "background_agents_wait_for_first_completion",
  "background_agents_get_task_results",
  "background_agents_get_all_tasks",
  "background_agents_continue_task",
  "background_agents_clear_completed_task",
];

it.each([
  { kind: "a chat agent", members: {} },
  { kind: "a harness agent", members: { harness: { disableCompaction: true } } },
])(
  "offers $kind its agents in the call mode of its definition",
  {
    ...covers("call-mode.chat-and-harness"),
  },
  async ({ members }) => {
    const { api, models } = await start({
      scripts: { tools: ["Hi."], tasks: ["Hi."] },
      agents: [
        { name: "tools", callableAgents: ["helper"], subAgents: byTool, ...members },
        { name: "tasks", callableAgents: ["helper"], ...members },
        { name: "helper", model: { provider: "tools", model: "m" } },
      ],
    });

    await api.run("tools");
    await api.run("tasks");

    const offered = (name: string) => models[name]?.calls[0]?.tools?.map((it) => it.name) ?? [];
    const ofAgents = (names: readonly string[]) =>
      names.filter((it) => it === "helper" || it.startsWith("background_agents_"));
    expect(ofAgents(offered("tools"))).toEqual(["helper"]);
    expect(ofAgents(offered("tasks"))).toEqual(BACKGROUND_TOOLS);
  },
);

it("takes as many model calls of the called agent in either mode", {
  ...covers("call-mode.child-cost-unchanged"),
}, async () => {
  const usage = { inputTokens: 395, outputTokens: 20 };
  const helper = [
    { toolCalls: [{ name: "look" }], usage },
    { text: "Seen.", usage },
  ];
  const { api, tree, models } = await start({
    scripts: {
      tools: [ask("helper"), "Done."],
      tasks: [...TASK, "Done."],
      helper: [...helper, ...helper],
    },
    agents: [
      { name: "tools", callableAgents: ["helper"], subAgents: byTool },
      { name: "tasks", callableAgents: ["helper"] },
      { name: "helper", toolNames: ["look"] },
    ],
  });

  const children = [];
  for (const name of ["tools", "tasks"]) {
    children.push((await tree((await api.run(name)).runId))[1]);
  }

  expect(models.helper?.calls).toHaveLength(4);
  expect([models.tools?.calls.length, models.tasks?.calls.length]).toEqual([2, 5]);
  for (const child of children) {
    expect(child).toMatchObject({
      status: "Completed",
      usage: { inputTokens: 790, outputTokens: 40 },
    });
  }
});

it("authorizes, approves and times no call of an agent as one of a tool, only what that agent calls", {
  ...covers("call-mode.skips-tool-chain"),
}, async () => {
  const authorized: string[] = [];
  const asks = { disableToolAutoApproval: true, disableCompaction: true };
  const { api, models } = await start({
    tools: {
      defaultTimeout: "1ms",
      look: {
        authorize: ({ toolName }: { toolName: string }) => authorized.push(toolName) > 0,
        timeout: "10s",
        tool: tool({ inputSchema: z.object({}), execute: () => "seen" }),
      },
    },
    scripts: {
      root: [ask("helper"), "Done."],
      helper: [{ toolCalls: [{ name: "look" }] }, { text: "Slow and seen.", delayMs: 30 }],
    },
    agents: [
      { name: "root", callableAgents: ["helper"], subAgents: byTool, harness: asks },
      { name: "helper", toolNames: ["look"] },
    ],
  });

  const result = await api.run("root");

  expect(result.status).toBe("Completed");
  expect(resultsIn(models.root?.calls.at(-1))).toEqual(["Slow and seen."]);
  expect(authorized).toEqual(["look"]);
});

it.each([
  { allowConcurrentToolCalls: false, first: ["a begins", "a ends"] },
  { allowConcurrentToolCalls: true, first: ["a begins", "b begins"] },
])(
  "runs two agents of one turn one after the other unless calls may run together ($allowConcurrentToolCalls)",
  { ...covers("call-mode.two-agents-sequential-by-default") },
  async ({ allowConcurrentToolCalls, first }) => {
    const seen: string[] = [];
    const bothBegan = Promise.withResolvers<void>();
    const working = (name: string, until?: Promise<void>) => async () => {
      seen.push(`${name} begins`);
      if (name === "b") bothBegan.resolve();
      await until;
      seen.push(`${name} ends`);
      return `${name} done`;
    };
    const { api, models } = await start({
      scripts: {
        root: [{ toolCalls: [...ask("a").toolCalls, ...ask("b").toolCalls] }, "Done."],
        // Where both run together, the first waits for the second.
        a: [working("a", allowConcurrentToolCalls ? bothBegan.promise : undefined)],
        b: [working("b")],
      },
      agents: [
        {
          name: "root",
          model: { provider: "root", model: "m", toolLoop: { allowConcurrentToolCalls } },
          callableAgents: ["a", "b"],
          subAgents: byTool,
        },
        { name: "a" },
        { name: "b" },
      ],
    });

    await api.run("root");

    expect(seen.slice(0, 2)).toEqual(first);
    expect(resultsIn(models.root?.calls.at(-1))).toEqual(["a done", "b done"]);
  },
);

it.each(["helper now! ç", "help\ner", "", "x".repeat(300), "HELPER"])(
  "runs no agent for a call of %j, answers it, and sends back a history that providers take",
  async (name) => {
    const { api, models, tree } = await start({
      scripts: {
        root: [{ toolCalls: [{ name, input: { query: "Go on." } }] }, ask("helper"), "Done."],
        helper: ["Well."],
      },
      agents: [{ name: "root", callableAgents: ["helper"], subAgents: byTool }, { name: "helper" }],
    });

    const result = await api.run("root");

    const [unknown, known] = resultsIn(models.root?.calls.at(-1));
    expect(result.status).toBe("Completed");
    expect(unknown).toMatch(/^Error: There is no tool named '/);
    expect(known).toBe("Well.");
    expect(await tree(result.runId)).toHaveLength(2);
    const events = await api.recorded(result.runId);
    const [called] = events.filter(({ type }) => type === "ToolInvoking");
    expect(called?.payload).toMatchObject({ toolName: name });
  },
);

const conflicting: readonly Scripted[] = [
  { name: "cleaned", callableAgents: ["support-agent", "support agent"] },
  { name: "separated", callableAgents: ["a b_c", "a_b c"] },
  { name: "cased", callableAgents: ["Support", "support"] },
  { name: "registered", callableAgents: ["Get Order"], toolNames: ["get_order"] },
  { name: "of the harness", callableAgents: ["todos-add"], harness: { disableCompaction: true } },
  { name: "of tasks", callableAgents: ["background agents start task"] },
  {
    name: "of search",
    callableAgents: ["search-knowledge"],
    memory: { enableVectorSearch: true },
  },
  { name: "of skills", callableAgents: ["load-skill"], skillNames: ["pdf"] },
];

it.each(conflicting)(
  "refuses a tool name that is taken, from code and over HTTP: $name",
  async (agent) => {
    const last = (agent.callableAgents?.length ?? 1) - 1;
    const definition = ofScript({ ...agent, subAgents: byTool, model: MODEL });
    const names = (agent.callableAgents ?? []) as readonly string[];
    const callees = names.map((name) => ({ name, model: MODEL }));
    const { api } = await start({
      scripts: { test: [] },
      agents: callees,
      tools: { get_order: look },
    });

    const saved = await api.json("POST", "/api/agents", definition);
    const validated = await api.json("POST", "/api/agents/validate", definition);
    const coded = await findingsOf({
      ...{ storage: "memory:", tools: { get_order: look } },
      providers: { test: { kind: "scripted", models: { m: [{ text: "Hi." }] } } },
      agents: [definition, ...callees],
    });

    const path = `callableAgents[${last}].name`;
    expect(saved.status).toBe(400);
    for (const findings of [saved.body.findings, validated.body.messages]) {
      expect(pathsOf(findings)).toEqual([path]);
      expect(messagesOf(findings)[0]).toContain(`'${names[last]}'`);
    }
    expect(pathsOf(coded)).toEqual([`agents[0].${path}`]);
  },
);

it("fails a run whose context adds a tool with the name of an agent, and calls neither", async () => {
  const added = { helper: tool({ inputSchema: z.object({}), execute: () => "the wrong one" }) };
  const { api, models, tree } = await start({
    scripts: { root: [ask("helper")], helper: [] },
    extensions: {
      adds: {
        apply: (it) => it.addContextProvider({ name: "more", before: () => ({ tools: added }) }),
      },
    },
    agents: [
      { name: "root", callableAgents: ["helper"], subAgents: byTool, extensionNames: ["adds"] },
      { name: "helper" },
    ],
  });

  const result = await api.run("root");

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "extension_failed", message: expect.stringContaining("'helper'") },
  });
  expect(models.root?.calls).toEqual([]);
  expect(await tree(result.runId)).toHaveLength(1);
});

const MODEL = { provider: "test", model: "m" };
const look = tool({ inputSchema: z.object({}), execute: () => "seen" });
const task = (name: string, input: object) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});
const TASK = [
  task("start_task", { agentName: "helper", input: "Go on.", description: "work" }),
  task("wait_for_first_completion", { taskIds: [1] }),
  task("get_task_results", { taskId: 1 }),
  task("clear_completed_task", { taskId: 1 }),
];

type Finding = { readonly code: string; readonly path: string; readonly message: string };

const conflictsIn = (findings: readonly Finding[]) =>
  findings.filter(({ code }) => code === "sub_agent_tool_name_conflict");
const pathsOf = (findings: readonly Finding[]) => conflictsIn(findings).map(({ path }) => path);
const messagesOf = (findings: readonly Finding[]) =>
  conflictsIn(findings).map(({ message }) => message);

async function findingsOf(config: Parameters<typeof createTracon>[0]): Promise<readonly Finding[]> {
  try {
    await (await createTracon(config, { env: {} })).close();
    return [];
  } catch (error) {
    return (error as { details: { findings: readonly Finding[] } }).details.findings;
  }
}

async function start(options: AgentsHostOptions): Promise<AgentsHost> {
  const host = await startAgentsHost({ tools: { look }, ...options });
  open.push(host);
  return host;
}
