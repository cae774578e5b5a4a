/** Tool calls that have an outcome. */

import type { Meter } from "@opentelemetry/api";
import type { RunEventDraft } from "@tracon/core";

export type ToolMetrics = {
  /** Takes any event of a run; only outcomes of calls that were made count. */
  observe(event: RunEventDraft): void;
};

/** Tools answer from memory or wait for another system. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/**
 * Names that get a series of their own. An installation has fewer tools; the names of an agent that code
 * builds may come from a model, though, and must not grow the number of series without end.
 */
const MAX_NAMES = 256;

export function toolMetrics(meter: Meter): ToolMetrics {
  const invocations = meter.createCounter("tracon.tool.invocations", {
    description: "Tool calls that have an outcome",
    unit: "{call}",
  });
  const durations = meter.createHistogram("tracon.tool.duration", {
    description: "From a tool call to its outcome",
    unit: "s",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const names = new Set<string>();
  const tagOf = (name: string): string => {
    if (names.size < MAX_NAMES) names.add(name);
    return names.has(name) ? name : "other";
  };
  return {
    observe(event) {
      if (!isMade(event)) return;
      const { toolName, durationMs } = event.payload;
      const tags = { "tracon.tool.name": tagOf(toolName) };
      invocations.add(1, tags);
      durations.record(durationMs / 1_000, tags);
    },
  };
}

type Outcome = Extract<RunEventDraft, { type: "ToolInvoked" | "ToolFailed" }>;

/** Calls that were not run, or of a tool nobody knows, and answers from an earlier attempt are none. */
function isMade(event: RunEventDraft): event is Outcome {
  if (event.type === "ToolInvoked") return event.payload.fromLedger !== true;
  if (event.type !== "ToolFailed" || event.payload.fromLedger === true) return false;
  return event.payload.kind !== "UnknownTool" && event.payload.kind !== "NotRun";
}
