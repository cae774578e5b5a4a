/**
 * The extensions section: runs what the definition names, in its order, over the compiled options,
 * and refuses a change of what the definition owns.
 *
 * The check covers the options object. It does not look inside a provider or middleware an extension
 * adds: extension code is trusted like a tool.
 */

import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { type AgentDefinitionContent, canonicalJson, type Finding, finding } from "@tracon/core";
import type { ContextProvider } from "../turn/context-provider.ts";
import type { TurnCallOptions } from "../turn/step.ts";
import type {
  AgentExtension,
  AgentExtensions,
  AgentOptions,
  ExtensionContext,
} from "./agent-extension.ts";
import type { ExtensionRings } from "./turn.ts";
import { turnMiddlewareOf } from "./turn-middleware.ts";

/** What the extensions of an agent came to. */
export type CompiledExtensions = {
  readonly options: Pick<
    TurnCallOptions,
    | "topK"
    | "presencePenalty"
    | "frequencyPenalty"
    | "seed"
    | "stopSequences"
    | "headers"
    | "providerOptions"
  >;
  readonly contextProviders: readonly ContextProvider[];
  readonly rings: ExtensionRings;
};

const FREE_MEMBERS: ReadonlySet<string> = new Set([
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "stopSequences",
  "headers",
  "providerOptions",
]);

/** Unknown and repeated names, which need no extension to run. */
export function extensionNameFindings(
  { extensionNames }: AgentDefinitionContent,
  extensions: AgentExtensions,
): Finding[] {
  return extensionNames.flatMap((name, index) => {
    const path = `extensionNames[${index}]`;
    if (!extensions.has(name)) {
      return [finding("unknown_extension", path, `no extension named '${name}' is registered`)];
    }
    return extensionNames.indexOf(name) === index
      ? []
      : [finding("duplicate_name", path, `extension '${name}' is listed more than once`)];
  });
}

/** Runs the extensions of a definition whose names resolve. Pushes what is wrong with what they did. */
export function compileExtensions(
  definition: AgentDefinitionContent,
  compiled: { readonly instructions: string | undefined; readonly options: TurnCallOptions },
  extensions: AgentExtensions,
  findings: Finding[],
): CompiledExtensions {
  const options = optionsOf(definition, compiled);
  const collected = new Collected();
  for (const [index, name] of definition.extensionNames.entries()) {
    const extension = extensions.get(name);
    if (extension === undefined) continue;
    const problem = applyOne({ name, extension, agentName: definition.name, options, collected });
    if (problem !== undefined) {
      findings.push(finding("extension_refused", `extensionNames[${index}]`, problem));
    }
  }
  const { definition: _, ...free } = options;
  return {
    options: { ...free, providerOptions: free.providerOptions as SharedV4ProviderOptions },
    contextProviders: collected.providers,
    rings: collected.rings,
  };
}

class Collected {
  readonly providers: ContextProvider[] = [];
  readonly rings = {
    modelCall: [] as ExtensionRings["modelCall"][number][],
    turn: [] as ExtensionRings["turn"][number][],
  };
  problem: string | undefined;
}

type Application = {
  readonly name: string;
  readonly extension: AgentExtension;
  readonly agentName: string;
  readonly options: AgentOptions;
  readonly collected: Collected;
};

/** Runs one extension; what it did wrong is the message of its finding. */
function applyOne({
  name,
  extension,
  agentName,
  options,
  collected,
}: Application): string | undefined {
  const before = protectedState(options);
  collected.problem = undefined;
  try {
    const returned: unknown = extension.apply(contextFor(agentName, options, collected));
    if (returned instanceof Promise) {
      returned.catch(() => undefined);
      return `extension '${name}' is asynchronous; it must be done when it returns`;
    }
  } catch (error) {
    // Its message is for the log of whoever wrote it; it may hold anything.
    return `extension '${name}' failed with ${error instanceof Error ? error.name : "an error"}`;
  }
  if (collected.problem !== undefined) return `extension '${name}' ${collected.problem}`;
  const unknown = Object.keys(options).find(
    (member) => member !== "definition" && !FREE_MEMBERS.has(member),
  );
  if (unknown !== undefined) return `extension '${name}' sets '${unknown}', which is no option`;
  const changed = changedMember(before, protectedState(options));
  return changed && `extension '${name}' changes '${changed}', which the definition owns`;
}

function contextFor(
  agentName: string,
  options: AgentOptions,
  collected: Collected,
): ExtensionContext {
  const { providers, rings } = collected;
  return {
    agentName,
    options,
    addContextProvider(provider) {
      if (providers.some(({ name }) => name === provider.name)) {
        collected.problem = `adds a second context provider '${provider.name}'`;
      } else providers.push(provider);
    },
    useChatClient({ slot, middleware }) {
      if (slot === "ModelCall") rings.modelCall.push(middleware);
      else if (slot === "Turn") rings.turn.push(turnMiddlewareOf(middleware));
      else collected.problem = `names the slot '${String(slot)}'; use ModelCall or Turn`;
      if (middleware.transformParams === undefined && middleware.wrapStream === undefined) {
        collected.problem =
          "adds middleware without transformParams and wrapStream: every call streams";
      }
    },
  };
}

function optionsOf(
  definition: AgentDefinitionContent,
  {
    instructions,
    options,
  }: { readonly instructions: string | undefined; readonly options: TurnCallOptions },
): AgentOptions {
  const { model } = definition;
  return {
    definition: {
      instructions,
      temperature: model.temperature,
      topP: model.topP,
      maxOutputTokens: model.maxOutputTokens,
      reasoningEffort: model.reasoningEffort,
      responseFormat: structuredClone(model.responseFormat),
      toolNames: [...definition.toolNames],
      toolLoop: structuredClone(model.toolLoop),
      harness: structuredClone(definition.harness),
      compaction: structuredClone(definition.compaction),
      memory: structuredClone(definition.memory),
      workspace: structuredClone(definition.workspace),
      skills: structuredClone({ names: definition.skillNames, settings: definition.skills }),
      callableAgents: structuredClone(definition.callableAgents),
      subAgents: structuredClone(definition.subAgents),
    },
    providerOptions: structuredClone(options.providerOptions ?? {}) as Record<
      string,
      Record<string, unknown>
    >,
  };
}

/** Every protected member as text: those of the definition, and vendor options it set. */
function protectedState(options: AgentOptions): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const [member, value] of Object.entries(options.definition ?? {})) {
    state.set(member, canonicalJson(value));
  }
  for (const [provider, settings] of Object.entries(options.providerOptions ?? {})) {
    for (const [key, value] of Object.entries(settings)) {
      state.set(`providerOptions.${provider}.${key}`, canonicalJson(value));
    }
  }
  return state;
}

/** The first member that is not what it was. New vendor options are additions. */
function changedMember(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  for (const [member, value] of before) if (after.get(member) !== value) return member;
  return undefined;
}
