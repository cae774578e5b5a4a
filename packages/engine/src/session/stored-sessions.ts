/** Reads, copies and deletes of sessions: the engine's `Sessions`. */

import {
  type AttachmentStore,
  type Clock,
  finding,
  findingsOf,
  type IdSource,
  type SessionRecord,
  type SessionStore,
  sessionBranchRequestSchema,
  TraconError,
} from "@tracon/core";
import { closingOf } from "./call-results.ts";
import { readHistory, unreadableHistory } from "./read-history.ts";
import type { Sessions } from "./sessions.ts";

type StoredSessionsOptions = {
  readonly sessions: SessionStore;
  readonly attachments: Pick<AttachmentStore, "deleteOfSession">;
  readonly ids: IdSource;
  readonly clock: Clock;
};

export function createSessions({
  sessions,
  attachments,
  ids,
  clock,
}: StoredSessionsOptions): Sessions {
  async function recordOf(tenantId: string, sessionId: string): Promise<SessionRecord> {
    const record = await sessions.get(tenantId, sessionId);
    if (record === undefined) throw notFound(sessionId);
    return record;
  }

  return {
    list: (tenantId, filter, page) => sessions.list(tenantId, filter, page),

    async get(tenantId, sessionId) {
      const record = await recordOf(tenantId, sessionId);
      const messages = await readHistory(sessions, { tenantId, sessionId }, record.itemCount);
      return { ...record, messages: messages === undefined ? null : [...messages] };
    },

    async branch(tenantId, sessionId, request) {
      const read = sessionBranchRequestSchema.safeParse(request, { reportInput: true });
      if (!read.success) throw refused(findingsOf(read.error));
      const { upToSequence, newSessionId = ids.next() } = read.data;
      const record = await recordOf(tenantId, sessionId);
      const itemCount = countOf(record, upToSequence);
      const messages = await readHistory(sessions, { tenantId, sessionId }, itemCount);
      if (messages === undefined) throw unreadableHistory(sessionId);
      const outcome = await sessions.branch({
        tenantId,
        sourceId: sessionId,
        newSessionId,
        itemCount,
        // A copy that ends between a call and its result would owe a result nobody has.
        closing: closingOf(messages),
        branchedAt: new Date(clock.now()).toISOString(),
      });
      if (outcome === "missing") throw notFound(sessionId);
      if (outcome === "exists") throw exists(newSessionId);
      return {
        sessionId: newSessionId,
        conversationId: newSessionId,
        parentSessionId: sessionId,
        parentConversationId: sessionId,
        branchFromSequence: itemCount - 1,
        copiedItemCount: itemCount,
      };
    },

    async delete(tenantId, sessionId) {
      if (!(await sessions.delete(tenantId, sessionId))) throw notFound(sessionId);
      // Nobody finds them any more; a crash in between leaves files that are in the list still.
      await attachments.deleteOfSession(tenantId, sessionId);
    },
  };
}

function countOf({ id, itemCount }: SessionRecord, upToSequence: number | undefined): number {
  if (upToSequence === undefined) return itemCount;
  if (upToSequence < itemCount) return upToSequence + 1;
  const last = itemCount === 0 ? "it has none" : `its last one is ${itemCount - 1}`;
  const message = `session '${id}' has no message ${upToSequence}; ${last}`;
  throw refused([finding("sequence_unknown", "upToSequence", message)]);
}

const refused = (findings: ReturnType<typeof findingsOf>): TraconError =>
  new TraconError("request_invalid", "the session was not branched", { findings });

const notFound = (sessionId: string): TraconError =>
  new TraconError("session_not_found", `there is no session '${sessionId}'`);

const exists = (sessionId: string): TraconError =>
  new TraconError("session_exists", `there is a session '${sessionId}' already; choose another id`);
