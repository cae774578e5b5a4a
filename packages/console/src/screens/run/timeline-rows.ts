/** The rows of the timeline: the run, its iterations when it loops, model calls, tools, facts. */

import type { ApprovalStatus, PendingApproval, RunStatus, RunUsage } from "@tracon/core";
import { totalTokens } from "../../design/format.ts";
import { statusTone, type Tone } from "../../design/status.tsx";
import { decisionText as approvalDecisionText } from "../approvals/approval-text.ts";
import type { Chapter, ChildCall, Decision, Waiting } from "./chapter.ts";
import { childRows } from "./child-rows.ts";
import { decisionText } from "./loop-text.ts";
import { isOpen, type Timeline, usageOf } from "./timeline.ts";
import type { TimelineRow } from "./timeline-row.ts";
import type { TreeRuns } from "./tree/run-tree.ts";

/** The approvals of a run as they stand, by id. */
export type ApprovalsById = ReadonlyMap<string, PendingApproval>;

/** What is known of a run beside its own journal. */
export type RelatedRecords = {
  readonly approvals?: ApprovalsById;
  readonly tree?: TreeRuns;
};

export function timelineRows(
  timeline: Timeline,
  run: { readonly status: RunStatus; readonly usage?: RunUsage | undefined },
  related: RelatedRecords = {},
): readonly TimelineRow[] {
  const { startedMs, chapters } = timeline;
  if (startedMs === undefined) return [];
  const loops = chapters.some((it) => it.kind === "decision") || iterationsOf(chapters) > 1;
  const depth = loops ? 2 : 1;
  const rows: TimelineRow[] = [
    {
      key: "run",
      depth: 0,
      kind: "run",
      title: "Run",
      note: undefined,
      startedMs,
      endedMs: timeline.endedMs,
      firstPartMs: undefined,
      tone: statusTone(run.status),
      tokens: totalTokens(run.usage) ?? sumTokens(chapters),
    },
  ];

  let iteration = 0;
  for (const chapter of chapters) {
    const chapterIteration = "iteration" in chapter ? chapter.iteration : iteration;
    if (loops && chapterIteration > iteration) rows.push(iterationRow(timeline, chapterIteration));
    iteration = Math.max(iteration, chapterIteration);
    rows.push(...rowsOf(chapter, chapters, { depth, ...related }));
  }
  if (isModelNext(timeline)) rows.push(unansweredRow(timeline, depth));
  return rows;
}

function rowsOf(
  chapter: Chapter,
  chapters: readonly Chapter[],
  place: RelatedRecords & { readonly depth: number },
): readonly TimelineRow[] {
  const { depth, approvals, tree = new Map() } = place;
  switch (chapter.kind) {
    case "child":
      return childRows(chapter, chapters, { depth: chapter.isReview ? depth : depth + 1, tree });
    case "approval":
      return [approvalRow(chapter, approvals?.get(chapter.request.requestId))];
    default:
      return [chapterRow(chapter, depth)];
  }
}

const iterationsOf = (chapters: readonly Chapter[]): number =>
  new Set(chapters.flatMap((it) => ("iteration" in it ? [it.iteration] : []))).size;

function sumTokens(chapters: readonly Chapter[]): number | undefined {
  const known = chapters.flatMap((it) => totalTokens(usageOf(it)) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, it) => sum + it, 0);
}

function iterationRow(timeline: Timeline, iteration: number): TimelineRow {
  const own = timeline.chapters.filter((it) => "iteration" in it && it.iteration === iteration);
  const spans = own.flatMap((it) => ("startedMs" in it ? [it] : []));
  const decision = timeline.chapters.find(
    (it): it is Decision => it.kind === "decision" && it.payload.iteration === iteration,
  );
  const isOver = timeline.endedMs !== undefined || decision !== undefined;
  return {
    key: `i${iteration}`,
    depth: 1,
    kind: "iteration",
    title: `Iteration ${iteration}`,
    note: decision === undefined ? unjudged(timeline, iteration) : decisionText(decision.payload),
    startedMs: Math.min(...spans.map((it) => it.startedMs)),
    endedMs: isOver ? Math.max(...spans.map((it) => it.endedMs ?? it.startedMs)) : undefined,
    firstPartMs: undefined,
    tone: decision === undefined ? (isOver ? "idle" : "running") : decisionTone(decision),
    tokens: sumTokens(own),
  };
}

/** The iteration at the ceiling is not evaluated: nothing is left to decide. */
const unjudged = ({ chapters }: Timeline, iteration: number): string | undefined =>
  chapters.some(
    (it) =>
      it.kind === "decision" &&
      it.payload.ceilingReached === true &&
      it.payload.iteration === iteration - 1,
  )
    ? "the last one, not judged: the ceiling is reached"
    : undefined;

function decisionTone({ payload }: Decision): Tone {
  if (payload.failsRun === true || payload.failedCriterion !== undefined) return "failed";
  return payload.continued ? "idle" : "good";
}

function chapterRow(chapter: Exclude<Chapter, Waiting | ChildCall>, depth: number): TimelineRow {
  switch (chapter.kind) {
    case "model":
      return {
        ...common(chapter, depth),
        title: `Model call ${chapter.step + 1}`,
        note: chapter.completed?.modelId ?? (chapter.endedMs === undefined ? undefined : "cut off"),
        startedMs: chapter.startedMs,
        endedMs: chapter.endedMs,
        firstPartMs:
          chapter.completed?.firstPartMs === undefined
            ? undefined
            : chapter.startedMs + chapter.completed.firstPartMs,
        tone: modelTone(chapter),
      };
    case "tool":
      return {
        ...common(chapter, depth + 1),
        title: chapter.toolName,
        note: chapter.errorKind === "Failed" ? undefined : chapter.errorKind,
        startedMs: chapter.startedMs,
        endedMs: chapter.endedMs,
        tone: toolTone(chapter),
      };
    case "decision":
      return {
        ...common(chapter, depth),
        ...momentOf(chapter.atMs),
        tone: decisionTone(chapter),
        title: decisionText(chapter.payload),
      };
    case "judge":
      return {
        ...common(chapter, depth),
        title: "Judge",
        note: `${chapter.call.provider} / ${chapter.call.model}`,
        startedMs: chapter.startedMs,
        endedMs: chapter.endedMs,
        // Without usage it was not answered, or nobody measured it.
        tone: chapter.call.usage === undefined ? "idle" : "good",
      };
    case "warning":
      return {
        ...common(chapter, depth),
        ...momentOf(chapter.atMs),
        tone: "waiting",
        title: chapter.title,
      };
    case "moment":
      return { ...common(chapter, depth), ...momentOf(chapter.atMs), title: chapter.title };
  }
}

const approvalTones: Readonly<Record<ApprovalStatus, Tone>> = {
  Pending: "waiting",
  Approved: "good",
  Rejected: "failed",
  Expired: "idle",
};

const WAITS = "Waits for a decision";
const firstLower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What the run waits for; once decided, who decided it and when. */
function approvalRow(chapter: Waiting, approval: PendingApproval | undefined): TimelineRow {
  const { toolName } = chapter.request;
  const decidedMs = approval?.decidedAt === undefined ? NaN : Date.parse(approval.decidedAt);
  const atMs = Number.isNaN(decidedMs) ? chapter.atMs : decidedMs;
  return {
    ...common(chapter, 1),
    ...momentOf(atMs),
    tone: approvalTones[approval?.status ?? "Pending"],
    title: `${toolName}: ${firstLower(approval === undefined ? WAITS : approvalDecisionText(approval))}`,
  };
}

const common = (chapter: Chapter, depth: number) => ({
  key: chapter.key,
  depth,
  kind: chapter.kind,
  note: undefined,
  firstPartMs: undefined,
  tokens: totalTokens(usageOf(chapter)),
});

const momentOf = (atMs: number) => ({ startedMs: atMs, endedMs: atMs, tone: "idle" as const });

function modelTone(call: Extract<Chapter, { readonly kind: "model" }>): Tone {
  if (call.completed !== undefined) return "good";
  // The run ended in the middle of the answer.
  return call.endedMs === undefined ? "running" : "idle";
}

function toolTone(chapter: Extract<Chapter, { readonly kind: "tool" }>): Tone {
  if (chapter.error !== undefined) return "failed";
  if (chapter.isHeld) return "waiting";
  if (chapter.endedMs === undefined) return "running";
  // The run ended before the tool answered.
  return chapter.result === undefined ? "idle" : "good";
}

/** The rest happens beside them. */
const decidesWhatIsNext: ReadonlySet<Chapter["kind"]> = new Set([
  "model",
  "tool",
  "decision",
  "approval",
]);

/** Between two things that are recorded, a run waits for its model, or waited when it ended. */
function isModelNext({ chapters }: Timeline): boolean {
  if (chapters.some(isOpen)) return false;
  const last = chapters.findLast(({ kind }) => decidesWhatIsNext.has(kind));
  if (last?.kind === "approval") return false;
  if (last === undefined) return true;
  if (last.kind === "decision") return last.payload.continued && last.payload.failsRun !== true;
  if (last.kind === "tool") return last.result !== undefined || last.error !== undefined;
  return last.kind === "model" && last.completed !== undefined && last.completed.toolCallCount > 0;
}

function unansweredRow({ idleSinceMs, endedMs }: Timeline, depth: number): TimelineRow {
  return {
    key: "waiting",
    depth,
    kind: "waiting",
    title: endedMs === undefined ? "Waiting for the model" : "Model call without an answer",
    note: undefined,
    startedMs: idleSinceMs,
    endedMs,
    firstPartMs: undefined,
    tone: endedMs === undefined ? "running" : "idle",
    tokens: undefined,
  };
}
