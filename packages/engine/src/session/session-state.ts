/** What a run leaves of its state in its session. */

import { type Log, TraconError } from "@tracon/core";
import type { LoadedSession } from "./load-session.ts";

type State = LoadedSession["state"];

/** Longest JSON text of a session's state, in UTF-8 bytes: each run reads it, and each list shows it. */
export const MAX_SESSION_STATE_BYTES = 1_048_576;

/** Throws `session_state_too_large` for a changed state that no session takes. */
export function refuseLargeState(state: State, before: State | undefined): void {
  const bytes = state === before ? 0 : bytesOf(state);
  if (bytes <= MAX_SESSION_STATE_BYTES) return;
  const message = `what features keep in the session has ${bytes} bytes and may have ${MAX_SESSION_STATE_BYTES}; it stays as it was before the run`;
  throw new TraconError("session_state_too_large", message);
}

/**
 * The state as it goes with a turn into the session; `undefined` leaves what is there, because nothing
 * changed or because it does not fit. A turn is worth saving without it: what it did has happened.
 */
export function savedState(
  state: State,
  { sessionId, state: before }: Pick<LoadedSession, "sessionId" | "state">,
  log: Log,
): State | undefined {
  if (state === before) return undefined;
  const bytes = bytesOf(state);
  if (bytes <= MAX_SESSION_STATE_BYTES) return state;
  log.warn("the state of a session is too large and was not saved", { sessionId, bytes });
  return undefined;
}

const bytesOf = (state: State): number => Buffer.byteLength(JSON.stringify(state));
