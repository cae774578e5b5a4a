/**
 * AI SDK middleware around a whole turn: the turn is shown to it as one model call, so that
 * middleware written for models works above the tool loop as it is.
 */

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateResultOf } from "../model/generate-result.ts";
import type { TurnCall, TurnMiddleware } from "../turn/ring.ts";

const TEXT_ID = "turn";

/** The middleware in the form a turn's ring has. */
export function turnMiddlewareOf(middleware: LanguageModelV4Middleware): TurnMiddleware {
  return async (call, next) => {
    const model = modelOf(call, next);
    const asked: LanguageModelV4CallOptions = { prompt: call.prompt, abortSignal: call.signal };
    const params =
      (await middleware.transformParams?.({ type: "stream", params: asked, model })) ?? asked;
    const doStream = () => model.doStream(params);
    const doGenerate = () => model.doGenerate(params);
    const { stream } = await (middleware.wrapStream?.({ doStream, doGenerate, params, model }) ??
      doStream());
    return textOf(stream);
  };
}

function modelOf(
  call: TurnCall,
  next: (prompt: LanguageModelV4Prompt) => Promise<string>,
): LanguageModelV4 {
  const doStream = async ({ prompt }: LanguageModelV4CallOptions) => streamOf(await next(prompt));
  return {
    specificationVersion: "v4",
    provider: call.provider,
    modelId: call.model,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => generateResultOf((await doStream(options)).stream),
  };
}

function streamOf(text: string): LanguageModelV4StreamResult {
  const parts: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: TEXT_ID },
    { type: "text-delta", id: TEXT_ID, delta: text },
    { type: "text-end", id: TEXT_ID },
    {
      type: "finish",
      finishReason: { unified: "stop", raw: undefined },
      // The usage of a turn is on the events of its model calls.
      usage: {
        inputTokens: {
          total: undefined,
          noCache: undefined,
          cacheRead: undefined,
          cacheWrite: undefined,
        },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    },
  ];
  return { stream: ReadableStream.from<LanguageModelV4StreamPart>(parts) };
}

async function textOf(stream: LanguageModelV4StreamResult["stream"]): Promise<string> {
  let text = "";
  for await (const part of stream) {
    if (part.type === "text-delta") text += part.delta;
    else if (part.type === "error") throw part.error;
  }
  return text;
}
