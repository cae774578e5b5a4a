/**
 * Definition to agent. Every name resolves or is a finding; all findings come at once; a member whose
 * feature is not built is refused. No model is called and nothing is stored.
 */

import { type AgentDefinition, contentHash, type Finding, type Log } from "@tracon/core";
import type { Callee } from "../delegation/callee.ts";
import { delegationPartsOf } from "../delegation/delegation-parts.ts";
import type { HarnessParts } from "../harness/harness-parts.ts";
import type { HarnessProvider } from "../harness/harness-provider.ts";
import type { CompiledLoop } from "../loop/compiled-loop.ts";
import type { BoundModel, ProviderRegistry } from "../model/provider-registry.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { RunTurn } from "../turn/ring.ts";
import type { TurnAgent } from "../turn/step.ts";
import type { AgentExtensions } from "./agent-extension.ts";
import { compileCallables } from "./callables.ts";
import { type Dependencies, lockOf } from "./dependencies.ts";
import {
  type CompiledExtensions,
  compileExtensions,
  extensionNameFindings,
  noExtensions,
} from "./extensions.ts";
import { compileHarness } from "./harness.ts";
import { compileInstructions } from "./instructions.ts";
import { compileLoop, type LoopHost } from "./loop.ts";
import { type CompiledModel, compileFallbacks, compileModel } from "./model.ts";
import type { BoundParameters } from "./parameters.ts";
import { compileResponseFormat } from "./response-format.ts";
import { compileTools } from "./tools.ts";
import { assembleTurn, type RingHosts, responseCacheFindings } from "./turn.ts";
import { unavailableMembers } from "./unavailable.ts";

/** What a definition is compiled against. */
export type CompileContext = RingHosts & {
  readonly providers: ProviderRegistry;
  readonly tools: ToolRegistry;
  readonly extensions: AgentExtensions;
  readonly loop: LoopHost;
  readonly log: Log;
};

/** What is compiled besides the definition's own content. */
export type CompileInput = {
  /** Hash of the definition's content. */
  readonly definitionHash: string;
  readonly dependencies: Dependencies;
  /** Given where a definition is saved or checked: a reviewer that is gone fails no compilation of a run. */
  readonly reviewers?: Dependencies["reviewers"] | undefined;
  /** Resolved key of `instructionsByCulture`; `undefined` for the default text. */
  readonly culture?: string | undefined;
  /** Values of one run; `undefined` compiles what runs without values share. */
  readonly parameters?: BoundParameters | undefined;
};

/** An agent ready to run, shared by all its runs. */
export type CompiledAgent = {
  readonly definition: AgentDefinition;
  readonly turn: TurnAgent;
  /** Runs a turn of it, through all rings. */
  readonly runTurn: RunTurn;
  /** Agents it may call, one for each entry of the definition. */
  readonly callees: readonly Callee[];
  /** Invokes it again until its work is done; absent when the definition asks for no loop. */
  readonly loop?: CompiledLoop | undefined;
  /** System text; absent when the definition has none. */
  readonly instructions: string | undefined;
  /** What the harness adds to it in every turn, and to the messages. */
  readonly harnessProviders: readonly HarnessProvider[];
  /** Hash of the definition's content. */
  readonly definitionHash: string;
  /**
   * Hash of everything that shapes a run of it: definition, shared block, tools, model, culture, values,
   * and the agents it may start in the versions that are current or pinned.
   */
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
  const { dependencies } = input;
  const { shared, callees: found } = dependencies;
  const { culture, parameters } = input;
  const harness = compileHarness(definition, findings);
  const texts = { harness: harness.instructions, shared, culture, parameters };
  const instructions = compileInstructions(definition, texts, findings);
  const model = compileModel(definition.model, context.providers, findings);
  const fallbacks = compileFallbacks(definition.model, context.providers, findings);
  const format = compileResponseFormat(definition.model, context.providers, findings);
  const ofCallees: Finding[] = [];
  const callees = compileCallables(definition, found, ofCallees);
  const delegation = delegationPartsOf(definition, callees);
  const engineTools = [...harness.tools, ...delegation.tools];
  const tools = compileTools(definition.toolNames, context.tools, engineTools, findings);
  findings.push(...ofCallees);
  findings.push(...responseCacheFindings(definition, context));
  const loop = compileLoop(
    definition,
    { host: context.loop, reviewers: input.reviewers },
    findings,
  );
  const extensions = extend(definition, { instructions, model }, context, findings);
  if (extensions === undefined || model === undefined || hasErrors(findings)) {
    return { agent: undefined, findings };
  }
  const harnessProviders = [...harness.providers, ...delegation.providers];
  const parts = { definition, model, fallbacks, format, tools, extensions, harnessProviders };
  const turn = assembleTurn(parts, context);
  const lockfileHash = contentHash({
    definition: input.definitionHash,
    ...lockOf(dependencies),
    culture,
    parameters: parameters === undefined ? undefined : Object.fromEntries(parameters),
    model: namesOf(model.bound),
    fallbacks: fallbacks.length === 0 ? undefined : fallbacks.map(namesOf),
    tools: tools.offered,
    harness: lockOfHarness(harness),
    extensions: definition.extensionNames.length === 0 ? undefined : definition.extensionNames,
  });
  return {
    agent: {
      definition,
      turn: turn.agent,
      runTurn: turn.run,
      loop,
      callees,
      instructions,
      harnessProviders,
      definitionHash: input.definitionHash,
      lockfileHash,
    },
    findings,
  };
}

/** Runs the extensions once everything the definition decides is there; `undefined` when they cannot. */
function extend(
  definition: AgentDefinition,
  compiled: {
    readonly instructions: string | undefined;
    readonly model: CompiledModel | undefined;
  },
  context: CompileContext,
  findings: Finding[],
): CompiledExtensions | undefined {
  const { instructions, model } = compiled;
  if (definition.extensionNames.length === 0) return model && noExtensions(model.options);
  const { extensions, log } = context;
  const named = extensionNameFindings(definition, extensions);
  findings.push(...named);
  if (model === undefined || named.length > 0) return undefined;
  const input = { instructions, options: model.options, extensions, log };
  return compileExtensions(definition, input, findings);
}

const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "Error");

const namesOf = ({ provider, modelId: model }: BoundModel) => ({ provider, model });

/** Texts and parts of the harness that no definition names. */
const lockOfHarness = ({ instructions, providers }: HarnessParts) =>
  instructions === undefined && providers.length === 0
    ? undefined
    : { instructions, parts: providers.map(({ name }) => name) };
