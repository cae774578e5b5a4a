/** Runs written as the journal would hold them, without running anything. */

import { randomUUID } from "node:crypto";
import type { JournalEntry, RunJournal, RunRecord } from "@tracon/core";
import { createIdSource } from "@tracon/engine";

const TENANT = "default";
const EVENTS_OF_A_COMMIT = 32;
const TEXT = "sixteen chars ok ".repeat(3);

/** A run of many small events, written in groups of 32. */
export function recordedEntries(count: number): {
  readonly runId: string;
  readonly entries: readonly JournalEntry[];
} {
  const runId = randomUUID();
  const startedAt = new Date().toISOString();
  const record = openedRecord(runId, startedAt);
  const entries: JournalEntry[] = [];
  for (let first = 0; first < count; first += EVENTS_OF_A_COMMIT) {
    const last = Math.min(first + EVENTS_OF_A_COMMIT, count) - 1;
    const lines: string[] = [];
    for (let sequence = first; sequence <= last; sequence++) {
      lines.push(eventText(runId, sequence, { isLast: sequence === count - 1, startedAt }));
    }
    entries.push({
      tenantId: TENANT,
      runId,
      events: { firstSequence: first, lastSequence: last, lines: lines.join("\n") },
      ...(first === 0 ? { opened: { record } } : {}),
      ...(last === count - 1 ? { changed: { status: "Completed", eventCount: count } } : {}),
    });
  }
  return { runId, entries };
}

const openedRecord = (runId: string, startedAt: string): RunRecord => ({
  id: runId,
  tenantId: TENANT,
  agentName: "support",
  agentVersion: 1,
  kind: "Agent",
  status: "Running",
  startedAt,
  isStreaming: true,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
});

function eventText(
  runId: string,
  sequence: number,
  { isLast, startedAt }: { readonly isLast: boolean; readonly startedAt: string },
): string {
  const rest = isLast
    ? { type: "RunCompleted", timestamp: startedAt, payload: {} }
    : {
        type: "MessageDelta",
        timestamp: startedAt,
        text: TEXT,
        payload: { iteration: 1, step: 1 },
      };
  return JSON.stringify({ runId, sequence, ...rest });
}

const RUNS_OF_A_COMMIT = 500;
/** Over which the runs are spread, however many there are. */
const SPAN_MS = 24 * 3_600_000;

/** Writes runs that have ended, each with its first and its last event. */
export async function writeRuns(journal: RunJournal, count: number): Promise<void> {
  const startMs = Date.now() - SPAN_MS;
  const runMs = SPAN_MS / count;
  const ids = createIdSource({ now: () => startMs, monotonicMs: () => startMs });
  for (let first = 0; first < count; first += RUNS_OF_A_COMMIT) {
    const size = Math.min(RUNS_OF_A_COMMIT, count - first);
    await journal.commit(
      Array.from({ length: size }, (_, index) =>
        endedRun(ids.next(), new Date(startMs + (first + index) * runMs).toISOString()),
      ),
    );
  }
}

function endedRun(runId: string, startedAt: string): JournalEntry {
  const usage = { inputTokens: 600, outputTokens: 200, totalTokens: 800 };
  const opened = { ...openedRecord(runId, startedAt), modelProvider: "bench", modelId: "bench-1" };
  const changed = { status: "Completed", eventCount: 1, completedAt: startedAt, usage } as const;
  return {
    tenantId: TENANT,
    runId,
    opened: { record: opened },
    events: { firstSequence: 0, lastSequence: 0, lines: "{}" },
    changed,
    tally: { record: { ...opened, ...changed }, isUnpriced: true, toolCalls: [], criteria: [] },
  };
}
