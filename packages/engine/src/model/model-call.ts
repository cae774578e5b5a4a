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
import { AnswerContent, type AnswerSink, type RequestedCall } from "./answer-content.ts";
import { type CallMarks, marksOf } from "./call-marks.ts";
import { outcomeOf } from "./call-outcome.ts";
import { providerFault } from "./provider-fault.ts";
import type { ModelCallOutcome, ModelRequest, SendModelRequest } from "./ring.ts";
import { readToEnd } from "./stream-end.ts";

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

type StreamReader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;
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

async function read(asked: ModelCallRequest): Promise<ModelAnswer> {
  const { signal, sink, clock } = asked;
  const ends: TellEnd[] = [];
  const request = { ...asked, onEnd: (end: TellEnd) => ends.push(end) };
  signal.throwIfAborted();
  const startedMs = clock.monotonicMs();
  const content = new AnswerContent();
  let firstPartMs: number | undefined;
  let finish: FinishPart | undefined;
  let reader: StreamReader | undefined;

  const abort = Promise.withResolvers<never>();
  const stop = () => {
    abort.reject(signal.reason);
    // Cancelling makes a pending read end, also when the provider ignores the signal.
    if (reader !== undefined) closeQuietly(reader);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    reader = (await opened(request, abort.promise)).getReader();
    // It may have fired just now, before there was a reader to cancel.
    signal.throwIfAborted();
    while (finish === undefined) {
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
    else if (reader !== undefined) void readToEnd(reader);
    tellEnds(ends, { finish, content, hasBegun: firstPartMs !== undefined || signal.aborted });
  }
  return answerOf(content, finish, { durationMs: clock.monotonicMs() - startedMs, firstPartMs });
}

type TellEnd = (outcome: ModelCallOutcome) => void;
type CallEnd = {
  readonly finish: FinishPart | undefined;
  readonly content: AnswerContent;
  /** The provider may have begun; of a call that was cancelled nobody knows. */
  readonly hasBegun: boolean;
};

function tellEnds(ends: readonly TellEnd[], { finish, content, hasBegun }: CallEnd): void {
  if (ends.length === 0) return;
  const isUnanswered = finish === undefined && !hasBegun;
  const outcome = outcomeOf(finish, { isUnanswered, outputLength: () => content.length() });
  for (const tell of ends) tell(outcome);
}

/** The model's stream, unless `aborted` rejects first; a stream that then still comes is closed. */
async function opened(
  request: ModelCallRequest,
  aborted: Promise<never>,
): Promise<LanguageModelV4StreamResult["stream"]> {
  // Whoever does not wait for it any more need not hear of it either.
  aborted.catch(ignore);
  const opening = Promise.resolve(request.send(request));
  try {
    return (await Promise.race([opening, aborted])).stream;
  } catch (error) {
    opening.then(({ stream }) => closeQuietly(stream), ignore);
    throw error;
  }
}

function closeQuietly(stream: Pick<StreamReader, "cancel">): void {
  stream.cancel("nobody reads it any more").catch(ignore);
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
