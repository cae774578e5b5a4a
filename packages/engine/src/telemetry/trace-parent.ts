/** Which span a run's own span is a child of. */

import { type Context, context, propagation, trace } from "@opentelemetry/api";

/** Reads a header of the request that started a run. */
export type ReadHeader = (name: string) => string | undefined;

/**
 * The span that is active where the run is started; a host that is instrumented has one for its request.
 * Otherwise what the request's own headers say, by the propagator that is registered.
 */
export function traceParent(readHeader: ReadHeader | undefined): Context {
  const active = context.active();
  if (readHeader === undefined || trace.getSpan(active) !== undefined) return active;
  return propagation.extract(active, readHeader, {
    keys: () => [],
    // What a stranger hangs on to a trace would go on to every system that the run calls.
    get: (read, name) => (name === "baggage" ? undefined : read(name)),
  });
}
