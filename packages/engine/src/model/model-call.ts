/**
 * One model call, always streamed: there is one code path for every way of answering.
 *
 * The answer counts only when the provider ended it properly. A stream that breaks off, or that ends
 * without a finish, is a fault and nothing of it is acted upon.
 */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type Clock, TraconError } from "@tracon/core";
import { AnswerContent, type AnswerSink, type RequestedCall } from "./answer-content.ts";
import { providerFault } from "./provider-fault.ts";
import type { BoundModel } from "./provider-registry.ts";

export type ModelAnswer = {
  readonly content: AnswerContent;
  readonly text: string;
  /** Calls the provider did not answer itself, in the order of the answer. */
  readonly calls: readonly RequestedCall[];
  readonly finishReason: LanguageModelV4FinishReason["unified"];
  readonly usage: LanguageModelV4Usage | undefined;
  readonly durationMs: number;
  readonly firstPartMs: number | undefined;
};

export type ModelCallRequest = {
  readonly bound: BoundModel;
  readonly options: LanguageModelV4CallOptions;
  readonly signal: AbortSignal;
  readonly sink: AnswerSink;
  readonly clock: Clock;
};

/** Calls the model. Rejects with the signal's reason when aborted, else with a normalized fault. */
export async function callModel(request: ModelCallRequest): Promise<ModelAnswer> {
  const { bound, signal } = request;
  try {
    return await read(request);
  } catch (error) {
    signal.throwIfAborted();
    throw providerFault(bound.provider, error);
  }
}

async function read(request: ModelCallRequest): Promise<ModelAnswer> {
  const { bound, options, signal, sink, clock } = request;
  const startedMs = clock.monotonicMs();
  const progress = { content: new AnswerContent(), firstPartMs: undefined as number | undefined };
  let finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;

  // A V3 model differs only in parts this loop does not read.
  const { stream } = (await bound.model.doStream(options as never)) as LanguageModelV4StreamResult;
  const reader = stream.getReader();
  // Cancelling makes a pending read end, also when the provider ignores the signal.
  const stop = () => void reader.cancel(signal.reason).catch(ignore);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) break;
      if (part.type === "finish") finish = part;
      else if (part.type === "error") throw part.error;
      else if (progress.content.add(part, sink)) {
        progress.firstPartMs ??= clock.monotonicMs() - startedMs;
      }
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
    if (finish === undefined) stop();
  }
  return answer(bound.provider, progress, finish, clock.monotonicMs() - startedMs);
}

function answer(
  provider: string,
  progress: { readonly content: AnswerContent; readonly firstPartMs: number | undefined },
  finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined,
  durationMs: number,
): ModelAnswer {
  if (finish === undefined) {
    throw new TraconError(
      "provider_error",
      `model provider '${provider}' broke off the answer before it was finished`,
    );
  }
  const { content, firstPartMs } = progress;
  return {
    content,
    text: content.text(),
    calls: content.openCalls(),
    finishReason: finish.finishReason.unified,
    usage: finish.usage,
    durationMs,
    firstPartMs,
  };
}

const ignore = (): void => undefined;
