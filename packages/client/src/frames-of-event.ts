import type { RunEvent, RunEventType, RunFrame } from "@tracon/core";

type EventOf<Type extends RunEventType> = Extract<RunEvent, { readonly type: Type }>;
type Conversion<Type extends RunEventType> = (event: EventOf<Type>) => readonly RunFrame[];

const none = (): readonly RunFrame[] => [];

/** One row per event type, so that a new type does not compile before it is decided here. */
const conversions: { readonly [Type in RunEventType]: Conversion<Type> } = {
  RunStarted: ({ runId, sequence, timestamp, payload }) => [
    {
      event: "run",
      id: sequence,
      data: {
        runId,
        agentName: payload.agentName,
        ...(payload.agentVersion === undefined ? {} : { agentVersion: payload.agentVersion }),
        ...(payload.sessionId === undefined ? {} : { sessionId: payload.sessionId }),
        ...(payload.culture === undefined ? {} : { culture: payload.culture }),
        startedAt: timestamp,
      },
    },
  ],
  MessageDelta: ({ sequence, text = "", payload: { iteration } }) => [
    { event: "update", id: sequence, data: { iteration, kind: "text", text } },
  ],
  ReasoningDelta: ({ sequence, text = "", payload: { iteration } }) => [
    { event: "update", id: sequence, data: { iteration, kind: "reasoning", text } },
  ],
  ToolInvoking: ({ sequence, payload: { iteration, callId, toolName, arguments: given } }) => [
    {
      event: "update",
      id: sequence,
      data: {
        iteration,
        kind: "toolCall",
        callId,
        toolName,
        ...(given === undefined ? {} : { arguments: given }),
      },
    },
  ],
  ToolInvoked: ({ sequence, payload: { iteration, callId, toolName, result } }) => [
    {
      event: "update",
      id: sequence,
      data: {
        iteration,
        kind: "toolResult",
        callId,
        toolName,
        ...(result === undefined ? {} : { result }),
      },
    },
  ],
  ToolFailed: ({ sequence, payload: { iteration, callId, toolName, error } }) => [
    {
      event: "update",
      id: sequence,
      data: { iteration, kind: "toolResult", callId, toolName, error },
    },
  ],
  LoopIterationCompleted: ({ sequence, payload }) => [
    { event: "loop.iteration-completed", id: sequence, data: payload },
  ],
  RunAwaitingInput: ({ sequence, payload: { approvals } }) =>
    approvals === undefined ? [] : [{ event: "approvals", id: sequence, data: { approvals } }],
  Custom: ({ sequence, text, payload: { customType, data } }) => [
    {
      event: "custom",
      id: sequence,
      data: {
        customType,
        ...(text === undefined ? {} : { text }),
        ...(data === undefined ? {} : { payload: data }),
      },
    },
  ],
  MessageCompleted: none,
  ToolOutputTruncated: none,
  RunCompleted: none,
  RunFailed: none,
  RunCanceled: none,
  ChildRunStarted: none,
  ChildRunCompleted: none,
  ChildRunTimedOut: none,
  HistoryCompacted: none,
  WorkflowStarted: none,
  SuperStepStarted: none,
  SuperStepCompleted: none,
  ExecutorInvoked: none,
  ExecutorCompleted: none,
  ExecutorFailed: none,
  WorkflowOutput: none,
  WorkflowRequest: none,
  ContentMasked: none,
  ContentBlocked: none,
  ModelFallbackUsed: none,
  DocumentAttached: none,
  RunContinuationBlocked: none,
  StructuredResponseRejected: none,
  StructuredResponseRepairAttempted: none,
  SessionWriteConflicted: none,
};

/**
 * The frames of the native run stream that mirror a recorded event, in order; most types have none.
 * The last frame of a run (`done` or `error`) is not among them: it sums up the whole run, which one
 * event does not hold.
 */
export function framesOfEvent(event: RunEvent): readonly RunFrame[] {
  // A server newer than this client may record types that are not in the table.
  const convert = conversions[event.type] as Conversion<RunEventType> | undefined;
  return convert === undefined ? [] : convert(event);
}
