/** How a run ends when what it said could not be saved in its session. */

import type { RunEventDraft, RunEventPayload, SessionWrite } from "@tracon/core";

type Totals = Pick<RunEventPayload<"RunFailed">, "usage" | "cost">;

/** Somebody else saved a turn first. Two events, the last of which ends the run. */
export function conflictEvents(
  { sessionId }: SessionWrite,
  totals: Totals,
): readonly RunEventDraft[] {
  const type = "session_conflict";
  const message = `session '${sessionId}' changed while the turn ran, so the turn was not saved in it; send it again`;
  const error = { type, message, class: "Unknown" as const, fingerprint: type };
  return [
    { type: "SessionWriteConflicted", payload: { sessionId } },
    { type: "RunFailed", payload: { ...totals, error } },
  ];
}

/** The run could not be recorded any more, and with its record the session is out of reach. */
export function unsavedEvent({ sessionId }: SessionWrite, totals: Totals): RunEventDraft {
  const type = "store_unavailable";
  const message = `the store did not take the turn, so it is not part of session '${sessionId}'`;
  const error = { type, message, class: "Infrastructure" as const, fingerprint: type };
  return { type: "RunFailed", payload: { ...totals, error } };
}
