import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { untilAborted } from "../tools/until-aborted.ts";
import type { ModelRequest, SendModelRequest } from "./ring.ts";
import { closeLate } from "./stream-end.ts";

type Parts = LanguageModelV4StreamResult["stream"];

export type StreamObserver = {
  /** Sees every part before the reader does. Must not throw. */
  part?(part: LanguageModelV4StreamPart): void;
  /**
   * Called once: at the finish part, at the end, when the reader cancels, or with the error of a call
   * or stream that broke. Must not throw.
   */
  end(error?: unknown): void;
};

/**
 * Opens the answer below and has it watched. `end` is called also when the call fails, or when the run
 * is over before a provider that ignores its signal has answered.
 */
export async function openObserved(
  next: SendModelRequest,
  request: ModelRequest,
  observer: StreamObserver,
): Promise<LanguageModelV4StreamResult> {
  let opening: ReturnType<SendModelRequest> | undefined;
  try {
    opening = next(request);
    const result = await untilAborted(request.signal, opening);
    return { ...result, stream: observeStream(result.stream, observer) };
  } catch (error) {
    observer.end(error);
    if (opening !== undefined && request.signal.aborted) void closeLate(opening);
    throw error;
  }
}

/** The stream unchanged, with somebody looking on. Nothing is read before the reader asks. */
export function observeStream(stream: Parts, observer: StreamObserver): Parts {
  const reader = stream.getReader();
  let hasEnded = false;
  const end = (error?: unknown): void => {
    if (hasEnded) return;
    hasEnded = true;
    observer.end(error);
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            controller.close();
            return;
          }
          observer.part?.(value);
          // The answer is complete here; readers need not go on to the very end.
          if (value.type === "finish") end();
          else if (value.type === "error") end(value.error);
          controller.enqueue(value);
        } catch (error) {
          end(error);
          throw error;
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A stream of parts that are all there. */
export const streamOf = (parts: readonly LanguageModelV4StreamPart[]): Parts =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
