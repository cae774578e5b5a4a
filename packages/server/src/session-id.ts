import { sessionIdText, TraconError } from "@tracon/core";

const sessionId = sessionIdText();

/** The session a path names. What no session can be called is not there, and no store is asked for it. */
export function sessionIdOf(segment: string): string {
  if (sessionId.safeParse(segment).success) return segment;
  throw new TraconError("session_not_found", "there is no such session");
}
