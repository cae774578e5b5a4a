/** The rows of runs below the run: each below the one that called it. */

import { totalTokens } from "../../design/format.ts";
import { isRunStatus, statusTone } from "../../design/status.tsx";
import type { Chapter, ChildCall } from "./chapter.ts";
import type { TimelineRow } from "./timeline-row.ts";
import type { TreeRun, TreeRuns } from "./tree/run-tree.ts";

/** The rows of a run that was called, and of those it called. One that another call's rows hold has none. */
export function childRows(
  child: ChildCall,
  chapters: readonly Chapter[],
  place: { readonly depth: number; readonly tree: TreeRuns },
): readonly TimelineRow[] {
  const calls = chapters.flatMap((it) => (it.kind === "child" ? [it] : []));
  const isBelowAnother = calls.some((it) => it.called.childRunId === child.called.parentRunId);
  return isBelowAnother ? [] : withCallees(child, calls, place);
}

function withCallees(
  child: ChildCall,
  calls: readonly ChildCall[],
  { depth, tree }: { readonly depth: number; readonly tree: TreeRuns },
): readonly TimelineRow[] {
  const { childRunId } = child.called;
  const callees = calls.filter((it) => it.called.parentRunId === childRunId);
  return [
    rowOf(child, depth, tree.get(childRunId)),
    ...callees.flatMap((it) => withCallees(it, calls, { depth: depth + 1, tree })),
  ];
}

function rowOf(child: ChildCall, depth: number, run: TreeRun | undefined): TimelineRow {
  const { childRunId, agentName, agentVersion } = child.called;
  const told = child.status !== undefined && isRunStatus(child.status) ? child.status : "Running";
  const status = run?.status ?? told;
  const timedOut = child.timedOut ?? run?.timedOut;
  return {
    key: child.key,
    depth,
    kind: "child",
    title: agentVersion === undefined ? agentName : `${agentName} v${agentVersion}`,
    note: timedOut === undefined ? undefined : TIMED_OUT[timedOut],
    startedMs: child.startedMs,
    endedMs: run === undefined ? child.endedMs : run.endedMs,
    firstPartMs: undefined,
    tone: timedOut === undefined ? statusTone(status) : "failed",
    tokens: totalTokens(run?.record?.usage),
    child: { runId: childRunId, status },
  };
}

/** Which of the two limits on the wait it was. */
export const TIMED_OUT: Readonly<Record<"deadline" | "cutoff", string>> = {
  deadline: "past its deadline: asked to stop",
  cutoff: "past the hard cutoff: its result is discarded",
};
