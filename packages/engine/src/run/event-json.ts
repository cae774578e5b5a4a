/**
 * The JSON text of events, made once for each event and shared by the store and every subscriber.
 * Members are put together by hand: this runs for every delta of every run.
 */

import type { Clock, RunEventDraft } from "@tracon/core";

/** Writes times as ISO 8601 text; events of one millisecond share it. */
export function createTimestamps(clock: Clock): () => string {
  let lastMs = -1;
  let lastText = "";
  return () => {
    const nowMs = clock.now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      lastText = new Date(nowMs).toISOString();
    }
    return lastText;
  };
}

/** The part of the text that all events of a run begin with. */
export const eventPrefix = (runId: string): string => `{"runId":"${runId}","sequence":`;

/** The event's JSON text. `prefix` is what `eventPrefix` made of its run. */
export function eventJson(
  prefix: string,
  sequence: number,
  timestamp: string,
  event: RunEventDraft,
): string {
  const text = event.text === undefined ? "" : `,"text":${JSON.stringify(event.text)}`;
  return `${prefix}${sequence},"type":"${event.type}","timestamp":"${timestamp}"${text},"payload":${JSON.stringify(event.payload)}}`;
}

/** The JSON text of a text or reasoning delta. */
export const deltaJson = (
  prefix: string,
  sequence: number,
  timestamp: string,
  delta: {
    readonly type: string;
    readonly text: string;
    readonly iteration: number;
    readonly step: number;
  },
): string =>
  `${prefix}${sequence},"type":"${delta.type}","timestamp":"${timestamp}","text":${JSON.stringify(delta.text)},"payload":{"iteration":${delta.iteration},"step":${delta.step}}}`;
