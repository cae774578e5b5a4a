/**
 * Frames of the two event streams as text. JSON text holds no line breaks, so one `data:` line is
 * always enough.
 */

import { type Problem, type RunFrame, type RunUpdate, runEventFrames } from "@tracon/core";
import type { RecordedEvent } from "@tracon/engine";

export const KEEP_ALIVE = ": keep-alive\n\n";

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
