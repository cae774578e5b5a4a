import type { ChatMessage } from "../run/message.ts";
import type { SessionRecord } from "../run/session.ts";

/** A stored message as its JSON text: whether it can still be read is the reader's question. */
export type StoredSessionItem = {
  /** Gapless from 0 within the session. */
  readonly sequence: number;
  /** The run that appended it. */
  readonly runId: string;
  readonly json: string;
};

/** Which part of a list: `before` continues after the session it names and costs the same at any depth. */
export type SessionPage = {
  readonly skip: number;
  readonly take: number;
  readonly before?: Pick<SessionRecord, "updatedAt" | "id">;
};

/** A session as a run read it; a write holds only while the session still is that. */
export type FoundSession = Pick<SessionRecord, "version" | "createdAt" | "itemCount">;

/** What a run appends to a session with the entry that ends it. */
export type SessionWrite = {
  readonly sessionId: string;
  readonly agentName: string;
  /** What the run read; absent when there was no such session, which the write then creates. */
  readonly base?: FoundSession;
  /** ISO 8601, UTC: since when there is the session, when the write creates it. */
  readonly openedAt: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
  readonly items: readonly ChatMessage[];
  /**
   * Takes the place of everything that features keep in the session; absent leaves it. Values are JSON,
   * and the size of the whole is limited by whoever writes.
   */
  readonly state?: SessionRecord["state"];
};

/** A copy of the first messages of a session. */
export type SessionBranch = {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly newSessionId: string;
  /** How many messages to copy; not more than the source has. */
  readonly itemCount: number;
  /** Appended behind the copies. */
  readonly closing: readonly ChatMessage[];
  /** ISO 8601, UTC. */
  readonly branchedAt: string;
};

/**
 * Reads of sessions, and what is done to them without a run. A run writes its session through the
 * journal, in the commit of its end.
 *
 * Messages are only appended: nothing rewrites or removes one, except the delete of all of them.
 * Ids are compared exactly. Each call is atomic.
 */
export interface SessionStore {
  get(tenantId: string, sessionId: string): Promise<SessionRecord | undefined>;
  /** The most recently updated first; of equal times the greater id first. */
  list(
    tenantId: string,
    filter: { readonly agentName?: string },
    page: SessionPage,
  ): Promise<readonly SessionRecord[]>;
  /** Messages with a sequence above `after` (−1 for all), in order, at most `take`. */
  history(
    tenantId: string,
    sessionId: string,
    range: { readonly after: number; readonly take: number },
  ): Promise<readonly StoredSessionItem[]>;
  /** `missing`: there is no source, or it has fewer messages. `exists`: the new id is taken. */
  branch(request: SessionBranch): Promise<"branched" | "missing" | "exists">;
  /** Removes the session and its messages; its runs stay. False when there was none. */
  delete(tenantId: string, sessionId: string): Promise<boolean>;
}
