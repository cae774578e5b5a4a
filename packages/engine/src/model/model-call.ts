/**
 * One model call, always streamed: there is one code path for every way of answering.
 *
 * The answer counts only when the provider ended it properly. A stream that breaks off is a fault; one
 * that ends without saying why is `interrupted`, and nothing of it is acted upon. A provider that
 * ignores the run's signal cannot hold the run: nothing here waits for it once the signal fired.
 */

import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { untilAborted } from "../tools/until-aborted.ts";
import { AnswerContent, type AnswerSink, type RequestedCall } from "./answer-content.ts";
import { type CallMarks, marksOf } from "./call-marks.ts";
import { providerFault } from "./provider-fault.ts";
import type { ModelRequest, SendModelRequest } from "./ring.ts";
import { closeLate, readToEnd } from "./stream-end.ts";

export type ModelAnswer = {
  readonly content: AnswerContent;
  readonly text: string;
  /** Calls the provider did not answer itself, in the order of the answer. */
  readonly calls: readonly RequestedCall[];
  readonly finishReason: LanguageModelV4FinishReason["unified"];
  readonly usage: LanguageModelV4Usage | undefined;
  readonly durationMs: number;
  readonly firstPartMs: number | undefined;
  /** What the rings say of it. */
  readonly marks: CallMarks;
};

export type ModelCallRequest = ModelRequest & {
  /** The way to the provider, through all rings. */
  readonly send: SendModelRequest;
  readonly sink: AnswerSink;
};

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

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
  const { signal, sink, clock } = request;
  signal.throwIfAborted();
  const startedMs = clock.monotonicMs();
  const content = new AnswerContent();
  let firstPartMs: number | undefined;
  let finish: FinishPart | undefined;

  const reader = (await openStream(request)).getReader();
  // Cancelling makes a pending read end, also when the provider ignores the signal.
  const stop = () => void reader.cancel(signal.reason).catch(ignore);
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (finish === undefined) {
      signal.throwIfAborted();
      const { done, value: part } = await reader.read();
      if (done) break;
      if (part.type === "finish") finish = part;
      else if (part.type === "error") throw part.error;
      else if (content.add(part, sink)) firstPartMs ??= clock.monotonicMs() - startedMs;
    }
    // A read that was cancelled looks like the end of the stream.
    if (finish === undefined) signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
    if (finish === undefined) stop();
    else void readToEnd(reader);
  }
  return answerOf(content, finish, { durationMs: clock.monotonicMs() - startedMs, firstPartMs });
}

/** Resolves with the stream, or rejects when the signal fires first; a stream that then still comes is closed. */
async function openStream(
  request: ModelCallRequest,
): Promise<LanguageModelV4StreamResult["stream"]> {
  const { signal } = request;
  const opening = request.send(request);
  try {
    return (await untilAborted(signal, opening)).stream;
  } catch (error) {
    if (signal.aborted) void closeLate(opening);
    throw error;
  }
}

function answerOf(
  content: AnswerContent,
  finish: FinishPart | undefined,
  timing: Pick<ModelAnswer, "durationMs" | "firstPartMs">,
): ModelAnswer {
  return {
    content,
    text: content.text(),
    calls: content.openCalls(),
    finishReason: finish === undefined ? "interrupted" : reasonOf(finish.finishReason),
    usage: finish?.usage,
    marks: marksOf(finish),
    ...timing,
  };
}

/** Providers of the AI SDK report `other` without a reason of their own when the connection closed early. */
const reasonOf = ({ unified, raw }: LanguageModelV4FinishReason): ModelAnswer["finishReason"] =>
  unified === "other" && raw === undefined ? "interrupted" : unified;

const ignore = (): void => undefined;
