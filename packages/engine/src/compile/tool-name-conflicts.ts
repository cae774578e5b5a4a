/**
 * Names of the tools that call agents, against each other and against every other tool of the agent. What
 * differs only in case counts as the same: a model may write either.
 */

import {
  type AgentDefinitionContent,
  type CallableAgentReference,
  type Finding,
  finding,
} from "@tracon/core";
import {
  BACKGROUND_TOOL_NAMES,
  KNOWLEDGE_TOOL_NAME,
  SKILL_TOOL_NAMES,
} from "../delegation/engine-tool-names.ts";
import { toolNameOf } from "../delegation/tool-name.ts";
import { harnessPartsOf } from "../harness/harness-parts.ts";
import { isToolName } from "../tools/tool-registration.ts";

/** What is wrong with the names that the model of a caller sees. */
export function toolNameFindings(definition: AgentDefinitionContent): readonly Finding[] {
  const { callableAgents, subAgents } = definition;
  if (callableAgents.length === 0) return [];
  return subAgents?.callMode === "Tool"
    ? agentToolFindings(definition)
    : backgroundFindings(definition);
}

/** One tool for each agent. */
function agentToolFindings(definition: AgentDefinitionContent): readonly Finding[] {
  const taken = new Map<string, string>([
    ...reservedNames(definition),
    ...registeredNames(definition),
  ]);
  const findings: Finding[] = [];
  for (const [index, { name }] of distinct(definition)) {
    const toolName = toolNameOf(name);
    const path = `callableAgents[${index}].name`;
    const owner = taken.get(toolName.toLowerCase());
    if (!isToolName(toolName)) {
      const message = `agent '${name}' cannot be a tool: providers would refuse the tool name '${toolName}', which needs 1 to 64 ASCII letters, digits or '_'; ${REMEDY}`;
      findings.push(finding("tool_name_invalid", path, message));
    } else if (owner === undefined) {
      taken.set(toolName.toLowerCase(), `the tool of callable agent '${name}'`);
    } else {
      const message = `the tool of callable agent '${name}' would be named '${toolName}', a name that ${owner} has: ${REMEDY}`;
      findings.push(finding("sub_agent_tool_name_conflict", path, message));
    }
  }
  return findings;
}

const REMEDY = "rename one of them, or call agents as background tasks";

/** Six tools for all agents, which tell agents apart by names in any case. */
function backgroundFindings(definition: AgentDefinitionContent): readonly Finding[] {
  const own = new Set<string>(BACKGROUND_TOOL_NAMES);
  const tools = definition.toolNames.flatMap((name, index) => {
    if (!own.has(name.toLowerCase())) return [];
    const message = `tool '${name}' has the name of a tool that calls agents as background tasks: rename it, or set subAgents.callMode to Tool`;
    return [finding("sub_agent_tool_name_conflict", `toolNames[${index}]`, message)];
  });
  const seen = new Map<string, string>();
  const agents = distinct(definition).flatMap(([index, { name }]) => {
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), name);
    if (other === undefined) return [];
    const message = `agents '${other}' and '${name}' differ only in case, which background tasks do not tell apart: rename one of them`;
    return [finding("callable_agent_duplicate", `callableAgents[${index}].name`, message)];
  });
  return [...tools, ...agents];
}

/** Entries whose name no entry before them has: what is listed twice has a finding of its own. */
function distinct({
  name: caller,
  callableAgents,
}: AgentDefinitionContent): readonly (readonly [number, CallableAgentReference])[] {
  return [...callableAgents.entries()].filter(
    ([index, { name }]) =>
      name !== caller && callableAgents.findIndex((it) => it.name === name) === index,
  );
}

const registeredNames = ({ toolNames }: AgentDefinitionContent) =>
  toolNames.map((name) => [name.toLowerCase(), `tool '${name}' of toolNames`] as const);

/** Tools of the engine itself. Those of background tasks stay free for the other call mode. */
function reservedNames(definition: AgentDefinitionContent) {
  const { memory, skillNames } = definition;
  const ofHarness = harnessPartsOf(definition).tools.map(({ name }) => name);
  const named = (names: readonly string[], what: string) =>
    names.map((name) => [name, `tool '${name}' of ${what}`] as const);
  return [
    ...named(BACKGROUND_TOOL_NAMES, "background tasks"),
    ...named(ofHarness, "the harness"),
    ...(skillNames.length > 0 ? named(SKILL_TOOL_NAMES, "the skills") : []),
    ...(memory?.enableVectorSearch === true ? named([KNOWLEDGE_TOOL_NAME], "semantic search") : []),
  ];
}
