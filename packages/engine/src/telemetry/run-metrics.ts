/** Runs that have ended: how many, how long, what they used and what they cost. */

import type { Attributes, Meter } from "@opentelemetry/api";
import type { RunRecord } from "@tracon/core";
import { definedOf } from "./tracing.ts";

export type RunMetrics = {
  ended(record: RunRecord, durationMs: number): void;
};

/** Runs take from a moment to many minutes; the default buckets end at ten seconds. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1_280];
/** From a short answer of a cheap model to a long piece of work, in units of the currency. */
const COSTS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50];

export function runMetrics(meter: Meter, includeAgentVersion: boolean): RunMetrics {
  const runs = meter.createCounter("tracon.runs", {
    description: "Runs that have ended",
    unit: "{run}",
  });
  const durations = meter.createHistogram("tracon.run.duration", {
    description: "From the start of a run to its end",
    unit: "s",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const tokens = meter.createCounter("tracon.tokens", {
    description: "Tokens of runs that have ended",
    unit: "{token}",
  });
  const costs = meter.createHistogram("tracon.run.cost", {
    description: "Cost of runs whose models have a price",
    unit: "{cost}",
    advice: { explicitBucketBoundaries: COSTS },
  });
  return {
    ended(record, durationMs) {
      const tags = tagsOf(record, includeAgentVersion);
      runs.add(1, { ...tags, "tracon.run.status": record.status });
      durations.record(durationMs / 1_000, tags);
      const { usage, cost } = record;
      // What a provider did not report was not measured: nothing is added, not even 0.
      addTokens("input", usage?.inputTokens);
      addTokens("output", usage?.outputTokens);
      if (cost?.totalCost !== undefined && cost.currency !== undefined) {
        costs.record(cost.totalCost, { ...tags, "tracon.cost.currency": cost.currency });
      }

      function addTokens(direction: "input" | "output", count: number | undefined): void {
        if (count !== undefined)
          tokens.add(count, { ...tags, "tracon.token.direction": direction });
      }
    },
  };
}

/** What an installation has few of. The run, its session, user and labels are never among them. */
const tagsOf = (record: RunRecord, includeAgentVersion: boolean): Attributes =>
  definedOf({
    "tracon.agent.name": record.agentName,
    "tracon.agent.version": includeAgentVersion ? record.agentVersion : undefined,
    "tracon.run.streaming": record.isStreaming,
    "tracon.model.id": record.modelId,
    "tracon.tenant.id": record.tenantId,
  });
