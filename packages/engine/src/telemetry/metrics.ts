/**
 * What an engine measures, by OpenTelemetry: one file for each family of instruments, all made from
 * the provider there is when they are used, again only when another one is there. Tags name what an installation has few of; runs, sessions,
 * users and texts are never among them.
 */

import type { MeterProvider } from "@opentelemetry/api";
import { type AgentSourceMetrics, agentSourceMetrics } from "./agent-source-metrics.ts";
import { type ModelCacheMetrics, modelCacheMetrics } from "./model-cache-metrics.ts";
import { type RecordingMetrics, recordingMetrics } from "./recording-metrics.ts";
import { type RunMetrics, runMetrics } from "./run-metrics.ts";
import { type ToolMetrics, toolMetrics } from "./tool-metrics.ts";

/** Families are looked up for every measurement: they may be others by then. */
export type Metrics = {
  readonly agentSources: AgentSourceMetrics;
  readonly modelCache: ModelCacheMetrics;
  readonly recording: RecordingMetrics;
  readonly runs: RunMetrics;
  readonly tools: ToolMetrics;
};

/**
 * OpenTelemetry's API hands later measurements to a provider that is registered after them for traces
 * only: instruments of a meter stay with the provider that was there when they were made.
 */
export function createMetrics(
  currentProvider: () => MeterProvider,
  includeAgentVersion: boolean,
): Metrics {
  let made: { readonly from: MeterProvider; readonly families: Metrics } | undefined;
  const families = (): Metrics => {
    const from = currentProvider();
    if (made?.from !== from) made = { from, families: familiesOf(from, includeAgentVersion) };
    return made.families;
  };
  return {
    get agentSources() {
      return families().agentSources;
    },
    get modelCache() {
      return families().modelCache;
    },
    get recording() {
      return families().recording;
    },
    get runs() {
      return families().runs;
    },
    get tools() {
      return families().tools;
    },
  };
}

function familiesOf(provider: MeterProvider, includeAgentVersion: boolean): Metrics {
  const meter = provider.getMeter("Tracon");
  return {
    agentSources: agentSourceMetrics(meter),
    modelCache: modelCacheMetrics(meter),
    recording: recordingMetrics(meter),
    runs: runMetrics(meter, includeAgentVersion),
    tools: toolMetrics(meter),
  };
}
