/** One run as OpenTelemetry sees it: a span around it, and measurements at its end. */

import type { Span } from "@opentelemetry/api";
import type { Clock, RunRecord } from "@tracon/core";
import { endRunSpan, startRunSpan } from "./run-span.ts";
import type { Telemetry } from "./telemetry.ts";
import { type ReadHeader, traceParent } from "./trace-parent.ts";
import { within } from "./tracing.ts";

export class RunTelemetry {
  readonly #telemetry: Telemetry;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #span: Span | undefined;

  /** Begins with the run. `readHeader` reads the request that starts it. */
  constructor(
    telemetry: Telemetry,
    record: RunRecord,
    clock: Clock,
    readHeader: ReadHeader | undefined,
  ) {
    this.#telemetry = telemetry;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
    this.#span = startRunSpan(telemetry.tracing, record, traceParent(readHeader));
  }

  /** Of the trace that the run is part of; absent when nobody traces. */
  get traceId(): string | undefined {
    return this.#span?.spanContext().traceId;
  }

  within<Result>(work: () => Result): Result {
    return this.#span === undefined ? work() : within(this.#span, work);
  }

  end(record: RunRecord): void {
    const durationMs = this.#clock.monotonicMs() - this.#startedMs;
    this.#telemetry.metrics.runs.ended(record, durationMs);
    if (this.#span !== undefined) endRunSpan(this.#span, record);
  }
}
