import type { RunRecord } from "@tracon/core";

/** How long a run took, or has taken so far. */
export const runDurationMs = (run: RunRecord, nowMs: number): number =>
  (run.completedAt === undefined ? nowMs : Date.parse(run.completedAt)) - Date.parse(run.startedAt);
