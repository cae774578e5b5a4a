/** The session of a run: read before it starts, written with its end. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  type ChatMessage,
  type FoundSession,
  finding,
  type SessionRecord,
  type SessionStore,
  type SessionWrite,
  TraconError,
} from "@tracon/core";
import { closingOf } from "./call-results.ts";
import { chatMessagesOf } from "./chat-messages.ts";
import type { Conversation } from "./conversation.ts";
import { promptOfHistory } from "./history-prompt.ts";
import { MAX_SESSION_MESSAGES, readHistory, unreadableHistory } from "./read-history.ts";
import { TurnTranscript } from "./turn-transcript.ts";

/** A session as a run found it, or the one it opens. */
export type LoadedSession = {
  readonly sessionId: string;
  readonly agentName: string;
  /** Absent when there is no such session yet. */
  readonly base: FoundSession | undefined;
  readonly messages: readonly ChatMessage[];
  /** Closes calls that were left open and that nothing explains; it is saved with the next turn. */
  readonly closing: readonly ChatMessage[];
  /** What features keep in it. */
  readonly state: SessionRecord["state"];
};

export type LoadSessionRequest = {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly agentName: string;
  /** Ids of calls that somebody is still to answer: they stay open. */
  readonly awaited?: ReadonlySet<string>;
};

/**
 * Reads a session for a run of an agent. Throws `request_invalid` when it is another agent's or full,
 * `session_unreadable`, and `session_conflict` when it goes away meanwhile.
 */
export async function loadSession(
  sessions: SessionStore,
  { tenantId, sessionId, agentName, awaited }: LoadSessionRequest,
): Promise<LoadedSession> {
  const record = await sessions.get(tenantId, sessionId);
  if (record === undefined) {
    return { sessionId, agentName, base: undefined, messages: [], closing: [], state: {} };
  }
  const { version, createdAt, itemCount, state } = record;
  if (record.agentName !== agentName) {
    const message = `session '${sessionId}' belongs to agent '${record.agentName}'; run that agent or name another session`;
    throw refused("session_agent_mismatch", message);
  }
  if (itemCount >= MAX_SESSION_MESSAGES) {
    const message = `session '${sessionId}' has ${itemCount} messages and takes no more (limit ${MAX_SESSION_MESSAGES}); begin another one or branch it earlier`;
    throw refused("session_full", message);
  }
  const messages = await readHistory(sessions, { tenantId, sessionId }, itemCount);
  if (messages === undefined) throw unreadableHistory(sessionId);
  if (messages.length < itemCount) throw changedWhileRead(sessionId);
  const closing = closingOf(messages, awaited);
  const base = { version, createdAt, itemCount };
  return { sessionId, agentName, base, messages, closing, state };
}

function refused(code: Parameters<typeof finding>[0], message: string): TraconError {
  return new TraconError("request_invalid", "the run was not started", {
    findings: [finding(code, "sessionId", message)],
  });
}

const changedWhileRead = (sessionId: string): TraconError =>
  new TraconError(
    "session_conflict",
    `session '${sessionId}' was deleted while it was read; send the turn again`,
  );

/** The conversation of a run in a session. */
export function conversationOf({ messages, closing }: LoadedSession): Conversation {
  const stored = [...messages, ...closing];
  const { prompt: history, callIds } = promptOfHistory(stored);
  return { history, stored, callIds, transcript: new TurnTranscript(), isSaved: true };
}

/** A turn as it is saved. */
export type Turn = {
  /** What the caller said; absent when a turn goes on without a word of theirs. */
  readonly asked: ChatMessage | undefined;
  /** What the model and the tools said. */
  readonly said: LanguageModelV4Prompt;
  /** Ids of calls that stay open on purpose; all others are closed. */
  readonly awaited?: ReadonlySet<string>;
  /** Absent leaves the session's state as it is. */
  readonly state?: SessionRecord["state"] | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
};

/** What the last entry of a run appends to its session. */
export function sessionWrite(session: LoadedSession, turn: Turn): SessionWrite {
  const { sessionId, agentName, base, closing } = session;
  const said = chatMessagesOf(turn.said);
  return {
    sessionId,
    agentName,
    ...(base === undefined ? {} : { base }),
    openedAt: turn.startedAt,
    savedAt: turn.savedAt,
    ...(turn.state === undefined ? {} : { state: turn.state }),
    items: [
      ...closing,
      ...(turn.asked === undefined ? [] : [turn.asked]),
      ...said,
      ...closingOf(said, turn.awaited),
    ],
  };
}
