import type { RunEvent, RunEventDraft, RunRecord } from "@tracon/core";
import { expect, it } from "vitest";
import { treeRuns } from "./run-tree.ts";

const START = Date.parse("2026-12-01T10:00:00.000Z");
const child = { childRunId: "c", agentName: "helper", agentVersion: 2, parentRunId: "r" };

it("has a run from the moment its caller tells of it, before it is stored", () => {
  const runs = treeRuns(
    [record({ id: "r" })],
    journal([50, { type: "ChildRunStarted", payload: child }]),
  );

  expect([...runs.keys()]).toEqual(["r", "c"]);
  expect(runs.get("c")).toMatchObject({
    agentName: "helper",
    agentVersion: 2,
    parentRunId: "r",
    status: "Running",
    startedMs: START + 50,
    record: undefined,
  });
});

it("believes the journal of a run that is stored as going on, and the record once it has ended", () => {
  const events = journal(
    [50, { type: "ChildRunStarted", payload: child }],
    [90, { type: "ChildRunCompleted", payload: { ...child, status: "Failed" } }],
  );
  const stored = record({ id: "c", parentRunId: "r" });
  const ended = { ...stored, status: "Canceled" as const, completedAt: iso(80) };

  expect(treeRuns([stored], events).get("c")).toMatchObject({
    status: "Failed",
    endedMs: START + 90,
  });
  expect(treeRuns([ended], events).get("c")).toMatchObject({
    status: "Canceled",
    endedMs: START + 80,
  });
});

it.each([
  [false, "deadline"],
  [true, "cutoff"],
] as const)("keeps which layer ended the wait: hard cutoff %s", (hardCutoff, timedOut) => {
  const runs = treeRuns(
    [],
    journal(
      [50, { type: "ChildRunStarted", payload: child }],
      [70, { type: "ChildRunTimedOut", text: "helper", payload: { childRunId: "c", hardCutoff } }],
    ),
  );

  expect(runs.get("c")).toMatchObject({ timedOut, status: "Running", endedMs: undefined });
});

it("ignores what it does not know: events of runs that nobody has told of, and statuses of the future", () => {
  const runs = treeRuns(
    [record({ id: "r" })],
    journal(
      [50, { type: "ChildRunCompleted", payload: { ...child, status: "Completed" } }],
      [60, { type: "ChildRunTimedOut", payload: { childRunId: "c", hardCutoff: true } }],
      [70, { type: "ChildRunStarted", payload: child }],
      [80, { type: "ChildRunCompleted", payload: { ...child, status: "Dreaming" } }],
    ),
  );

  expect([...runs.keys()]).toEqual(["r", "c"]);
  expect(runs.get("c")).toMatchObject({ status: "Running", endedMs: undefined });
});

const iso = (offsetMs: number): string => new Date(START + offsetMs).toISOString();

const record = (over: Partial<RunRecord>): RunRecord => ({
  id: "r",
  agentName: "router",
  kind: "Agent",
  status: "Running",
  startedAt: iso(0),
  isStreaming: true,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
  ...over,
});

function journal(...drafts: (readonly [offsetMs: number, draft: RunEventDraft])[]): RunEvent[] {
  return drafts.map(([offsetMs, draft], sequence) => ({
    runId: "r",
    sequence,
    timestamp: iso(offsetMs),
    ...draft,
  })) as RunEvent[];
}
