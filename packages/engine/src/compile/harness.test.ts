import { tool } from "@ai-sdk/provider-utils";
import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  contentHash,
} from "@tracon/core";
import { manualClock, memoryLog, scriptedModel } from "@tracon/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { hasTodoList } from "../harness/harness-parts.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { compileAgent } from "./compile-agent.ts";
import { createLoopHost } from "./loop-host.ts";
import { createRingHosts } from "./ring-hosts.ts";

it.each<[string, string, Partial<AgentDefinitionRequest>]>([
  [
    "disableTodoProvider",
    "memory.enableTodo",
    { memory: { enableTodo: true }, harness: { disableTodoProvider: true } },
  ],
  [
    "disableFileMemory",
    "memory.enableFileMemory",
    { memory: { enableFileMemory: true }, harness: { disableFileMemory: true } },
  ],
  [
    "disableWebSearch",
    "harness.enableWebSearch",
    { harness: { enableWebSearch: true, disableWebSearch: true } },
  ],
  [
    "disableAgentSkillsProvider",
    "skillNames",
    { skillNames: ["a"], harness: { disableAgentSkillsProvider: true } },
  ],
  [
    "disableCompaction",
    "compaction.strategy",
    { compaction: { strategy: "Truncation" }, harness: { disableCompaction: true } },
  ],
])(
  "refuses harness.%s together with %s",
  covers("harness.skills-conflict", "harness.file-memory-conflict", "harness.web-search-conflict"),
  async (off, on, definition) => {
    const { agent, findings } = await compile(definition);

    expect(agent).toBeUndefined();
    expect(findings.filter(({ code }) => code !== "feature_unavailable")).toEqual([
      {
        code: "harness_contradiction",
        path: `harness.${off}`,
        message: `${on} turns on what harness.${off} turns off: take one of them out`,
        severity: "Error",
      },
    ]);
  },
);

it("reports every contradiction at once", async () => {
  const { findings } = await compile({
    memory: { enableTodo: true },
    skillNames: ["a"],
    harness: { disableTodoProvider: true, disableAgentSkillsProvider: true },
  });

  const contradictions = findings.filter(({ code }) => code === "harness_contradiction");
  expect(contradictions.map(({ path }) => path)).toEqual([
    "harness.disableTodoProvider",
    "harness.disableAgentSkillsProvider",
  ]);
});

it("refuses a tool of the definition whose name a tool of the harness has, where it has it", async () => {
  const toolNames = ["first", "mode_set", "todos_add"];

  const whole = await compile({ toolNames, harness: {} });
  const withoutModes = await compile({ toolNames, harness: { disableAgentModeProvider: true } });
  const plain = await compile({ toolNames });

  const clashes = (findings: readonly { code: string; path: string }[]) =>
    findings.map(({ code, path }) => `${code} ${path}`);
  expect(clashes(whole.findings)).toEqual([
    "duplicate_name toolNames[1]",
    "duplicate_name toolNames[2]",
  ]);
  expect(clashes(withoutModes.findings)).toEqual(["duplicate_name toolNames[2]"]);
  expect(plain.findings).toEqual([]);
});

it("compiles a harness with nothing set, although nothing shortens its history", async () => {
  const { agent, findings } = await compile({ harness: {} });

  expect(findings).toEqual([]);
  expect(agent?.harnessProviders.map(({ name }) => name)).toEqual(["todo-list", "agent-mode"]);
});

it.each([
  [{}, false],
  [{ memory: { enableTodo: true } }, true],
  [{ memory: {} }, false],
  [{ harness: {} }, true],
  [{ harness: { disableTodoProvider: true } }, false],
])("says of %j whether the agent has a todo list: %s", (definition, has) => {
  expect(hasTodoList(contentOf(definition))).toBe(has);
});

it("tells a harness apart in the hash of what shapes a run", async () => {
  const definitions: readonly Partial<AgentDefinitionRequest>[] = [
    {},
    { harness: {} },
    { harness: { harnessInstructions: "Work." } },
    { harness: { disableTodoProvider: true } },
  ];

  const compiled = await Promise.all(definitions.map(compile));

  expect(new Set(compiled.map(({ agent }) => agent?.lockfileHash)).size).toBe(definitions.length);
});

const contentOf = (definition: Partial<AgentDefinitionRequest>) =>
  agentDefinitionRequestSchema.parse({
    name: "agent",
    model: { provider: "test", model: "m" },
    ...definition,
  });

async function compile(definition: Partial<AgentDefinitionRequest>) {
  const nothing = tool({ inputSchema: z.object({}), execute: () => 1 });
  const { registry: tools } = await createToolRegistry({
    first: nothing,
    mode_set: nothing,
    todos_add: nothing,
  });
  const test = { name: "test", kind: "custom", optionsKey: "options" } as const;
  const providers = createProviderRegistry(
    [{ ...test, languageModel: () => scriptedModel([]) }],
    [],
  );
  const content = contentOf(definition);
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const log = memoryLog();
  const rings = createRingHosts({}, system);
  const loop = createLoopHost({}, { providers, log, ...rings });
  return compileAgent(
    { ...content, origin: "Database", version: 1 },
    { definitionHash: contentHash(content), dependencies: {} },
    { providers, tools, extensions: new Map(), loop, log, ...rings },
  );
}
