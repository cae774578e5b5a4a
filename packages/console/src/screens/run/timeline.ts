/**
 * A run's events folded into chapters: model calls, tool calls, loop decisions, and what else
 * happened. The fold takes events as they come, so live and past runs are the same view.
 *
 * Nothing records when a model call starts. It starts when the run has nothing else to do: at the
 * run's start, after the last tool result, after a loop decision. Once the call has ended, its own
 * duration is taken.
 */

import type { RunEvent, RunUsage } from "@tracon/core";
import type { Chapter, ModelCall, ToolCall } from "./chapter.ts";
import { foldChild, isChildEvent } from "./child-chapters.ts";
import { customChapter } from "./custom-chapters.ts";
import { momentTitle } from "./moment-title.ts";

export type Timeline = {
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  /** In order of appearance. */
  readonly chapters: readonly Chapter[];
  /** Since when the run has nothing to do but to ask the model. */
  readonly idleSinceMs: number;
};

export const EMPTY_TIMELINE: Timeline = {
  startedMs: undefined,
  endedMs: undefined,
  chapters: [],
  idleSinceMs: 0,
};

type Draft = { -readonly [Member in keyof Timeline]: Timeline[Member] } & { chapters: Chapter[] };

/** The timeline after more events. */
export function foldEvents(timeline: Timeline, events: readonly RunEvent[]): Timeline {
  const draft: Draft = { ...timeline, chapters: [...timeline.chapters] };
  for (const event of events) apply(draft, event);
  return draft;
}

function apply(draft: Draft, event: RunEvent): void {
  const atMs = Date.parse(event.timestamp);
  if (isChildEvent(event)) {
    draft.chapters = [...foldChild(draft.chapters, event, atMs)];
    return;
  }
  switch (event.type) {
    case "RunStarted":
      draft.startedMs = atMs;
      draft.idleSinceMs = atMs;
      break;
    case "MessageDelta":
    case "ReasoningDelta":
    case "MessageCompleted":
      applyToModelCall(draft, event, atMs);
      break;
    case "ToolInvoking":
    case "ToolInvoked":
    case "ToolFailed":
    case "ToolOutputTruncated":
      applyToToolCall(draft, event, atMs);
      break;
    case "LoopIterationCompleted":
      draft.idleSinceMs = atMs;
      draft.chapters.push({
        kind: "decision",
        key: `d${event.sequence}`,
        atMs,
        payload: event.payload,
      });
      break;
    case "RunCompleted":
    case "RunFailed":
    case "RunCanceled":
      end(draft, atMs);
      break;
    case "RunAwaitingInput": {
      end(draft, atMs);
      for (const request of event.payload.approvals ?? []) {
        hold(draft, request.callId);
        draft.chapters.push({ kind: "approval", key: `a${request.requestId}`, atMs, request });
      }
      break;
    }
    case "Custom":
      draft.chapters.push(customChapter(event, atMs));
      break;
    default: {
      const title = momentTitle(event);
      const { payload } = event;
      draft.chapters.push({ kind: "moment", key: `m${event.sequence}`, atMs, title, payload });
    }
  }
}

type ModelEvent = Extract<
  RunEvent,
  { readonly type: "MessageDelta" | "ReasoningDelta" | "MessageCompleted" }
>;

function applyToModelCall(draft: Draft, event: ModelEvent, atMs: number): void {
  const { iteration, step } = event.payload;
  const key = `${iteration}.${step}`;
  const index = draft.chapters.findLastIndex((it) => it.key === key);
  const before = draft.chapters[index];
  const call: ModelCall =
    before?.kind === "model"
      ? before
      : {
          kind: "model",
          key,
          iteration,
          step,
          startedMs: Math.min(draft.idleSinceMs || atMs, atMs),
          endedMs: undefined,
          text: "",
          reasoning: "",
          completed: undefined,
        };
  draft.chapters[index < 0 ? draft.chapters.length : index] = callAfter(call, event, atMs);
  if (event.type === "MessageCompleted") draft.idleSinceMs = atMs;
}

function callAfter(call: ModelCall, event: ModelEvent, atMs: number): ModelCall {
  switch (event.type) {
    case "MessageDelta":
      return { ...call, text: call.text + (event.text ?? "") };
    case "ReasoningDelta":
      return { ...call, reasoning: call.reasoning + (event.text ?? "") };
    case "MessageCompleted":
      return {
        ...call,
        text: call.text === "" ? (event.text ?? "") : call.text,
        startedMs: atMs - event.payload.durationMs,
        endedMs: atMs,
        completed: event.payload,
      };
  }
}

type ToolEvent = Extract<
  RunEvent,
  { readonly type: "ToolInvoking" | "ToolInvoked" | "ToolFailed" | "ToolOutputTruncated" }
>;

function applyToToolCall(draft: Draft, event: ToolEvent, atMs: number): void {
  const { iteration, step, position, callId, toolName } = event.payload;
  // The provider's call id may repeat within a run; the place never does.
  const key = `${iteration}.${step}.${position}`;
  const index = draft.chapters.findLastIndex((it) => it.key === key);
  const before = draft.chapters[index];
  const call: ToolCall =
    before?.kind === "tool"
      ? before
      : {
          kind: "tool",
          key,
          iteration,
          step,
          callId,
          toolName,
          arguments: undefined,
          startedMs: atMs,
          endedMs: undefined,
          result: undefined,
          error: undefined,
          errorKind: undefined,
          omittedBytes: 0,
          isHeld: false,
        };
  draft.chapters[index < 0 ? draft.chapters.length : index] = toolCallAfter(call, event, atMs);
  if (event.type !== "ToolInvoking") draft.idleSinceMs = atMs;
}

function toolCallAfter(call: ToolCall, event: ToolEvent, atMs: number): ToolCall {
  switch (event.type) {
    case "ToolInvoking":
      return { ...call, arguments: event.payload.arguments };
    case "ToolInvoked":
      return { ...call, ...spanOf(event.payload.durationMs, atMs), result: event.payload.result };
    case "ToolFailed":
      return {
        ...call,
        ...spanOf(event.payload.durationMs, atMs),
        error: event.payload.error,
        errorKind: event.payload.kind,
      };
    case "ToolOutputTruncated":
      return { ...call, omittedBytes: event.payload.omittedBytes };
  }
}

const spanOf = (durationMs: number, endedMs: number) => ({
  startedMs: endedMs - durationMs,
  endedMs,
});

/** Call ids may repeat: the one without an outcome is the one that waits. */
function hold(draft: Draft, callId: string): void {
  draft.chapters = draft.chapters.map((it) =>
    it.kind === "tool" && it.callId === callId && it.result === undefined && it.error === undefined
      ? { ...it, isHeld: true }
      : it,
  );
}

/** Whatever was going on ended with the run. */
function end(draft: Draft, atMs: number): void {
  draft.endedMs = atMs;
  draft.chapters = draft.chapters.map((chapter) =>
    isOpen(chapter) ? { ...chapter, endedMs: atMs } : chapter,
  );
}

export const isOpen = (chapter: Chapter): chapter is ModelCall | ToolCall =>
  (chapter.kind === "model" || chapter.kind === "tool") && chapter.endedMs === undefined;

/** Usage of a chapter that is the run's own: a run below it reports its own. */
export function usageOf(chapter: Chapter): RunUsage | undefined {
  if (chapter.kind === "model") return chapter.completed?.usage;
  return chapter.kind === "judge" ? chapter.call.usage : undefined;
}
