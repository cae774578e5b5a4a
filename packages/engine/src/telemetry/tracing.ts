/** Where an engine's spans come from, and how work is put below one. */

import {
  context,
  isSpanContextValid,
  type Span,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

export type Tracing = {
  readonly tracer: Tracer;
  /** Messages, arguments and results become attributes of spans. */
  readonly recordSensitiveData: boolean;
};

export const createTracing = (provider: TracerProvider, recordSensitiveData: boolean): Tracing => ({
  tracer: provider.getTracer("Tracon"),
  recordSensitiveData,
});

/**
 * Whether the span is part of a trace. One that was not sampled is: what runs below it must not begin a
 * trace of its own. Without a registered tracer there is none.
 */
export const isTraced = (span: Span): boolean => isSpanContextValid(span.spanContext());

/** Runs work below the span, so that spans the application makes in it are its children. */
export const within = <Result>(span: Span, work: () => Result): Result =>
  isTraced(span) ? context.with(trace.setSpan(context.active(), span), work) : work();

type Attribute = string | number | boolean;

/** The attributes that have a value. */
export function definedOf(
  attributes: Readonly<Record<string, Attribute | undefined>>,
): Record<string, Attribute> {
  const defined: Record<string, Attribute> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}
