/** What an engine tells OpenTelemetry. Only its API is used: without an SDK all of it does nothing. */

import {
  type MeterProvider,
  metrics as registeredMetrics,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createTracing, type Tracing } from "./tracing.ts";

/** What is told of runs, and to whom. Everything may be left out. */
export type ObservabilityOptions = {
  /** Spans and metrics at all. Default true. */
  readonly enabled?: boolean | undefined;
  /**
   * Messages, arguments and results become attributes of spans. They are as private as the
   * conversations themselves. Default false.
   */
  readonly recordSensitiveData?: boolean | undefined;
  /** Metrics of runs are told apart by the version of the agent. Default true. */
  readonly includeAgentVersionTag?: boolean | undefined;
};

/** Where spans and measurements go. */
export type ObservabilityProviders = {
  /** Default the provider registered with OpenTelemetry, whenever it is. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default the provider registered with OpenTelemetry, whenever it is. */
  readonly meterProvider?: MeterProvider | undefined;
};

export type Telemetry = { readonly tracing: Tracing; readonly metrics: Metrics };

/** `undefined` when nothing is to be told. */
export function createTelemetry(
  options: ObservabilityOptions,
  { tracerProvider, meterProvider }: ObservabilityProviders,
): Telemetry | undefined {
  const { enabled = true, recordSensitiveData = false, includeAgentVersionTag = true } = options;
  if (!enabled) return undefined;
  return {
    tracing: createTracing(tracerProvider ?? trace.getTracerProvider(), recordSensitiveData),
    metrics: createMetrics(
      () => meterProvider ?? registeredMetrics.getMeterProvider(),
      includeAgentVersionTag,
    ),
  };
}
