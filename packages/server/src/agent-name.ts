import { TraconError } from "@tracon/core";

/** Longest name an agent can have, in UTF-16 units. */
const MAX_NAME_LENGTH = 128;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * The agent a path names, in the form names are compared in. A text no agent can be called is
 * answered here: some stores refuse control characters outright.
 */
export function agentNameOf(segment: string): string {
  if (segment.length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(segment)) {
    throw new TraconError("agent_not_found", "there is no agent of that name");
  }
  return segment.normalize("NFC");
}

/** The path of an agent. */
export const agentPath = (prefix: string, name: string): string =>
  `${prefix}/api/agents/${encodeURIComponent(name)}`;
