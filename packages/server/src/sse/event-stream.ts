/**
 * An answer that goes out batch by batch.
 *
 * The reader sets the pace: a batch is asked for only when the one before it has left, so a slow
 * client holds two batches and no more. Each batch leaves in one write. Silence is broken by a
 * comment. Whatever ends the stream ends it once.
 */

import type { UnderlyingDefaultSource } from "node:stream/web";
import type { Clock } from "@tracon/core";
import type { Timer } from "../server-options.ts";
import { bytesOf, KEEP_ALIVE } from "./frame.ts";

export type EventStreamOptions<Item> = {
  readonly batches: AsyncIterable<readonly Item[]>;
  /** The bytes of a batch that holds something. Streams may share them: nobody writes to them. */
  readonly encode: (batch: readonly Item[]) => Uint8Array;
  /** The last frame of a stream whose source threw. */
  readonly onFailure: (error: unknown) => string;
  /** The reader went away before the end. */
  readonly onDisconnect?: () => void;
  /** Fires when the reader goes away; hosts differ in whether they also cancel the stream. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Longest silence. */
  readonly keepAliveMs: number;
};

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Looks at the clock this often within the longest silence, so that the comment is never late. */
const TICKS_PER_SILENCE = 3;

const keepAlive = bytesOf(KEEP_ALIVE);

/** The response of an event stream. */
export const eventStreamResponse = <Item>(options: EventStreamOptions<Item>): Response =>
  new Response(new ReadableStream(eventSource(options)), { headers: STREAM_HEADERS });

function eventSource<Item>(options: EventStreamOptions<Item>): UnderlyingDefaultSource<Uint8Array> {
  const { clock, signal } = options;
  const iterator = options.batches[Symbol.asyncIterator]();
  let open = true;
  let lastWriteMs = clock.monotonicMs();
  let stopTimer = (): void => undefined;
  let closeStream = (): void => undefined;

  const release = () => {
    open = false;
    stopTimer();
    signal.removeEventListener("abort", onAbort);
  };
  const disconnect = () => {
    if (!open) return;
    release();
    // The source may be waiting for its next event; its end is not ours to wait for, nor its fault.
    iterator.return?.()?.catch(() => undefined);
    options.onDisconnect?.();
  };
  const onAbort = () => {
    disconnect();
    closeStream();
  };

  return {
    start(controller) {
      closeStream = () => controller.close();
      const tickMs = options.keepAliveMs / TICKS_PER_SILENCE;
      stopTimer = options.timer.every(tickMs, () => {
        const silentMs = clock.monotonicMs() - lastWriteMs;
        // A reader that is behind needs no sign of life, and the queue must not grow.
        if (silentMs + tickMs < options.keepAliveMs || (controller.desiredSize ?? 0) <= 0) return;
        lastWriteMs = clock.monotonicMs();
        controller.enqueue(keepAlive);
      });
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
    },

    async pull(controller) {
      let bytes: Uint8Array | undefined;
      try {
        bytes = await nextBytes(iterator, options.encode);
      } catch (error) {
        // After a disconnect nobody is told how the source ended.
        if (open) controller.enqueue(bytesOf(options.onFailure(error)));
      }
      if (!open) return;
      if (bytes === undefined) {
        release();
        controller.close();
        return;
      }
      lastWriteMs = clock.monotonicMs();
      controller.enqueue(bytes);
    },

    cancel: disconnect,
  };
}

/** The next batch that holds anything, encoded; `undefined` at the end. */
async function nextBytes<Item>(
  iterator: AsyncIterator<readonly Item[]>,
  encode: (batch: readonly Item[]) => Uint8Array,
): Promise<Uint8Array | undefined> {
  while (true) {
    const next = await iterator.next();
    if (next.done === true) return undefined;
    if (next.value.length > 0) return encode(next.value);
  }
}
