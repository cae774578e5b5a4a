/** The spans of a run in the trace of its tree, as rows of the timeline: each below the span it is part of. */

import type { RunTrace, TraceSpan } from "@tracon/core";
import type { Tone } from "../../design/status.tsx";
import type { TimelineRow } from "./timeline-row.ts";

export function traceRows({ id, spans }: RunTrace, runId: string): readonly TimelineRow[] {
  const children = Map.groupBy(spans, ({ parentId }) => parentId);
  const known = new Set(spans.map(({ id }) => id));
  const below = (span: TraceSpan, depth: number): readonly TimelineRow[] => [
    spanRow(span, depth),
    ...(children.get(span.id) ?? []).flatMap((child) => below(child, depth + 1)),
  ];
  if (runId !== id) {
    return spans.filter((span) => isOfRun(span, runId)).flatMap((span) => below(span, 0));
  }
  // A span whose parent was left out stands on its own.
  return spans
    .filter(({ parentId }) => parentId === undefined || !known.has(parentId))
    .flatMap((root) => below(root, 0));
}

const isOfRun = ({ attributes }: TraceSpan, runId: string): boolean =>
  attributes["tracon.run.id"] === runId;

const spanRow = (span: TraceSpan, depth: number): TimelineRow => ({
  key: span.id,
  depth,
  kind: kindOf(span),
  title: span.name,
  note: undefined,
  startedMs: Date.parse(span.startedAt),
  endedMs: span.endedAt === undefined ? undefined : Date.parse(span.endedAt),
  firstPartMs: undefined,
  tone: toneOf(span),
  tokens: undefined,
});

function kindOf({ name }: TraceSpan): TimelineRow["kind"] {
  if (name.startsWith("chat")) return "model";
  return name.startsWith("execute_tool") ? "tool" : "run";
}

function toneOf({ endedAt, status }: TraceSpan): Tone {
  if (status === "Error") return "failed";
  return endedAt === undefined ? "running" : "good";
}
