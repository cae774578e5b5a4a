/**
 * Definition to agent. Every name resolves or is a finding; all findings come at once; a member whose
 * feature is not built is refused. No model is called and nothing is stored.
 */

import {
  type AgentDefinition,
  type AgentDefinitionContent,
  contentHash,
  type Finding,
} from "@tracon/core";
import type { AgentCatalog } from "../catalog/agent-catalog.ts";
import type { BoundModel, ProviderRegistry } from "../model/provider-registry.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { RunTurn } from "../turn/ring.ts";
import type { TurnAgent } from "../turn/step.ts";
import { compileInstructions, type SharedBlock } from "./instructions.ts";
import { compileFallbacks, compileModel } from "./model.ts";
import type { BoundParameters } from "./parameters.ts";
import { compileResponseFormat } from "./response-format.ts";
import { compileTools } from "./tools.ts";
import {
  assembleTurn,
  type ExtensionRings,
  NO_EXTENSION_RINGS,
  type RingHosts,
  responseCacheFindings,
} from "./turn.ts";
import { unavailableMembers } from "./unavailable.ts";

/** What a definition is compiled against. */
export type CompileContext = RingHosts & {
  readonly providers: ProviderRegistry;
  readonly tools: ToolRegistry;
};

/** What a definition names that the catalog or a store has. */
export type Dependencies = {
  /** Absent when the definition names no shared block. */
  readonly shared?: SharedBlock;
};

/** What is compiled besides the definition's own content. */
export type CompileInput = {
  /** Hash of the definition's content. */
  readonly definitionHash: string;
  readonly dependencies: Dependencies;
  /** Resolved key of `instructionsByCulture`; `undefined` for the default text. */
  readonly culture?: string | undefined;
  /** Values of one run; `undefined` compiles what runs without values share. */
  readonly parameters?: BoundParameters | undefined;
  /** Rings of the extensions the definition names. Default none. */
  readonly extensionRings?: ExtensionRings;
};

/** Looks up what a definition depends on. */
export async function findDependencies(
  tenantId: string,
  { sharedInstructionsName }: AgentDefinitionContent,
  catalog: AgentCatalog,
): Promise<Dependencies> {
  if (sharedInstructionsName === undefined) return {};
  const shared = await catalog.find(tenantId, sharedInstructionsName.normalize("NFC"));
  return { shared: shared ?? "missing" };
}

/** An agent ready to run, shared by all its runs. */
export type CompiledAgent = {
  readonly definition: AgentDefinition;
  readonly turn: TurnAgent;
  /** Runs a turn of it, through all rings. */
  readonly runTurn: RunTurn;
  /** System text; absent when the definition has none. */
  readonly instructions: string | undefined;
  /** Hash of everything that shapes a run of it: definition, shared block, tools, model, culture, values. */
  readonly lockfileHash: string;
};

export type Compilation = {
  readonly agent: CompiledAgent | undefined;
  readonly findings: readonly Finding[];
};

/** Compiles a definition that came through its schema. */
export function compileAgent(
  definition: AgentDefinition,
  input: CompileInput,
  context: CompileContext,
): Compilation {
  const findings = unavailableMembers(definition);
  const { shared } = input.dependencies;
  const { culture, parameters } = input;
  const instructions = compileInstructions(definition, { shared, culture, parameters }, findings);
  const model = compileModel(definition.model, context.providers, findings);
  const fallbacks = compileFallbacks(definition.model, context.providers, findings);
  const format = compileResponseFormat(definition.model, context.providers, findings);
  const tools = compileTools(definition.toolNames, context.tools, findings);
  findings.push(...responseCacheFindings(definition, context));
  if (model === undefined || findings.some(({ severity }) => severity === "Error")) {
    return { agent: undefined, findings };
  }
  const rings = input.extensionRings ?? NO_EXTENSION_RINGS;
  const turn = assembleTurn({ definition, model, fallbacks, format, tools, rings }, context);
  const lockfileHash = contentHash({
    definition: input.definitionHash,
    shared: lockOf(shared),
    culture,
    parameters: parameters === undefined ? undefined : Object.fromEntries(parameters),
    model: namesOf(model.bound),
    fallbacks: fallbacks.length === 0 ? undefined : fallbacks.map(namesOf),
    tools: tools.offered,
  });
  return {
    agent: { definition, turn: turn.agent, runTurn: turn.run, instructions, lockfileHash },
    findings,
  };
}

const namesOf = ({ provider, modelId: model }: BoundModel) => ({ provider, model });

/** A shared block as the lockfile names it. */
const lockOf = (shared: SharedBlock | undefined) =>
  typeof shared === "object"
    ? {
        name: shared.definition.name,
        version: shared.definition.version,
        contentHash: shared.contentHash,
      }
    : undefined;
