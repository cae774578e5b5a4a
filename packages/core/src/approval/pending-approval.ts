import * as z from "zod";
import { text } from "../schema/member.ts";

/** Longest reason of a decision, in UTF-16 units: it becomes the result the model reads. */
export const MAX_REASON_LENGTH = 4_096;

/** What a person who decides is shown of a call besides its arguments. */
export const toolApprovalPresentationSchema = z.object({
  entityType: z.string().max(256).optional(),
  entityId: z.string().max(256).optional(),
  entityName: z.string().max(256).optional(),
  message: z.string().max(4_096).optional(),
});
export type ToolApprovalPresentation = z.output<typeof toolApprovalPresentationSchema>;

/** Where an approval stands; all but `Pending` are final. */
export const approvalStatuses = ["Pending", "Approved", "Rejected", "Expired"] as const;
/** Where an approval stands. */
export const approvalStatusSchema = z.enum(approvalStatuses);
/** Where an approval stands. */
export type ApprovalStatus = z.output<typeof approvalStatusSchema>;

/** A tool call that a person decides. Everything about the call is as the run recorded it. */
export const pendingApprovalSchema = z.object({
  /** UUIDv7; also the `requestId` of inline decisions. */
  id: z.string(),
  tenantId: z.string(),
  /** The run that ended with the question. */
  runId: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  agentName: z.string(),
  toolName: z.string(),
  /** JSON text of what is executed; absent when tool payloads are not recorded. */
  arguments: z.string().optional(),
  presentation: toolApprovalPresentationSchema.optional(),
  status: approvalStatusSchema,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  expiresAt: z.string(),
  decidedBy: z.string().optional(),
  decidedAt: z.string().optional(),
  /** Why it was rejected, or what the model was told with the approval. */
  reason: z.string().optional(),
  /** The run that goes on once every call of the run is decided. */
  continuationRunId: z.string(),
});
export type PendingApproval = z.output<typeof pendingApprovalSchema>;

/** A tool call that waits, as the run's answer and its `approvals` frame show it. */
export const approvalRequestSchema = pendingApprovalSchema
  .pick({
    requestId: true,
    toolName: true,
    arguments: true,
    presentation: true,
    expiresAt: true,
  })
  .extend({ callId: z.string() });
export type ApprovalRequest = z.output<typeof approvalRequestSchema>;

/** A call that waits for the client's own tool. */
export const clientToolCallSchema = z.object({
  callId: z.string(),
  toolName: z.string(),
  /** JSON text. */
  arguments: z.string(),
});
export type ClientToolCall = z.output<typeof clientToolCallSchema>;

/** The body of a decision. Which call it is about is said by its address alone. */
export const approvalDecisionSchema = z.strictObject({
  approved: z.boolean(),
  /** Goes to the model. */
  reason: text(MAX_REASON_LENGTH).optional(),
  /** Saves a standing rule for the tool; only with an approval. */
  remember: z.boolean().default(false),
  /** Saves a standing rule for exactly these arguments; only with an approval. */
  rememberArgumentsOnly: z.boolean().default(false),
});
export type ApprovalDecisionRequest = z.input<typeof approvalDecisionSchema>;
export type ApprovalDecision = z.output<typeof approvalDecisionSchema>;
