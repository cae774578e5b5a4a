import * as z from "zod";

/** One tool call of a run, in order. A call with no outcome yet has neither result nor error. */
export const toolInvocationSchema = z.object({
  runId: z.string(),
  iteration: z.int(),
  step: z.int(),
  position: z.int(),
  toolCallId: z.string(),
  toolName: z.string(),
  /** As the model sent them, cut at the recording's payload limit. */
  arguments: z.string().optional(),
  result: z.string().optional(),
  error: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  durationMs: z.number().optional(),
  succeeded: z.boolean(),
});
export type ToolInvocation = z.output<typeof toolInvocationSchema>;

/** How often a tool was called in runs that have ended, and how that went. */
export const toolUsageSchema = z.object({
  toolName: z.string(),
  /** The row stands for tools whose names were too many or too long to be counted one by one. */
  isOther: z.literal(true).optional(),
  totalCalls: z.int(),
  failedCalls: z.int(),
  averageDurationMs: z.number().optional(),
  lastCalledAt: z.string().optional(),
  errorRate: z.number().optional(),
});
export type ToolUsage = z.output<typeof toolUsageSchema>;
