import * as z from "zod";

const traceSpanSchema = z.object({
  /** The same as `spanId`. */
  id: z.string(),
  /** `id` of the span this one is part of; absent on the root. */
  parentId: z.string().optional(),
  /** 16 hexadecimal digits; the same whenever the trace is read. */
  spanId: z.string(),
  /** `tracon.run`, `chat {model}` or `execute_tool {tool}`. */
  name: z.string(),
  kind: z.enum(["Internal", "Server", "Client", "Producer", "Consumer"]),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** Absent while it is going on. */
  endedAt: z.string().optional(),
  status: z.enum(["Unset", "Ok", "Error"]),
  attributes: z.record(z.string(), z.string()),
});
/** One thing a run did, and when. */
export type TraceSpan = z.output<typeof traceSpanSchema>;

/** What a run did and when, as a tree of spans: a view of its journal. */
export const runTraceSchema = z.object({
  /** The run's id. */
  id: z.string(),
  /**
   * 32 hexadecimal digits: of the OpenTelemetry trace that the run was part of, otherwise the id of the
   * root run without its hyphens.
   */
  traceId: z.string(),
  runId: z.string(),
  tenantId: z.string(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** The root first, then in the order in which they began. */
  spans: z.array(traceSpanSchema),
  /** Later spans that were left out, when there are more than fit. */
  omittedSpans: z.int().optional(),
});
export type RunTrace = z.output<typeof runTraceSchema>;
