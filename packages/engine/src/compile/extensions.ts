/**
 * The extensions section: runs what the definition names, in its order, over the compiled options,
 * and refuses a change of what the definition owns.
 *
 * The check covers the options object. It does not look inside a provider or middleware an extension
 * adds: extension code is trusted like a tool.
 */

import type { LanguageModelV4Middleware, SharedV4ProviderOptions } from "@ai-sdk/provider";
import {
  type AgentDefinitionContent,
  canonicalJson,
  type Finding,
  faultText,
  finding,
  type Log,
} from "@tracon/core";
import type { ContextProvider } from "../turn/context-provider.ts";
import type { TurnMiddleware } from "../turn/ring.ts";
import type { TurnCallOptions } from "../turn/step.ts";
import type {
  AgentExtension,
  AgentExtensions,
  AgentOptions,
  ExtensionContext,
} from "./agent-extension.ts";
import { freeOptionProblem, unknownOption } from "./free-options.ts";
import { turnMiddlewareOf } from "./turn-middleware.ts";

/** Rings the extensions of an agent add, outermost first. */
type ExtensionRings = {
  /** Around every model call; also around those of a fallback model. */
  readonly modelCall: readonly LanguageModelV4Middleware[];
  /** Around the turn. */
  readonly turn: readonly TurnMiddleware[];
};

/** What the extensions of an agent came to. */
export type CompiledExtensions = {
  /** For calls of the agent's own model; vendor options include those of the definition. */
  readonly options: TurnCallOptions;
  /** For calls of a model in its place, which takes no vendor options of the definition. */
  readonly fallbackOptions: TurnCallOptions;
  readonly contextProviders: readonly ContextProvider[];
  readonly rings: ExtensionRings;
};

/** What runs when a definition names no extension. */
export const noExtensions = (options: TurnCallOptions): CompiledExtensions => ({
  options,
  fallbackOptions: {},
  contextProviders: [],
  rings: { modelCall: [], turn: [] },
});

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

/** What extensions are run over, and where their faults go. */
export type ExtensionInput = {
  readonly instructions: string | undefined;
  readonly options: TurnCallOptions;
  readonly extensions: AgentExtensions;
  readonly log: Log;
};

/** Runs the extensions of a definition whose names resolve. Pushes what is wrong with what they did. */
export function compileExtensions(
  definition: AgentDefinitionContent,
  input: ExtensionInput,
  findings: Finding[],
): CompiledExtensions {
  const options = optionsOf(definition, input);
  const owned = ownedVendorOptions(options);
  const collected = new Collected();
  const known = findings.length;
  for (const [index, name] of definition.extensionNames.entries()) {
    const extension = input.extensions.get(name);
    if (extension === undefined) continue;
    const application = { name, extension, agentName: definition.name, options, owned, collected };
    const problem = applyOne(application, input.log);
    if (problem !== undefined) {
      const message = `extension '${name}' ${problem}`;
      findings.push(finding("extension_refused", `extensionNames[${index}]`, message));
    }
  }
  // What was refused may hold anything, and nothing is compiled of it.
  if (findings.length > known) return noExtensions(input.options);
  return compiledOf(options, owned, { collected, own: input.options });
}

/** Vendor options of the definition, as `provider` and `key`. */
type OwnedVendorOptions = readonly (readonly [provider: string, key: string])[];

class Collected {
  readonly providers: ContextProvider[] = [];
  readonly modelCall: LanguageModelV4Middleware[] = [];
  readonly turn: TurnMiddleware[] = [];
}

type Application = {
  readonly name: string;
  readonly extension: AgentExtension;
  readonly agentName: string;
  readonly options: AgentOptions;
  readonly owned: OwnedVendorOptions;
  readonly collected: Collected;
};

/** Runs one extension and says what it did wrong. */
function applyOne(application: Application, log: Log): string | undefined {
  const { name, extension, agentName, options, owned } = application;
  const problems: string[] = [];
  const turn = { isOpen: true, problems };
  try {
    const before = protectedState(options, owned);
    const returned: unknown = extension.apply(contextFor(application, turn));
    if (isThenable(returned)) {
      returned.then(undefined, () => undefined);
      return "is asynchronous; it must be done when it returns";
    }
    return (
      problems[0] ??
      unknownOption(options) ??
      changedMember(before, protectedState(options, owned)) ??
      freeOptionProblem(options)
    );
  } catch (error) {
    // The message is for whoever wrote it and may hold anything, so only the log has it.
    log.warn("an agent extension failed", { extension: name, agentName, error: faultText(error) });
    return `failed with ${error instanceof Error ? error.name : "a value that is no error"}`;
  } finally {
    turn.isOpen = false;
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value !== null &&
  typeof value === "object" &&
  "then" in value &&
  typeof value.then === "function";

function contextFor(
  { agentName, options, collected }: Application,
  turn: { readonly isOpen: boolean; readonly problems: string[] },
): ExtensionContext {
  const { providers, modelCall, turn: turnRings } = collected;
  const refuseLate = () => {
    // The compiled agent is shared by runs; it does not change under them.
    if (!turn.isOpen) throw new TypeError("the agent is compiled; an extension adds before that");
  };
  return {
    agentName,
    options,
    addContextProvider(provider) {
      refuseLate();
      const problem = providerProblem(provider, providers);
      if (problem === undefined) providers.push(provider);
      else turn.problems.push(problem);
    },
    useChatClient({ slot, middleware }) {
      refuseLate();
      if (middleware.transformParams === undefined && middleware.wrapStream === undefined) {
        turn.problems.push(
          "adds middleware without transformParams and wrapStream: every call streams",
        );
      } else if (slot === "ModelCall") modelCall.push(middleware);
      else if (slot === "Turn") turnRings.push(turnMiddlewareOf(middleware));
      else turn.problems.push(`names the slot '${String(slot)}'; use ModelCall or Turn`);
    },
  };
}

function providerProblem(
  { name, before, after }: ContextProvider,
  providers: readonly ContextProvider[],
): string | undefined {
  if (typeof name !== "string" || name === "") return "adds a context provider without a name";
  if (providers.some((it) => it.name === name)) return `adds a second context provider '${name}'`;
  return typeof before === "function" || typeof after === "function"
    ? undefined
    : `adds context provider '${name}', which has neither before nor after`;
}

function optionsOf(
  definition: AgentDefinitionContent,
  { instructions, options }: ExtensionInput,
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

const ownedVendorOptions = ({ providerOptions }: AgentOptions): OwnedVendorOptions =>
  Object.entries(providerOptions).flatMap(([provider, settings]) =>
    Object.keys(settings).map((key) => [provider, key] as const),
  );

/** Every protected member as text: those of the definition, and the vendor options it sets. */
function protectedState(
  options: AgentOptions,
  owned: OwnedVendorOptions,
): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const [member, value] of Object.entries(options.definition ?? {})) {
    state.set(member, canonicalJson(value));
  }
  for (const [provider, key] of owned) {
    const value = options.providerOptions?.[provider]?.[key];
    state.set(`providerOptions.${provider}.${key}`, canonicalJson(value));
  }
  return state;
}

/** Names the first member that is not what it was. */
function changedMember(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  for (const member of new Set([...before.keys(), ...after.keys()])) {
    if (after.get(member) === before.get(member)) continue;
    return `changes '${member}', which the definition owns`;
  }
  return undefined;
}

/** What is compiled is a copy: an extension that keeps its options changes nothing any more. */
function compiledOf(
  options: AgentOptions,
  owned: OwnedVendorOptions,
  { collected, own }: { readonly collected: Collected; readonly own: TurnCallOptions },
): CompiledExtensions {
  const { definition: _, providerOptions, ...free } = options;
  const added = withoutOwned(providerOptions ?? {}, owned);
  const { providers: contextProviders, modelCall, turn } = collected;
  const shared = structuredClone(free);
  return {
    options: { ...own, ...shared, ...vendorOptions(providerOptions ?? {}) },
    fallbackOptions: { ...shared, ...vendorOptions(added) },
    contextProviders,
    rings: { modelCall, turn },
  };
}

function withoutOwned(
  providerOptions: AgentOptions["providerOptions"],
  owned: OwnedVendorOptions,
): AgentOptions["providerOptions"] {
  const added = Object.entries(providerOptions).map(([provider, settings]) => {
    const kept = Object.entries(settings).filter(
      ([key]) => !owned.some(([of, member]) => of === provider && member === key),
    );
    return [provider, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(added.filter(([, settings]) => Object.keys(settings).length > 0));
}

function vendorOptions(
  providerOptions: AgentOptions["providerOptions"],
): Pick<TurnCallOptions, "providerOptions"> {
  if (Object.keys(providerOptions).length === 0) return {};
  return { providerOptions: structuredClone(providerOptions) as SharedV4ProviderOptions };
}
