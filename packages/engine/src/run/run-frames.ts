/** The native run stream: frames as a view of the recorded events. */

import type {
  Problem,
  RunEventDraft,
  RunFrame,
  RunRecord,
  RunResult,
  RunUpdate,
} from "@tracon/core";
import type { PublishedEvent } from "./published-event.ts";

/** Makes the problem details of a run that failed; whoever knows HTTP passes it in. */
export type DescribeProblem = (fault: {
  readonly code: string;
  readonly detail: string;
  readonly runId: string;
}) => Problem;

export type FrameContext = {
  readonly record: RunRecord;
  readonly result: () => RunResult;
  readonly describeProblem: DescribeProblem;
};

/** The frames an event is shown as; none for an event the native stream does not show. */
export function framesOf(published: PublishedEvent, context: FrameContext): readonly RunFrame[] {
  const { event, recorded } = published;
  const last = frameOf(published, context);
  if (last === undefined) return [];
  if (event.type !== "RunAwaitingInput" || event.payload.approvals === undefined) return [last];
  const id = recorded === undefined ? {} : { id: recorded.sequence };
  return [{ event: "approvals", ...id, data: { approvals: event.payload.approvals } }, last];
}

function frameOf(published: PublishedEvent, context: FrameContext): RunFrame | undefined {
  const { event, recorded } = published;
  const id = recorded === undefined ? {} : { id: recorded.sequence };
  switch (event.type) {
    case "RunStarted":
      return { ...openingFrame(context), ...id };
    case "LoopIterationCompleted":
      // An event that could not be recorded sends no frame.
      return recorded && { event: "loop.iteration-completed", ...id, data: event.payload };
    case "Custom": {
      const { customType, data } = event.payload;
      const text = event.text === undefined ? {} : { text: event.text };
      return recorded && { event: "custom", ...id, data: { customType, ...text, payload: data } };
    }
    case "RunCompleted":
    case "RunAwaitingInput":
      return { event: "done", ...id, data: context.result() };
    case "RunFailed":
      return failure(context, id, event.payload.error.type, event.payload.error.message);
    case "RunCanceled":
      return failure(context, id, "canceled", event.payload.reason);
    default: {
      const update = updateOf(event);
      return update && { event: "update", ...id, data: update };
    }
  }
}

/** The first frame of every stream. */
export const openingFrame = ({ record }: FrameContext): Extract<RunFrame, { event: "run" }> => ({
  event: "run",
  data: runData(record),
});

function runData({ id, agentName, agentVersion, sessionId, culture, startedAt }: RunRecord) {
  return {
    runId: id,
    agentName,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(culture === undefined ? {} : { culture }),
    startedAt,
  };
}

const failure = (
  { describeProblem, record }: FrameContext,
  id: { readonly id?: number },
  code: string,
  detail: string,
): RunFrame => ({
  event: "error",
  ...id,
  data: describeProblem({ code, detail, runId: record.id }),
});

function updateOf(event: RunEventDraft): RunUpdate | undefined {
  switch (event.type) {
    case "MessageDelta":
      return { iteration: event.payload.iteration, kind: "text", text: event.text ?? "" };
    case "ReasoningDelta":
      return { iteration: event.payload.iteration, kind: "reasoning", text: event.text ?? "" };
    case "ToolInvoking": {
      const { iteration, callId, toolName, arguments: value } = event.payload;
      const given = value === undefined ? {} : { arguments: value };
      return { iteration, kind: "toolCall", callId, toolName, ...given };
    }
    case "ToolInvoked": {
      const { iteration, callId, toolName, result } = event.payload;
      const returned = result === undefined ? {} : { result };
      return { iteration, kind: "toolResult", callId, toolName, ...returned };
    }
    case "ToolFailed": {
      const { iteration, callId, toolName, error } = event.payload;
      return { iteration, kind: "toolResult", callId, toolName, error };
    }
    default:
      return undefined;
  }
}
