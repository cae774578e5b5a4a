/**
 * Frames of the two event streams. JSON text holds no line breaks, so one `data:` line is always
 * enough.
 */

import { type Problem, type RunFrame, type RunUpdate, runEventFrames } from "@tracon/core";
import type { RecordedEvent } from "@tracon/engine";

export const KEEP_ALIVE = ": keep-alive\n\n";

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

type EncodedBatch = {
  readonly last: RecordedEvent | undefined;
  readonly count: number;
  readonly bytes: Uint8Array;
};

/** By the first event of a batch. */
const encoded = new WeakMap<RecordedEvent, EncodedBatch>();

/**
 * Recorded events as bytes. All followers of a live run get the very same event objects, mostly in
 * the same batches, so a batch is encoded once for all of them.
 */
export function recordedEventBytes(events: readonly RecordedEvent[]): Uint8Array {
  const [first] = events;
  if (first === undefined) return new Uint8Array();
  const last = events.at(-1);
  const count = events.length;
  const known = encoded.get(first);
  if (known !== undefined && known.last === last && known.count === count) return known.bytes;
  const bytes = bytesOf(recordedEventFrames(events));
  encoded.set(first, { last, count, bytes });
  return bytes;
}

/** Recorded events, their JSON text used as it is. */
export function recordedEventFrames(events: readonly RecordedEvent[]): string {
  let text = "";
  for (const { sequence, type, json } of events) {
    text += `id: ${sequence}\nevent: ${runEventFrames[type]}\ndata: ${json}\n\n`;
  }
  return text;
}

/** Frames of the native run stream. */
export function runFrames(frames: readonly RunFrame[]): string {
  let text = "";
  for (const frame of frames) {
    if (frame.id !== undefined) text += `id: ${frame.id}\n`;
    text += `event: ${frame.event}\ndata: ${dataOf(frame)}\n\n`;
  }
  return text;
}

/** The frame that ends a stream broken by a fault of ours. */
export const errorFrame = (problem: Problem): string =>
  `event: error\ndata: ${JSON.stringify(problem)}\n\n`;

const dataOf = (frame: RunFrame): string =>
  frame.event === "update" ? updateJson(frame.data) : JSON.stringify(frame.data);

/** Text is nearly all of a stream, and written by hand it costs a quarter of a stringify. */
function updateJson(update: RunUpdate): string {
  if (update.kind !== "text") return JSON.stringify(update);
  return `{"iteration":${update.iteration},"kind":"text","text":${JSON.stringify(update.text)}}`;
}
