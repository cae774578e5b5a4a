import * as z from "zod";
import { runCostSchema } from "./cost.ts";
import { treeBudgetSchema } from "./tree-budget.ts";
import { runTreeCostSchema } from "./tree-totals.ts";
import { runUsageSchema } from "./usage.ts";

/** Where a run stands. The last five are final: a run reaches one of them once and keeps it. */
export const runStatuses = [
  "Queued",
  "Running",
  "Completed",
  "Failed",
  "Canceled",
  "AwaitingApproval",
  "AwaitingInput",
] as const;
/** Where a run stands; all but `Queued` and `Running` are final. */
export const runStatusSchema = z.enum(runStatuses);
export type RunStatus = z.output<typeof runStatusSchema>;

/** Whether a run of this status writes no more events. */
export const isFinalStatus = (status: RunStatus): boolean =>
  status !== "Queued" && status !== "Running";

/** What was run. */
export const runKindSchema = z.enum(["Agent", "Workflow", "Eval"]);
export type RunKind = z.output<typeof runKindSchema>;

/** What kind of fault ended a run. */
export const runErrorClassSchema = z.enum([
  "Unknown",
  "ProviderError",
  "ProviderUnavailable",
  "RateLimited",
  "QuotaExceeded",
  "ContentFiltered",
  "ToolError",
  "Timeout",
  "CompilationFailed",
  "Canceled",
  "ContentBlocked",
  "Infrastructure",
  "ToolTimeout",
  "StructuredResponseInvalid",
  "LoopUnsatisfied",
]);
export type RunErrorClass = z.output<typeof runErrorClassSchema>;

/** Why a run failed. The message is safe: never a provider's or a tool's own text. */
export const runErrorSchema = z.object({
  type: z.string(),
  message: z.string(),
  class: runErrorClassSchema.optional(),
  /** Equal for equal kinds of failure; groups them. */
  fingerprint: z.string().optional(),
});
export type RunError = z.output<typeof runErrorSchema>;

/** The summary of a run: a fold over its events, kept as a row. */
export const runRecordSchema = z.object({
  /** UUIDv7. */
  id: z.string(),
  agentName: z.string(),
  agentVersion: z.int().optional(),
  kind: runKindSchema,
  status: runStatusSchema,
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  completedAt: z.string().optional(),
  tenantId: z.string().optional(),
  userId: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  sessionId: z.string().optional(),
  culture: z.string().optional(),
  /** The provider and model that really answered. */
  modelProvider: z.string().optional(),
  modelId: z.string().optional(),
  isStreaming: z.boolean(),
  /** Of the run alone. Absent when the provider reported nothing. */
  usage: runUsageSchema.optional(),
  /** Of the run alone. */
  cost: runCostSchema.optional(),
  /** Only on failed runs. */
  error: runErrorSchema.optional(),
  eventCount: z.int(),
  parentRunId: z.string().optional(),
  rootRunId: z.string().optional(),
  depth: z.int(),
  childRunCount: z.int(),
  replayOfRunId: z.string().optional(),
  continuedFromRunId: z.string().optional(),
  /** SHA-256 of everything that shaped the run. */
  lockfileHash: z.string().optional(),
  /** The budget of its tree as it stands; only on a run that is read by itself. */
  budget: treeBudgetSchema.optional(),
  /** Of every run of its tree, this one included; only on a run that is read by itself. */
  treeUsage: runUsageSchema.optional(),
  /** Of every run of its tree, this one included; only on a run that is read by itself. */
  treeCost: runTreeCostSchema.optional(),
});
export type RunRecord = z.output<typeof runRecordSchema>;
