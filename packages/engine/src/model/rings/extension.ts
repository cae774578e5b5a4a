/**
 * Middleware that extensions put around every model call of an agent, outermost first. It is the AI
 * SDK's `LanguageModelMiddleware`, applied here to the chain below instead of to a model.
 */

import type {
  LanguageModelV4,
  LanguageModelV4Middleware,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { TraconError } from "@tracon/core";
import { generateResultOf } from "../generate-result.ts";
import type { ModelRequest, ModelRing, SendModelRequest } from "../ring.ts";

export const extensionRing: ModelRing = {
  name: "extension",

  wrap: (next, { middleware }) => middleware.reduceRight(around, next),
};

function around(next: SendModelRequest, middleware: LanguageModelV4Middleware): SendModelRequest {
  const { transformParams, wrapStream } = middleware;
  if (transformParams === undefined && wrapStream === undefined) return next;
  return async (request) => {
    let faultBelow: { readonly error: unknown } | undefined;
    const below: SendModelRequest = async (it) => {
      try {
        return await next(it);
      } catch (error) {
        faultBelow = { error };
        throw error;
      }
    };
    try {
      return await passThrough(middleware, request, below);
    } catch (error) {
      request.signal.throwIfAborted();
      // A fault of the model stays one; anything else is the middleware's own.
      if (faultBelow?.error === error || TraconError.is(error)) throw error;
      const message = "a ring of an agent extension failed before the model answered";
      throw new TraconError("extension_failed", message, { cause: error });
    }
  };
}

async function passThrough(
  { transformParams, wrapStream }: LanguageModelV4Middleware,
  request: ModelRequest,
  below: SendModelRequest,
): Promise<LanguageModelV4StreamResult> {
  // A model of the older specification differs only in what middleware does not touch.
  const model = request.bound.model as LanguageModelV4;
  const params =
    transformParams === undefined
      ? request.options
      : await transformParams({ type: "stream", params: request.options, model });
  const changed = params === request.options ? request : { ...request, options: params };
  if (wrapStream === undefined) return below(changed);
  return wrapStream({
    doStream: () => below(changed),
    doGenerate: async () => generateResultOf((await below(changed)).stream),
    params,
    model,
  });
}
