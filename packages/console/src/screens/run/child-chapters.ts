/** Runs below the run as chapters of it: when they were called, how they ended, who stopped waiting. */

import type { RunEvent } from "@tracon/core";
import type { Chapter, ChildCall } from "./chapter.ts";

type ChildEvent = Extract<
  RunEvent,
  { readonly type: "ChildRunStarted" | "ChildRunCompleted" | "ChildRunTimedOut" }
>;

export const isChildEvent = (event: RunEvent): event is ChildEvent =>
  event.type === "ChildRunStarted" ||
  event.type === "ChildRunCompleted" ||
  event.type === "ChildRunTimedOut";

export const childKey = (runId: string): string => `c${runId}`;

export function foldChild(
  chapters: readonly Chapter[],
  event: ChildEvent,
  atMs: number,
): readonly Chapter[] {
  const key = childKey(event.payload.childRunId);
  if (event.type === "ChildRunStarted") {
    const child: ChildCall = {
      kind: "child",
      key,
      iteration: iterationAt(chapters),
      isReview: hasAnswered(chapters),
      called: event.payload,
      startedMs: atMs,
      endedMs: undefined,
      status: undefined,
      timedOut: undefined,
    };
    return [...chapters, child];
  }
  return chapters.map((it) =>
    it.kind === "child" && it.key === key ? childAfter(it, event, atMs) : it,
  );
}

function childAfter(
  child: ChildCall,
  event: Exclude<ChildEvent, { readonly type: "ChildRunStarted" }>,
  atMs: number,
): ChildCall {
  if (event.type === "ChildRunCompleted") {
    return { ...child, endedMs: atMs, status: event.payload.status };
  }
  const timedOut = event.payload.hardCutoff ? "cutoff" : "deadline";
  return { ...child, endedMs: child.endedMs ?? atMs, timedOut };
}

/** The model has said its last word of the iteration. */
function hasAnswered(chapters: readonly Chapter[]): boolean {
  const last = chapters.findLast(({ kind }) => kind === "model" || kind === "tool");
  return last?.kind === "model" && last.completed?.toolCallCount === 0;
}

/** The iteration that goes on: events of children do not name theirs. */
function iterationAt(chapters: readonly Chapter[]): number {
  const last = chapters.findLast((it) => it.kind === "decision" || "iteration" in it);
  if (last === undefined) return 1;
  if (last.kind !== "decision") return "iteration" in last ? last.iteration : 1;
  return last.payload.iteration + (last.payload.continued ? 1 : 0);
}
