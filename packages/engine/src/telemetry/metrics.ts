/**
 * What an engine measures, by OpenTelemetry: one file for each family of instruments, all made once for
 * an engine from the provider it was given. Tags name what an installation has few of; runs, sessions,
 * users and texts are never among them.
 */

import type { MeterProvider } from "@opentelemetry/api";
import { type AgentSourceMetrics, agentSourceMetrics } from "./agent-source-metrics.ts";
import { type ModelCacheMetrics, modelCacheMetrics } from "./model-cache-metrics.ts";

export type Metrics = {
  readonly agentSources: AgentSourceMetrics;
  readonly modelCache: ModelCacheMetrics;
};

export function createMetrics(provider: MeterProvider): Metrics {
  const meter = provider.getMeter("Tracon");
  return { agentSources: agentSourceMetrics(meter), modelCache: modelCacheMetrics(meter) };
}
