/** The runs of a tree as they stand: what is stored of them, and what the root's journal told since. */

import type { RunEvent, RunRecord, RunStatus } from "@tracon/core";
import { isRunStatus } from "../../../design/status.tsx";

export type TreeRun = {
  readonly runId: string;
  readonly agentName: string;
  readonly agentVersion: number | undefined;
  /** Who called it; absent for the root. */
  readonly parentRunId: string | undefined;
  readonly status: RunStatus;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
  /** The layer that ended the wait for it. */
  readonly timedOut: "deadline" | "cutoff" | undefined;
  /** What is stored of it; absent for a moment after it has begun. */
  readonly record: RunRecord | undefined;
};

export type TreeRuns = ReadonlyMap<string, TreeRun>;

/** Whether an event says something of a run below. */
export const isOfTree = ({ type }: Pick<RunEvent, "type">): boolean =>
  type === "ChildRunStarted" || type === "ChildRunCompleted" || type === "ChildRunTimedOut";

/** By id: the root first, then in the order in which they began. */
export function treeRuns(records: readonly RunRecord[], events: readonly RunEvent[]): TreeRuns {
  const runs = new Map(records.map((record) => [record.id, storedRun(record)]));
  for (const event of events) {
    const told = toldRun(runs, event);
    if (told !== undefined) runs.set(told.runId, told);
  }
  return runs;
}

const storedRun = (record: RunRecord): TreeRun => ({
  runId: record.id,
  agentName: record.agentName,
  agentVersion: record.agentVersion,
  parentRunId: record.parentRunId,
  status: record.status,
  startedMs: Date.parse(record.startedAt),
  endedMs: record.completedAt === undefined ? undefined : Date.parse(record.completedAt),
  timedOut: undefined,
  record,
});

function toldRun(runs: TreeRuns, event: RunEvent): TreeRun | undefined {
  const atMs = Date.parse(event.timestamp);
  switch (event.type) {
    case "ChildRunStarted": {
      const { childRunId: runId, agentName, agentVersion, parentRunId } = event.payload;
      const begun = { status: "Running", startedMs: atMs } as const;
      const unknown = { endedMs: undefined, timedOut: undefined, record: undefined };
      return (
        runs.get(runId) ?? { runId, agentName, agentVersion, parentRunId, ...begun, ...unknown }
      );
    }
    case "ChildRunCompleted": {
      const run = runs.get(event.payload.childRunId);
      const { status } = event.payload;
      // What is stored of a run that has ended stays; before that the journal is ahead.
      if (run === undefined || run.endedMs !== undefined || !isRunStatus(status)) return run;
      return { ...run, status, endedMs: atMs };
    }
    case "ChildRunTimedOut": {
      const run = runs.get(event.payload.childRunId);
      const timedOut = event.payload.hardCutoff ? "cutoff" : "deadline";
      return run === undefined ? undefined : { ...run, timedOut };
    }
    default:
      return undefined;
  }
}
