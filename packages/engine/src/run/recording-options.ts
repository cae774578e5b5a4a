import type { RunEventDraft } from "@tracon/core";
import { cutText } from "../tools/cut-text.ts";

/** What is recorded of runs. */
export type RecordingOptions = {
  /** Text deltas. Default true. */
  readonly recordMessageDeltas: boolean;
  /** Reasoning deltas. Default false: they are streamed but not kept. */
  readonly recordReasoningDeltas: boolean;
  /** Arguments and results of tool calls. Default true. */
  readonly recordToolPayloads: boolean;
  /** What the run was asked. Default true. */
  readonly recordRunInput: boolean;
  /** Longest recorded argument or result text in UTF-16 units; 0 keeps all. Default 8,192. */
  readonly maxPayloadLength: number;
};

/** The event with no more in it than is to be recorded. */
export function recordable(event: RunEventDraft, options: RecordingOptions): RunEventDraft {
  const { recordRunInput, recordToolPayloads, maxPayloadLength } = options;
  if (event.type === "RunStarted" && !recordRunInput) {
    return { type: event.type, payload: event.payload };
  }
  if (event.type === "ToolInvoking") {
    const { arguments: value, ...payload } = event.payload;
    if (!recordToolPayloads) return { type: event.type, payload };
    return { type: event.type, payload: { ...payload, arguments: cut(value, maxPayloadLength) } };
  }
  if (event.type === "ToolInvoked") {
    const { result, ...payload } = event.payload;
    if (!recordToolPayloads) return { type: event.type, payload };
    return { type: event.type, payload: { ...payload, result: cut(result, maxPayloadLength) } };
  }
  if (event.type === "RunAwaitingInput" && !recordToolPayloads) {
    const { approvals, ...payload } = event.payload;
    if (approvals === undefined) return event;
    const shown = approvals.map(({ arguments: _, ...approval }) => approval);
    return { type: event.type, payload: { ...payload, approvals: shown } };
  }
  return event;
}

function cut(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || maxLength === 0 || text.length <= maxLength) return text;
  const kept = cutText(text, maxLength);
  return `${kept}… [${text.length - kept.length} more characters]`;
}
