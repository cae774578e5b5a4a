/** Puts a turn together: the agent with each of its models, and the rings around model calls and turn. */

import { type AgentDefinitionContent, type Finding, finding, parseDuration } from "@tracon/core";
import type { HarnessProvider } from "../harness/harness-provider.ts";
import type { BoundModel } from "../model/provider-registry.ts";
import type { ModelHost, SendModelRequest } from "../model/ring.ts";
import { wrapModelCall } from "../model/rings/index.ts";
import type { ToolHost } from "../tools/chain/tool-link.ts";
import type { RunTurn, TurnHost } from "../turn/ring.ts";
import { wrapTurn } from "../turn/rings/index.ts";
import { DEFAULT_TURN_LIMITS, type TurnAgent, type TurnCallOptions } from "../turn/step.ts";
import type { CompiledExtensions } from "./extensions.ts";
import type { CompiledModel } from "./model.ts";
import type { CompiledFormat } from "./response-format.ts";
import { type CompiledTools, withTools } from "./tools.ts";

export type RingHosts = {
  readonly modelHost: ModelHost;
  readonly turnHost: TurnHost;
  readonly toolHost: ToolHost;
  /** The way of a model call for agents that add nothing to it: one for all of them. */
  readonly plainSend: SendModelRequest;
  /** The way of a turn for agents that add nothing to it: one for all of them. */
  readonly plainTurn: RunTurn;
};

export type TurnParts = {
  readonly definition: AgentDefinitionContent;
  readonly model: CompiledModel;
  readonly fallbacks: readonly BoundModel[];
  readonly format: CompiledFormat;
  readonly tools: CompiledTools;
  readonly extensions: CompiledExtensions;
  /** What the harness adds to every turn. */
  readonly harnessProviders: readonly HarnessProvider[];
};

/** A turn ready to run: the agent with its first model, and the way through the rings. */
export type CompiledTurn = { readonly agent: TurnAgent; readonly run: RunTurn };

/** An enabled cache that is not there would be a setting nobody notices to be without effect. */
export function responseCacheFindings(
  { model }: Pick<AgentDefinitionContent, "model">,
  { modelHost }: RingHosts,
): readonly Finding[] {
  if (model.responseCache?.enabled !== true || modelHost.responseCache !== undefined) return [];
  const message = "no response cache is registered; register one or turn this off";
  return [finding("response_cache_missing", "model.responseCache", message)];
}

export function assembleTurn(parts: TurnParts, hosts: RingHosts): CompiledTurn {
  const { definition, model, fallbacks, format, extensions } = parts;
  const shared = {
    send: sendOf(parts, hosts),
    limits: limitsOf(definition),
    allowConcurrentToolCalls: definition.model.toolLoop.allowConcurrentToolCalls,
    toolPolicy: {
      host: hosts.toolHost,
      agentName: definition.name,
      asksAlways: definition.harness?.disableToolAutoApproval === true,
    },
    guards: hosts.modelHost.guards,
    tracing: hosts.modelHost.tracing,
  };
  const mayAddTools = extensions.contextProviders.length > 0;
  const agentOf = (
    bound: BoundModel,
    options: TurnCallOptions,
    tools: CompiledTools,
  ): TurnAgent => {
    const answerFormat = format.answerFormat(bound, tools.offered.length > 0);
    const { requested } = format;
    const withFormat =
      requested === undefined ? options : { ...options, responseFormat: requested };
    return {
      ...shared,
      bound,
      tools: tools.byName,
      callOptions: offering(answerFormat?.isDeferred === true ? options : withFormat, tools),
      finalOptions: withoutCalls(withFormat, tools, bound),
      format: answerFormat,
      // Kept by those that use it only: it holds on to everything the agent was compiled from.
      offering: mayAddTools
        ? (added) => agentOf(bound, options, withTools(tools, added))
        : undefined,
    };
  };
  const agent = agentOf(model.bound, extensions.options, parts.tools);
  const fallbackAgents = fallbacks.map((bound) =>
    agentOf(bound, extensions.fallbackOptions, parts.tools),
  );
  return { agent, run: turnOf(parts, agent, fallbackAgents, hosts) };
}

function sendOf(
  { definition, extensions }: TurnParts,
  { modelHost, plainSend }: RingHosts,
): SendModelRequest {
  const { responseCache } = definition.model;
  const { modelCall: middleware } = extensions.rings;
  const isCached = responseCache?.enabled === true;
  if (middleware.length === 0 && !isCached) return plainSend;
  const cacheLifetimeMs = isCached ? parseDuration(responseCache.lifetime) : undefined;
  return wrapModelCall({ host: modelHost, middleware, cacheLifetimeMs });
}

function turnOf(
  { definition, extensions, harnessProviders }: TurnParts,
  { format }: TurnAgent,
  fallbacks: readonly TurnAgent[],
  { turnHost, plainTurn }: RingHosts,
): RunTurn {
  const { contextProviders, rings } = extensions;
  const additions = [harnessProviders, contextProviders, rings.turn, fallbacks];
  if (format === undefined && additions.every(({ length }) => length === 0)) return plainTurn;
  return wrapTurn({
    host: turnHost,
    middleware: rings.turn,
    harnessProviders,
    contextProviders,
    agentName: definition.name,
    fallbacks,
    format,
  });
}

const offering = (options: TurnCallOptions, { offered }: CompiledTools) =>
  offered.length === 0 ? options : { ...options, tools: offered };

/** Options of a call that has to be an answer. */
function withoutCalls(
  options: TurnCallOptions,
  tools: CompiledTools,
  { needsToolDefinitions }: BoundModel,
): TurnCallOptions {
  if (!needsToolDefinitions || tools.offered.length === 0) return options;
  return { ...offering(options, tools), toolChoice: { type: "none" } };
}

const limitsOf = ({ harness }: AgentDefinitionContent): TurnAgent["limits"] =>
  harness?.maximumIterationsPerRequest === undefined
    ? DEFAULT_TURN_LIMITS
    : { ...DEFAULT_TURN_LIMITS, maximumIterations: harness.maximumIterationsPerRequest };
