/** Sessions: conversations that outlive their runs. */

import * as z from "zod";
import { fromUser, text, withoutNullMembers } from "../schema/member.ts";
import { chatMessageSchema } from "./message.ts";

/** Longest id of a session, in UTF-16 units. */
export const MAX_SESSION_ID_LENGTH = 128;

/**
 * The id of a session, the caller's own: any text that can stand in an address, which neither control
 * characters nor half a character can, and which `.` and `..` would lead elsewhere.
 */
export const sessionIdText = () =>
  text(MAX_SESSION_ID_LENGTH).regex(
    /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u,
    "use any text without control characters, but not '.' or '..'",
  );

const common = {
  id: z.string(),
  /** The agent that opened the session; no other one runs on it. */
  agentName: z.string(),
  tenantId: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** ISO 8601, UTC: when the last turn was saved. */
  updatedAt: z.string(),
  ownerId: z.string().optional(),
  /** The session it was branched from, which may be gone. */
  parentSessionId: z.string().optional(),
  /** The last item that was copied from there; −1 when none was. */
  branchFromSequence: z.int().optional(),
  /** Number of the write that made it what it is, from 1. A turn is saved on the version it began with. */
  version: z.int(),
  /** Messages in its history. */
  itemCount: z.int(),
  /** What features keep in the session beside its history. */
  state: z.record(z.string(), z.unknown()),
  /** Version of the format of history and state. */
  stateSchemaVersion: z.int(),
};

/** A session without its history. */
export const sessionRecordSchema = z.object(common);
export type SessionRecord = z.output<typeof sessionRecordSchema>;

/** A session with its history. */
export const sessionDetailSchema = z.object({
  ...common,
  /** The history; the index of a message is its sequence. `null` when it cannot be read. */
  messages: z.array(chatMessageSchema).nullable(),
});
export type SessionDetail = z.output<typeof sessionDetailSchema>;

const sessionBranchRequestShape = z.strictObject({
  /** The last message to copy; all are copied without it. */
  upToSequence: z.int().min(0).max(2_147_483_647).optional(),
  /** Id of the new session; one is made without it. */
  newSessionId: sessionIdText().optional(),
});
/** Reads a branch request: `null` members count as absent, unknown ones are refused. */
export const sessionBranchRequestSchema = fromUser(
  (value) => withoutNullMembers(value, new Set()),
  sessionBranchRequestShape,
);
/** What is copied into a new session. */
export type SessionBranchRequest = z.input<typeof sessionBranchRequestShape>;

/** A session that was branched. Conversations of the OpenAI-compatible API have the ids of sessions. */
export const sessionBranchResultSchema = z.object({
  sessionId: z.string(),
  conversationId: z.string(),
  parentSessionId: z.string(),
  parentConversationId: z.string(),
  /** The last message that was copied; −1 when none was. */
  branchFromSequence: z.int(),
  copiedItemCount: z.int(),
});
export type SessionBranchResult = z.output<typeof sessionBranchResultSchema>;
