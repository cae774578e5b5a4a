/** How the stream of an answer is left, so that no connection stays open behind a run. */

import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";

/** How long a provider may take to close the stream of an answer that is finished. */
const CLOSING_MS = 1_000;

/** Nobody waits for the close, but a connection whose body was read to its end can be used again. */
export async function readToEnd(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
): Promise<void> {
  const timer = setTimeout(
    () => void reader.cancel("the answer is finished").catch(ignore),
    CLOSING_MS,
  );
  timer.unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer was complete before the connection broke.
  } finally {
    clearTimeout(timer);
  }
}

/** Closes a stream that comes after its run has ended. */
export async function closeLate(opening: PromiseLike<LanguageModelV4StreamResult>): Promise<void> {
  try {
    await (await opening).stream.cancel("the run has ended");
  } catch {
    // The run has ended: whether the provider refused or gave in late concerns nobody any more.
  }
}

const ignore = (): void => undefined;
