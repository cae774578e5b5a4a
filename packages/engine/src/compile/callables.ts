/**
 * The section of agents this one may call: every name and every pinned version is there, none is listed
 * twice, and the calling model can tell each by a name of its own.
 */

import {
  type AgentDefinitionContent,
  type CallableAgentReference,
  type Finding,
  finding,
} from "@tracon/core";
import type { Callee } from "../delegation/callee.ts";
import { toolNameOf } from "../delegation/tool-name.ts";
import { descriptionOf, type FoundAgent } from "./found-agent.ts";
import { subAgentSettingsFindings } from "./sub-agent-settings.ts";
import { toolNameFindings } from "./tool-name-conflicts.ts";

/** An entry of `callableAgents`, with what the catalog has for it. */
type Entry = {
  readonly path: string;
  readonly reference: CallableAgentReference;
  readonly agent: FoundAgent;
};

const UNCHECKED: FoundAgent = { kind: "unchecked" };

/** The agents as the catalog has them; pushes what is wrong with them. */
export function compileCallables(
  definition: AgentDefinitionContent,
  found: readonly FoundAgent[] | undefined,
  findings: Finding[],
): readonly Callee[] {
  const entries = definition.callableAgents.map((reference, index) => ({
    path: `callableAgents[${index}]`,
    reference,
    agent: found?.[index] ?? UNCHECKED,
  }));
  findings.push(
    ...entries.flatMap((entry) => entryFindings(definition.name, entry)),
    ...duplicateFindings(entries),
    ...toolNameFindings(definition),
    ...subAgentSettingsFindings(definition),
  );
  return entries.map(calleeOf);
}

function calleeOf({ reference: { name, version }, agent }: Entry): Callee {
  const description = descriptionOf(agent);
  return {
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    toolName: toolNameOf(name),
  };
}

function entryFindings(caller: string, { path, reference, agent }: Entry): readonly Finding[] {
  const { name, version } = reference;
  if (name === caller) {
    const message = `an agent cannot call itself: ${name} → ${name}; take it out of the list`;
    return [finding("cycle", `${path}.name`, message)];
  }
  const invalid = version === undefined ? [] : versionFindings(caller, { path, reference, agent });
  switch (agent.kind) {
    case "missing": {
      const message = `there is no agent '${name}' to call: save it first, or correct the name`;
      return [finding("unknown_agent", `${path}.name`, message), ...invalid];
    }
    case "broken": {
      const { sourceName } = agent.current;
      const message = `what source '${sourceName}' gives for agent '${name}' is no definition`;
      return [finding("unknown_agent", `${path}.name`, message), ...invalid];
    }
    case "found":
    case "unchecked":
    case "versionMissing":
    case "versionless":
      return invalid;
  }
}

function versionFindings(caller: string, { path, reference, agent }: Entry): readonly Finding[] {
  const { name, version = 0 } = reference;
  const at = `${path}.version`;
  if (version < 1) {
    const message = "versions count from 1: leave it out to run the current one";
    return [finding("callable_agent_version_invalid", at, message)];
  }
  const pins = `Agent '${caller}' pins callable agent '${name}' to version ${version}`;
  if (agent.kind === "versionless") {
    const message = `${pins}, but the agent is defined in code, which keeps no versions: leave it out`;
    return [finding("callable_agent_version_invalid", at, message)];
  }
  // A deleted agent has no versions either, and its numbers are never given to another one.
  if (agent.kind !== "versionMissing" && agent.kind !== "missing") return [];
  const message = `${pins}, but the agent has no version ${version}`;
  return [finding("callable_agent_version_not_found", at, message)];
}

function duplicateFindings(entries: readonly Entry[]): readonly Finding[] {
  const seen = new Set<string>();
  return entries.flatMap(({ path, reference: { name } }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    const message = `agent '${name}' is listed more than once; an agent has one entry`;
    return isNew ? [] : [finding("callable_agent_duplicate", `${path}.name`, message)];
  });
}
