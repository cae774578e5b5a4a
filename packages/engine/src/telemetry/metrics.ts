/**
 * What an engine measures, by OpenTelemetry: one file for each family of instruments, all made once for
 * an engine from the provider it was given. Tags name what an installation has few of; runs, sessions,
 * users and texts are never among them.
 */

import type { MeterProvider } from "@opentelemetry/api";
import { type AgentSourceMetrics, agentSourceMetrics } from "./agent-source-metrics.ts";
import { type ModelCacheMetrics, modelCacheMetrics } from "./model-cache-metrics.ts";
import { type RecordingMetrics, recordingMetrics } from "./recording-metrics.ts";
import { type RunMetrics, runMetrics } from "./run-metrics.ts";
import { type ToolMetrics, toolMetrics } from "./tool-metrics.ts";

export type Metrics = {
  readonly agentSources: AgentSourceMetrics;
  readonly modelCache: ModelCacheMetrics;
  readonly recording: RecordingMetrics;
  readonly runs: RunMetrics;
  readonly tools: ToolMetrics;
};

export function createMetrics(provider: MeterProvider, includeAgentVersion: boolean): Metrics {
  const meter = provider.getMeter("Tracon");
  return {
    agentSources: agentSourceMetrics(meter),
    modelCache: modelCacheMetrics(meter),
    recording: recordingMetrics(meter),
    runs: runMetrics(meter, includeAgentVersion),
    tools: toolMetrics(meter),
  };
}
