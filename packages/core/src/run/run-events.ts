/**
 * Run events: the one journal everything else is a view of.
 *
 * A run writes one gapless sequence from 0 and ends it with exactly one terminal event. Adding a
 * type means one member here and the rows the compiler then asks for.
 */

import * as z from "zod";
import { approvalRequestSchema, clientToolCallSchema } from "../approval/pending-approval.ts";
import { runCostSchema } from "./cost.ts";
import { runErrorSchema } from "./run-record.ts";
import { runUsageSchema } from "./usage.ts";

const position = {
  /** Iteration of the outer loop, from 1. */
  iteration: z.int(),
  /** Model call within the iteration, from 0. */
  step: z.int(),
};

/** Where a tool call stands: its identity is run, iteration, step and position, never the call id. */
const toolCall = {
  ...position,
  /** Place among the calls of one model answer, from 0. */
  position: z.int(),
  /** The provider's id of the call; may repeat within a run. */
  callId: z.string(),
  toolName: z.string(),
};

/** An identical call of an earlier attempt of the turn gave the outcome; nothing was run. */
const fromLedger = z.boolean().optional();

const modelRef = z.object({ provider: z.string(), model: z.string() });
const child = {
  childRunId: z.string(),
  agentName: z.string(),
  agentVersion: z.int().optional(),
  /** Who called it: the run itself, or one below it, of which its root is told. */
  parentRunId: z.string(),
};
const executor = { executorId: z.string() };
/** Why an answer was not accepted; never the answer itself. */
const rejection = {
  reason: z.enum(["Empty", "NotJson", "RefusedByValidator"]),
  kind: z.enum(["Json", "JsonSchema"]),
  schemaName: z.string().optional(),
  /** Who gave the answer. */
  provider: z.string(),
  model: z.string(),
};
const finished = { usage: runUsageSchema.optional(), cost: runCostSchema.optional() };

/** Payload of a loop event: who was asked, who decided, and how the loop goes on. */
export const loopIterationPayloadSchema = z.object({
  iteration: z.int(),
  continued: z.boolean(),
  continuedBy: z.string().optional(),
  failedCriterion: z.string().optional(),
  ceilingReached: z.boolean().optional(),
  failsRun: z.boolean().optional(),
  criteria: z.array(
    z.object({
      kind: z.string(),
      decision: z.enum(["stop", "continue", "failed"]),
      judge: modelRef.optional(),
      reviewer: z
        .object({ agent: z.string(), version: z.int().optional(), runId: z.string() })
        .optional(),
    }),
  ),
});

/** Payload schema of every event type; `null` for a type that carries none. */
export const runEventPayloads = {
  RunStarted: z.object({
    agentName: z.string(),
    agentVersion: z.int().optional(),
    sessionId: z.string().optional(),
    culture: z.string().optional(),
    modelProvider: z.string().optional(),
    modelId: z.string().optional(),
    lockfileHash: z.string().optional(),
    isStreaming: z.boolean(),
    /** Of the OpenTelemetry trace that the run is part of; absent when nobody traces. */
    traceId: z.string().optional(),
  }),
  MessageDelta: z.object(position),
  MessageCompleted: z.object({
    ...position,
    /** Absent when an agent that code builds did not say which model it calls. */
    modelProvider: z.string().optional(),
    modelId: z.string().optional(),
    finishReason: z.string(),
    toolCallCount: z.int(),
    durationMs: z.number(),
    /** Milliseconds from the request to the first part of the answer. */
    firstPartMs: z.number().optional(),
    usage: runUsageSchema.optional(),
    /** What the call cost, at the price of its moment; absent when that is not known. */
    cost: runCostSchema.optional(),
    /** The usage as the provider sent it. */
    rawUsage: z.record(z.string(), z.unknown()).optional(),
    /** The answer came from the response cache: no tokens, no cost. */
    fromCache: z.boolean().optional(),
  }),
  ReasoningDelta: z.object(position),
  ToolInvoking: z.object({ ...toolCall, arguments: z.string().optional() }),
  ToolInvoked: z.object({
    ...toolCall,
    result: z.string().optional(),
    durationMs: z.number(),
    fromLedger,
  }),
  ToolFailed: z.object({
    ...toolCall,
    /** What the model reads. */
    error: z.string(),
    kind: z.enum([
      "UnknownTool",
      /** The application's own authorization refused the call. */
      "Denied",
      "InvalidArguments",
      /** Nobody waits for the tool any more; it may still finish. */
      "TimedOut",
      /** A person refused the call, or nobody decided in time. */
      "Declined",
      /** Approved, but no longer the call that was asked for. */
      "ApprovalVoid",
      "Failed",
      "Canceled",
      "NotRun",
    ]),
    durationMs: z.number(),
    fromLedger,
  }),
  ToolOutputTruncated: z.object({ ...toolCall, omittedBytes: z.int() }),
  RunCompleted: z.object({
    ...finished,
    /** Calls of the client's own tools, which the next request of the session answers. */
    clientToolCalls: z.array(clientToolCallSchema).optional(),
    /** The session that keeps them; of a run without one it was made with its end. */
    sessionId: z.string().optional(),
  }),
  RunFailed: z.object({ ...finished, error: runErrorSchema }),
  RunCanceled: z.object({ ...finished, reason: z.string() }),
  RunAwaitingInput: z.object({
    ...finished,
    /** The calls that wait for a decision; absent when the run waits for something else. */
    approvals: z.array(approvalRequestSchema).optional(),
    /** The session that keeps them; of a run without one it was made with its end. */
    sessionId: z.string().optional(),
  }),
  ChildRunStarted: z.object(child),
  ChildRunCompleted: z.object({ ...child, status: z.string() }),
  ChildRunTimedOut: z.object({ childRunId: z.string(), hardCutoff: z.boolean() }),
  HistoryCompacted: z.object({ strategy: z.string() }),
  WorkflowStarted: z.object({ workflowName: z.string() }),
  SuperStepStarted: z.object({ superStep: z.int() }),
  SuperStepCompleted: z.object({ superStep: z.int() }),
  ExecutorInvoked: z.object(executor),
  ExecutorCompleted: z.object(executor),
  ExecutorFailed: z.object(executor),
  WorkflowOutput: z.object(executor),
  WorkflowRequest: z.object({ requestId: z.string() }),
  ContentMasked: z.object({ guard: z.string(), rule: z.string() }),
  ContentBlocked: z.object({ guard: z.string(), rule: z.string() }),
  ModelFallbackUsed: z.object({ primary: modelRef, fallback: modelRef }),
  DocumentAttached: z.object({ name: z.string(), sizeBytes: z.int() }),
  RunContinuationBlocked: z.object({ reason: z.string() }),
  StructuredResponseRejected: z.object({
    ...rejection,
    /** The answer would have been asked for again, had the run no session. */
    repairSuppressedBySession: z.literal(true).optional(),
  }),
  StructuredResponseRepairAttempted: z.object({ ...rejection, attempt: z.int() }),
  LoopIterationCompleted: loopIterationPayloadSchema,
  SessionWriteConflicted: z.object({ sessionId: z.string() }),
  Custom: z.object({ customType: z.string(), data: z.unknown().optional() }),
} as const;

export type RunEventType = keyof typeof runEventPayloads;

/** The SSE frame name of every event type. */
export const runEventFrames: Readonly<Record<RunEventType, string>> = {
  RunStarted: "run.started",
  MessageDelta: "message.delta",
  MessageCompleted: "message.completed",
  ReasoningDelta: "reasoning.delta",
  ToolInvoking: "tool.invoking",
  ToolInvoked: "tool.invoked",
  ToolFailed: "tool.failed",
  ToolOutputTruncated: "tool.output-truncated",
  RunCompleted: "run.completed",
  RunFailed: "run.failed",
  RunCanceled: "run.canceled",
  RunAwaitingInput: "run.awaiting-input",
  ChildRunStarted: "child.started",
  ChildRunCompleted: "child.completed",
  ChildRunTimedOut: "child.timed-out",
  HistoryCompacted: "history.compacted",
  WorkflowStarted: "workflow.started",
  SuperStepStarted: "superstep.started",
  SuperStepCompleted: "superstep.completed",
  ExecutorInvoked: "executor.invoked",
  ExecutorCompleted: "executor.completed",
  ExecutorFailed: "executor.failed",
  WorkflowOutput: "workflow.output",
  WorkflowRequest: "workflow.request",
  ContentMasked: "content.masked",
  ContentBlocked: "content.blocked",
  ModelFallbackUsed: "model.fallback-used",
  DocumentAttached: "document.attached",
  RunContinuationBlocked: "run.continuation-blocked",
  StructuredResponseRejected: "structured-response.rejected",
  StructuredResponseRepairAttempted: "structured-response.repair-attempted",
  LoopIterationCompleted: "loop.iteration-completed",
  SessionWriteConflicted: "session.write-conflicted",
  Custom: "custom",
};

/** The event types that end a run. Exactly one of them is the last event of every ended run. */
export const terminalEventTypes: ReadonlySet<RunEventType> = new Set([
  "RunCompleted",
  "RunFailed",
  "RunCanceled",
  "RunAwaitingInput",
] satisfies RunEventType[]);

/** The payload of one event type. */
export type RunEventPayload<Type extends RunEventType> = z.output<(typeof runEventPayloads)[Type]>;

/** One recorded event; `type` decides what `payload` holds. */
export type RunEvent = {
  readonly [Type in RunEventType]: {
    readonly runId: string;
    /** Gapless from 0 within the run; also the SSE id. */
    readonly sequence: number;
    readonly type: Type;
    /** ISO 8601, UTC. */
    readonly timestamp: string;
    readonly text?: string;
    readonly payload: RunEventPayload<Type>;
  };
}[RunEventType];

/** An event before the recorder gives it its run, sequence and time. */
export type RunEventDraft = {
  readonly [Type in RunEventType]: {
    readonly type: Type;
    readonly text?: string;
    readonly payload: RunEventPayload<Type>;
  };
}[RunEventType];

/** The event as it travels, for the OpenAPI document; a client narrows by `type`. */
export const runEventSchema = z.object({
  runId: z.string(),
  sequence: z.int(),
  type: z.enum(Object.keys(runEventPayloads) as [RunEventType, ...RunEventType[]]),
  timestamp: z.string(),
  text: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
});
