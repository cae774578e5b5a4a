/**
 * Models for agents that code builds. Their calls take the way of any agent's model calls; the rings
 * that lie around a turn elsewhere, fallback and circuit breaker, lie around the call here.
 */

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import {
  type Finding,
  findingsOf,
  modelBindingSchema,
  parseDuration,
  TraconError,
} from "@tracon/core";
import type { OwnModelRequest } from "../catalog/sdk-agent.ts";
import { generateResultOf } from "../model/generate-result.ts";
import { isTransientFault, providerFault } from "../model/provider-fault.ts";
import type { BoundModel } from "../model/provider-registry.ts";
import type { ModelRequest, SendModelRequest } from "../model/ring.ts";
import { wrapModelCall } from "../model/rings/index.ts";
import type { TurnHost } from "../turn/ring.ts";
import type { CompileContext } from "./compile-agent.ts";
import { type CompiledModel, compileFallbacks, compileModel } from "./model.ts";
import { responseCacheFindings } from "./turn.ts";

/** The run a model works for; there is none before the run has started. */
export type OwnModelRun = Omit<ModelRequest, "bound" | "options">;

/** Builds a model. Throws `compilation_failed` with everything that is wrong with the request. */
export function createOwnModel(
  request: OwnModelRequest,
  context: CompileContext,
  currentRun: () => OwnModelRun | undefined,
): LanguageModelV4 {
  const { model, fallbacks, cacheLifetimeMs } = compileRequest(request, context);
  const send = wrapModelCall({ host: context.modelHost, middleware: [], cacheLifetimeMs });
  const models = [model, ...fallbacks];
  const doStream = async (options: LanguageModelV4CallOptions) => {
    const run = currentRun();
    if (run === undefined) {
      throw new TypeError("the model belongs to a run: it cannot be called before or after it");
    }
    return askInOrder(models, { options, run, send, turnHost: context.turnHost });
  };
  return {
    specificationVersion: "v4",
    provider: model.bound.provider,
    modelId: model.bound.modelId,
    supportedUrls: model.bound.model.supportedUrls,
    doStream,
    doGenerate: async (options) => generateResultOf((await doStream(options)).stream),
  };
}

type RequestedModels = {
  readonly model: CompiledModel;
  readonly fallbacks: readonly CompiledModel[];
  readonly cacheLifetimeMs: number | undefined;
};

function compileRequest(request: OwnModelRequest, context: CompileContext): RequestedModels {
  const read = modelBindingSchema.safeParse(request, { reportInput: true });
  if (!read.success) throw refused(findingsOf(read.error, ["model"]));
  const findings: Finding[] = [];
  const model = compileModel(read.data, context.providers, findings);
  const fallbacks = compileFallbacks(read.data, context.providers, findings);
  findings.push(...responseCacheFindings({ model: read.data }, context));
  if (model === undefined || findings.length > 0) throw refused(findings);
  const { responseCache } = read.data;
  return {
    model,
    fallbacks: fallbacks.map((bound) => ({ bound, options: {} })),
    cacheLifetimeMs:
      responseCache?.enabled === true ? parseDuration(responseCache.lifetime) : undefined,
  };
}

const refused = (findings: readonly Finding[]) =>
  new TraconError("compilation_failed", "a model that code asks for cannot be built", { findings });

type OwnCall = {
  readonly options: LanguageModelV4CallOptions;
  readonly run: OwnModelRun;
  readonly send: SendModelRequest;
  readonly turnHost: TurnHost;
};

async function askInOrder(
  models: readonly CompiledModel[],
  call: OwnCall,
): Promise<LanguageModelV4StreamResult> {
  const { journal, signal } = call.run;
  for (const [index, model] of models.entries()) {
    try {
      return await ask(model, call);
    } catch (error) {
      signal.throwIfAborted();
      const fault = providerFault(model.bound.provider, error);
      const fallback = models[index + 1];
      if (fallback === undefined || !isTransientFault(fault)) throw fault;
      const payload = { primary: nameOf(model.bound), fallback: nameOf(fallback.bound) };
      journal.emit({ type: "ModelFallbackUsed", payload });
    }
  }
  throw new TypeError("there is no model to ask");
}

const nameOf = ({ provider, modelId: model }: BoundModel) => ({ provider, model });

async function ask(
  { bound, options: own }: CompiledModel,
  { options, run, send, turnHost: { breakers } }: OwnCall,
): Promise<LanguageModelV4StreamResult> {
  const leave = breakers?.enter(bound.provider);
  try {
    const merged = { ...own, ...definedOf(options), ...vendorOptions(own, options) };
    const answer = await send({
      ...run,
      bound,
      options: { ...merged, prompt: [...options.prompt] },
    });
    leave?.("answered");
    return answer;
  } catch (error) {
    const fault = providerFault(bound.provider, error);
    leave?.(!run.signal.aborted && isTransientFault(fault) ? "failed" : "neutral");
    throw fault;
  }
}

/** The SDK sends members it has no value for as `undefined`. */
const definedOf = (options: LanguageModelV4CallOptions) =>
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as LanguageModelV4CallOptions;

/** Options of both sides for the same vendor; of one of them twice, the call's own counts. */
function vendorOptions(
  { providerOptions: own = {} }: CompiledModel["options"],
  { providerOptions: asked = {} }: LanguageModelV4CallOptions,
): Pick<LanguageModelV4CallOptions, "providerOptions"> {
  const vendors = new Set([...Object.keys(own), ...Object.keys(asked)]);
  if (vendors.size === 0) return {};
  return {
    providerOptions: Object.fromEntries(
      [...vendors].map((vendor) => [vendor, { ...own[vendor], ...asked[vendor] }]),
    ),
  };
}
