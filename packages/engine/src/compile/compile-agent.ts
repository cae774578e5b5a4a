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
import type { ProviderRegistry } from "../model/provider-registry.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { DEFAULT_TURN_LIMITS, type TurnAgent } from "../turn/step.ts";
import { compileModel } from "./model.ts";
import { compileTools } from "./tools.ts";
import { unavailableMembers } from "./unavailable.ts";

/** What a definition is compiled against. */
export type CompileContext = {
  readonly providers: ProviderRegistry;
  readonly tools: ToolRegistry;
};

/** An agent ready to run, shared by all its runs. */
export type CompiledAgent = {
  readonly definition: AgentDefinition;
  readonly turn: TurnAgent;
  /** System text; absent when the definition has none. */
  readonly instructions: string | undefined;
  /** Hash of everything that shapes a run of it: definition, tool schemas, model. */
  readonly lockfileHash: string;
};

export type Compilation = {
  readonly agent: CompiledAgent | undefined;
  readonly findings: readonly Finding[];
};

/** Compiles a definition that came through its schema. */
export function compileAgent(
  definition: AgentDefinition,
  definitionHash: string,
  context: CompileContext,
): Compilation {
  const findings = unavailableMembers(definition);
  const model = compileModel(definition.model, context.providers, findings);
  const tools = compileTools(definition.toolNames, context.tools, findings);
  if (model === undefined || findings.some(({ severity }) => severity === "Error")) {
    return { agent: undefined, findings };
  }
  const turn: TurnAgent = {
    bound: model.bound,
    callOptions: {
      ...model.options,
      ...(tools.offered.length === 0 ? {} : { tools: tools.offered }),
    },
    tools: tools.byName,
    limits: limitsOf(definition),
    allowConcurrentToolCalls: definition.model.toolLoop.allowConcurrentToolCalls,
  };
  const lockfileHash = contentHash({
    definition: definitionHash,
    model: { provider: model.bound.provider, model: model.bound.modelId },
    tools: tools.offered,
  });
  return {
    agent: { definition, turn, instructions: instructionsOf(definition), lockfileHash },
    findings,
  };
}

const limitsOf = ({ harness }: AgentDefinitionContent): TurnAgent["limits"] =>
  harness?.maximumIterationsPerRequest === undefined
    ? DEFAULT_TURN_LIMITS
    : { ...DEFAULT_TURN_LIMITS, maximumIterations: harness.maximumIterationsPerRequest };

const instructionsOf = ({ instructions }: AgentDefinitionContent): string | undefined =>
  instructions === undefined || instructions === "" ? undefined : instructions;
