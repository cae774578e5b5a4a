/** The harness section: what it adds to the agent, and what contradicts it. */

import { type AgentDefinitionContent, type Finding, finding } from "@tracon/core";
import { type HarnessParts, harnessPartsOf } from "../harness/harness-parts.ts";

/** The parts that the definition turns on. Pushes what is wrong with them. */
export function compileHarness(
  definition: AgentDefinitionContent,
  findings: Finding[],
): HarnessParts {
  const parts = harnessPartsOf(definition);
  findings.push(...contradictions(definition), ...nameFindings(definition, parts));
  return parts;
}

/** A feature that is asked for, and the switch of the harness that turns it off. */
const SWITCHES = [
  {
    on: "memory.enableTodo",
    off: "disableTodoProvider",
    asks: ({ memory }) => memory?.enableTodo === true,
  },
  {
    on: "memory.enableFileMemory",
    off: "disableFileMemory",
    asks: ({ memory }) => memory?.enableFileMemory === true,
  },
  {
    on: "harness.enableWebSearch",
    off: "disableWebSearch",
    asks: ({ harness }) => harness?.enableWebSearch === true,
  },
  {
    on: "skillNames",
    off: "disableAgentSkillsProvider",
    asks: ({ skillNames }) => skillNames.length > 0,
  },
  {
    on: "compaction.strategy",
    off: "disableCompaction",
    asks: ({ compaction }) => (compaction?.strategy ?? "None") !== "None",
  },
] as const satisfies readonly {
  on: string;
  off: keyof NonNullable<AgentDefinitionContent["harness"]>;
  asks(definition: AgentDefinitionContent): boolean;
}[];

/** Neither of two members is preferred without a word. */
const contradictions = (definition: AgentDefinitionContent): readonly Finding[] =>
  SWITCHES.filter(({ off, asks }) => definition.harness?.[off] === true && asks(definition)).map(
    ({ on, off }) =>
      finding(
        "harness_contradiction",
        `harness.${off}`,
        `${on} turns on what harness.${off} turns off: take one of them out`,
      ),
  );

/** A name can stand for one tool only. */
function nameFindings(
  { toolNames }: AgentDefinitionContent,
  { tools }: HarnessParts,
): readonly Finding[] {
  const own = new Set(tools.map(({ name }) => name));
  return toolNames.flatMap((name, index) => {
    if (!own.has(name)) return [];
    const message = `tool '${name}' has the name of a tool of the harness: rename it, or turn that part of the harness off`;
    return [finding("duplicate_name", `toolNames[${index}]`, message)];
  });
}
