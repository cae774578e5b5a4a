/**
 * An HTTP body read as server-sent events: any split of bytes, any line ending, a byte order mark,
 * comments. Over `fetch` and not `EventSource`, which can neither send a token nor a POST.
 */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import { connectionError } from "./api-error.ts";
import type { Delay } from "./delay.ts";

/** Longest event read, in UTF-16 units. More is a broken peer, not an event. */
const MAX_EVENT_LENGTH = 16 * 1_024 * 1_024;

export type EventStreamOptions = {
  /** Silence after which the connection counts as lost. Keep-alive comments break the silence. */
  readonly idleTimeoutMs: number;
  readonly delay: Delay;
};

/** The events of `body`, in order. An event without its closing blank line is not one. Leaving early cancels the body. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  options: EventStreamOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  let isOversized = false;
  const parser = createParser({
    onEvent: (event) => arrived.push(event),
    onError: (error) => {
      // The other kinds are fields this version does not know, which the format says to ignore.
      if (error.type === "max-buffer-size-exceeded") isOversized = true;
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();

  try {
    for (;;) {
      const part = await readWithin(reader, options);
      if (part.done) return;
      parser.feed(decoder.decode(part.value, { stream: true }));
      if (isOversized)
        throw connectionError("response_invalid", "an event of the stream is too large");
      yield* arrived.splice(0);
    }
  } finally {
    // A body that already failed cannot be cancelled, which is as good.
    await reader.cancel().catch(() => undefined);
  }
}

type Part = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { idleTimeoutMs, delay }: EventStreamOptions,
): Promise<Part> {
  const waiting = new AbortController();
  const silence = delay(idleTimeoutMs, waiting.signal).then(
    () => "silent" as const,
    () => "read" as const,
  );
  try {
    const winner = await Promise.race([reader.read().catch(brokenOff), silence]);
    if (typeof winner === "string") {
      throw connectionError("connection_lost", `nothing arrived for ${idleTimeoutMs} ms`);
    }
    return winner;
  } finally {
    waiting.abort();
  }
}

function brokenOff(cause: unknown): never {
  throw connectionError("connection_lost", "the stream broke off", cause);
}
