import type { RunEvent } from "@tracon/core";

/** What an event that is neither part of a model nor of a tool call says, in one line. */
export function momentTitle(event: RunEvent): string {
  switch (event.type) {
    case "ModelFallbackUsed":
      return `Fell back from ${event.payload.primary.model} to ${event.payload.fallback.model}`;
    case "HistoryCompacted":
      return `History compacted: ${event.payload.strategy}`;
    case "ContentMasked":
      return `Content masked by ${event.payload.guard}`;
    case "ContentBlocked":
      return `Content blocked by ${event.payload.guard}`;
    case "DocumentAttached":
      return `Document attached: ${event.payload.name}`;
    case "StructuredResponseRejected":
      return `Answer did not fit its schema: ${event.payload.reason}`;
    case "StructuredResponseRepairAttempted":
      return `Repair ${event.payload.attempt} of the answer`;
    case "RunContinuationBlocked":
      return `Not continued: ${event.payload.reason}`;
    case "Custom":
      return event.text ?? event.payload.customType;
    default:
      return event.text ?? wordsOf(event.type);
  }
}

/** `SessionWriteConflicted` as words. */
const wordsOf = (type: string): string =>
  type.charAt(0) + type.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
