/** Puts a turn together: the agent with each of its models, and the rings around model calls and turn. */

import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { type AgentDefinitionContent, type Finding, finding, parseDuration } from "@tracon/core";
import type { BoundModel } from "../model/provider-registry.ts";
import type { ModelHost } from "../model/ring.ts";
import { wrapModelCall } from "../model/rings/index.ts";
import type { RunTurn, TurnHost, TurnMiddleware } from "../turn/ring.ts";
import { wrapTurn } from "../turn/rings/index.ts";
import { DEFAULT_TURN_LIMITS, type TurnAgent, type TurnCallOptions } from "../turn/step.ts";
import type { CompiledModel } from "./model.ts";
import type { CompiledFormat } from "./response-format.ts";
import type { CompiledTools } from "./tools.ts";

/** Rings the extensions of an agent add, outermost first. */
export type ExtensionRings = {
  /** Around every model call; also around those of a fallback model. */
  readonly modelCall: readonly LanguageModelV4Middleware[];
  /** Around the turn. */
  readonly turn: readonly TurnMiddleware[];
};

export const NO_EXTENSION_RINGS: ExtensionRings = { modelCall: [], turn: [] };

export type RingHosts = { readonly modelHost: ModelHost; readonly turnHost: TurnHost };

export type TurnParts = {
  readonly definition: AgentDefinitionContent;
  readonly model: CompiledModel;
  readonly fallbacks: readonly BoundModel[];
  readonly format: CompiledFormat;
  readonly tools: CompiledTools;
  readonly rings: ExtensionRings;
};

/** A turn ready to run: the agent with its first model, and the way through the rings. */
export type CompiledTurn = { readonly agent: TurnAgent; readonly run: RunTurn };

/** An enabled cache that is not there would be a setting nobody notices to be without effect. */
export function responseCacheFindings(
  { model }: AgentDefinitionContent,
  { modelHost }: RingHosts,
): readonly Finding[] {
  if (model.responseCache?.enabled !== true || modelHost.responseCache !== undefined) return [];
  const message = "no response cache is registered; register one or turn this off";
  return [finding("response_cache_missing", "model.responseCache", message)];
}

export function assembleTurn(parts: TurnParts, { modelHost, turnHost }: RingHosts): CompiledTurn {
  const { definition, model, fallbacks, format, tools, rings } = parts;
  const { responseCache } = definition.model;
  const send = wrapModelCall({
    host: modelHost,
    middleware: rings.modelCall,
    cacheLifetimeMs:
      responseCache?.enabled === true ? parseDuration(responseCache.lifetime) : undefined,
  });
  const shared = {
    send,
    tools: tools.byName,
    limits: limitsOf(definition),
    allowConcurrentToolCalls: definition.model.toolLoop.allowConcurrentToolCalls,
    guards: modelHost.guards,
  };
  const agentOf = (bound: BoundModel, options: CompiledModel["options"]): TurnAgent => {
    const answerFormat = format.answerFormat(bound, tools.offered.length > 0);
    const { requested } = format;
    const withFormat =
      requested === undefined ? options : { ...options, responseFormat: requested };
    return {
      ...shared,
      bound,
      callOptions: withTools(answerFormat?.isDeferred === true ? options : withFormat, tools),
      finalOptions: withoutCalls(withFormat, tools, bound),
      format: answerFormat,
    };
  };
  const agent = agentOf(model.bound, model.options);
  const run = wrapTurn({
    host: turnHost,
    middleware: rings.turn,
    fallbacks: fallbacks.map((bound) => agentOf(bound, {})),
    format: agent.format,
  });
  return { agent, run };
}

const withTools = (options: CompiledModel["options"], { offered }: CompiledTools) =>
  offered.length === 0 ? options : { ...options, tools: offered };

/** Options of a call that has to be an answer. */
function withoutCalls(
  options: CompiledModel["options"],
  tools: CompiledTools,
  { needsToolDefinitions }: BoundModel,
): TurnCallOptions {
  if (!needsToolDefinitions || tools.offered.length === 0) return options;
  return { ...withTools(options, tools), toolChoice: { type: "none" } };
}

const limitsOf = ({ harness }: AgentDefinitionContent): TurnAgent["limits"] =>
  harness?.maximumIterationsPerRequest === undefined
    ? DEFAULT_TURN_LIMITS
    : { ...DEFAULT_TURN_LIMITS, maximumIterations: harness.maximumIterationsPerRequest };
