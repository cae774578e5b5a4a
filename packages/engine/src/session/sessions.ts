import type { SessionBranchResult, SessionDetail, SessionPage, SessionRecord } from "@tracon/core";

/** Conversations of this installation. A run opens and continues them; here they are read and copied. */
export interface Sessions {
  /** The most recently updated first. */
  list(
    tenantId: string,
    filter: { readonly agentName?: string },
    page: SessionPage,
  ): Promise<readonly SessionRecord[]>;
  /** With its history. Throws `session_not_found`. */
  get(tenantId: string, sessionId: string): Promise<SessionDetail>;
  /**
   * Copies the beginning of a session into a new one; the source stays as it is. Throws
   * `session_not_found`, `session_exists`, `session_unreadable`, `request_invalid`.
   */
  branch(tenantId: string, sessionId: string, request: unknown): Promise<SessionBranchResult>;
  /** Removes a session with its history and the files uploaded for it; its runs stay. Throws `session_not_found`. */
  delete(tenantId: string, sessionId: string): Promise<void>;
}
