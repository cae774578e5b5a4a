/** What a recorder works with: what all of a process share, and the run. */

import type { ApprovalClaim, RecordedInput, RunRecord } from "@tracon/core";
import type { Metrics } from "../telemetry/metrics.ts";
import type { DeltaTimer } from "./delta-coalescer.ts";
import type { JournalWriter } from "./journal-writer.ts";
import type { RecordingOptions } from "./recording-options.ts";
import type { RunFoldOptions } from "./run-fold.ts";

/** What all recorders of a process share. */
export type RecorderHost = {
  readonly writer: JournalWriter;
  readonly deltaTimer: DeltaTimer;
  readonly timestamp: () => string;
  readonly monotonicMs: () => number;
  readonly options: RecordingOptions;
  readonly metrics: Pick<Metrics, "recording" | "tools"> | undefined;
};

export type RecorderRun = {
  readonly tenantId: string;
  readonly record: RunRecord;
  readonly input: RecordedInput;
  readonly fold: RunFoldOptions;
  /** Decisions the run takes: nothing of it happens unless all of them are its own. */
  readonly claims?: readonly ApprovalClaim[];
};
