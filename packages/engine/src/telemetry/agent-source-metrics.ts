/** Faults of the application's agent sources. */

import type { Meter } from "@opentelemetry/api";

/**
 * What a source failed at: a list, finding one agent, or being of one mind: it answered, and with
 * something that is not the agent it was asked for.
 */
export type AgentSourceOperation = "list" | "resolve" | "consistency";

export type AgentSourceMetrics = {
  failed(sourceName: string, operation: AgentSourceOperation): void;
};

export function agentSourceMetrics(meter: Meter): AgentSourceMetrics {
  const failures = meter.createCounter("tracon.agent_source.failures", {
    description: "Faults of agent sources",
    unit: "{failure}",
  });
  return {
    failed(sourceName, operation) {
      failures.add(1, {
        "tracon.agent_source.name": sourceName,
        "tracon.agent_source.operation": operation,
      });
    },
  };
}
