/** Runs, or what was to be told of them, that got lost. */

import type { Meter } from "@opentelemetry/api";

/**
 * What could not be written: a run's opening, an event in between, its end; or `sink`, when an event
 * sink was dropped for a run. A run is counted once for each, because nothing is tried again.
 */
export type RecordingStage = "start" | "event" | "completion" | "sink";

export type RecordingMetrics = {
  failed(stage: RecordingStage): void;
};

export function recordingMetrics(meter: Meter): RecordingMetrics {
  const failures = meter.createCounter("tracon.run.recording_failures", {
    description: "Runs that could not be recorded to their end, or whose sinks were dropped",
    unit: "{failure}",
  });
  return {
    failed(stage) {
      failures.add(1, { "tracon.recording.stage": stage });
    },
  };
}
