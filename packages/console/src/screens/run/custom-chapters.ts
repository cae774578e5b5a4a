/** Events that only their type tells apart: what is known of them, and anything else as a moment. */

import type { LoopJudgeCall, RunEvent } from "@tracon/core";
import type { JudgeCall, Moment, ProgressStep, ProgressWarning } from "./chapter.ts";
import { momentTitle } from "./moment-title.ts";

type CustomEvent = Extract<RunEvent, { readonly type: "Custom" }>;

export function customChapter(
  event: CustomEvent,
  atMs: number,
): JudgeCall | ProgressWarning | Moment {
  const { customType, data } = event.payload;
  const key = `m${event.sequence}`;
  if (customType === "tracon.loop.judge-called" && isJudgeCall(data)) {
    const startedMs = atMs - data.durationMs;
    return {
      kind: "judge",
      key,
      iteration: data.iteration,
      startedMs,
      endedMs: atMs,
      call: data,
    };
  }
  if (customType === "tracon.progress" && isProgressStep(data)) {
    const title = sentence(event.text ?? `${data.kind}, ${data.repeats} more times`);
    return { kind: "warning", key, iteration: data.iteration, atMs, title, step: data };
  }
  return { kind: "moment", key, atMs, title: momentTitle(event), payload: event.payload };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the server records is its own; only another version of it could have written something else. */
const isJudgeCall = (data: unknown): data is LoopJudgeCall =>
  hasMembers(data, { iteration: "number", durationMs: "number", model: "string" });

const isProgressStep = (data: unknown): data is ProgressStep =>
  hasMembers(data, { kind: "string", repeats: "number", action: "string", iteration: "number" });

const hasMembers = (data: unknown, types: Readonly<Record<string, string>>): boolean =>
  data !== null &&
  typeof data === "object" &&
  Object.entries(types).every(([name, type]) => typeof Reflect.get(data, name) === type);
