import type {
  SessionBranchRequest,
  SessionBranchResult,
  SessionDetail,
  SessionRecord,
} from "@tracon/core";
import { pageQuery } from "./next-page.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Which sessions a list holds, and which part of it. */
export type SessionListQuery = {
  readonly agentName?: string | undefined;
  readonly skip?: number | undefined;
  /** 1 to 200; 50 when absent. */
  readonly take?: number | undefined;
};

/** Part of a list that grows. */
export type SessionList = {
  /** The most recently updated first. */
  readonly items: readonly SessionRecord[];
  /** Where the list goes on: give it as `next` to the same call. Absent at the end. */
  readonly next: string | undefined;
};

/** Conversations. A call for one that is not there fails with `session_not_found`. */
export type SessionsClient = {
  /** A first page by its filter, or the page that the `next` of another one names. */
  list(
    query?: SessionListQuery | { readonly next: string },
    options?: CallOptions,
  ): Promise<SessionList>;
  /** With its history; `messages` is `null` when that cannot be read. */
  get(sessionId: string, options?: CallOptions): Promise<SessionDetail>;
  /** Copies its beginning into a new session. Fails with `session_exists` when the new id is taken. */
  branch(
    sessionId: string,
    request?: SessionBranchRequest,
    options?: CallOptions,
  ): Promise<SessionBranchResult>;
  /** Removes it with its history; its runs stay. */
  delete(sessionId: string, options?: CallOptions): Promise<void>;
};

export function sessionsClient(transport: Transport): SessionsClient {
  return {
    list: (query = {}, { signal } = {}) =>
      transport.page("sessions.list", {
        path: {},
        query: "next" in query ? pageQuery(query.next) : query,
        signal,
      }),
    get: (sessionId, { signal } = {}) =>
      transport.json("sessions.get", { path: { sessionId }, signal }),
    branch: (sessionId, request = {}, { signal } = {}) =>
      transport.json("sessions.branch", { path: { sessionId }, body: request, signal }),
    async delete(sessionId, { signal } = {}) {
      await transport.send("sessions.delete", { path: { sessionId }, signal });
    },
  };
}
