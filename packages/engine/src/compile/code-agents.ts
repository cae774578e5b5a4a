/**
 * Agents defined in code, checked at start. There is no tenant then: what a definition names and code
 * does not have may be in a tenant's store or in a source, and is left to the compilation for a run.
 */

import { type AgentDefinitionContent, type Finding, finding } from "@tracon/core";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { type AgentReference, calleeReferences, reviewerReferences } from "./agent-references.ts";
import { cycleFindings } from "./call-cycles.ts";
import { callGraphOf } from "./call-graph.ts";
import { type CompileContext, compileAgent } from "./compile-agent.ts";
import type { Dependencies } from "./dependencies.ts";
import { type FoundAgent, withoutVersions } from "./found-agent.ts";
import type { SharedBlock } from "./instructions.ts";

type CodeEntries = ReadonlyMap<string, CatalogEntry>;

/** What is wrong with the definitions, as far as code alone can tell; paths begin at `agents[0]`. */
export function codeAgentFindings(
  agents: readonly AgentDefinitionContent[],
  entries: CodeEntries,
  context: CompileContext,
): readonly Finding[] {
  return agents.flatMap((agent, index) => {
    const definition = { ...agent, origin: "Code", version: 1 } as const;
    const dependencies = dependenciesOf(agent, entries);
    const { reviewers } = dependencies;
    const input = { definitionHash: "", dependencies, reviewers };
    const { findings } = compileAgent(definition, input, context);
    const cycles = cycleFindings(agent, callGraphOf(agent, entries));
    return [...findings, ...cycles].map((it) => ({ ...it, path: `agents[${index}].${it.path}` }));
  });
}

/** Of a factory and a definition of one name the factory would never be called. */
export function factoryNameFindings(
  factories: readonly string[],
  agents: readonly AgentDefinitionContent[],
): readonly Finding[] {
  return factories.flatMap((name) => {
    if (!agents.some((agent) => agent.name === name.normalize("NFC"))) return [];
    const message = `agent '${name}' is defined in 'agents' as well`;
    return [finding("duplicate_name", `agentFactories["${name}"]`, message)];
  });
}

function dependenciesOf(definition: AgentDefinitionContent, entries: CodeEntries): Dependencies {
  const { sharedInstructionsName: blockName } = definition;
  const reviewers = [...reviewerReferences(definition)].map(
    ([index, reference]) => [index, foundIn(entries, reference)] as const,
  );
  return {
    ...(blockName === undefined ? {} : { shared: sharedIn(entries, blockName) }),
    callees: calleeReferences(definition).map((reference) => foundIn(entries, reference)),
    reviewers: new Map(reviewers),
  };
}

function sharedIn(entries: CodeEntries, name: string): SharedBlock {
  const entry = entries.get(name.normalize("NFC"));
  if (entry === undefined) return "unchecked";
  return entry.definition === undefined ? "textless" : entry;
}

function foundIn(entries: CodeEntries, { name, version }: AgentReference): FoundAgent {
  const entry = entries.get(name);
  return (entry && withoutVersions(entry, version)) ?? { kind: "unchecked" };
}
