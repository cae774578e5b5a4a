import type { AttachmentDescriptor } from "../run/attachment.ts";

/** Which part of a list: `before` continues after the attachment with that id. */
export type AttachmentPage = {
  readonly skip: number;
  readonly take: number;
  readonly before?: string;
};

/**
 * Uploaded files. A file is written once, whole, and never changed; it is on disk when `add` resolves.
 * Newest first means by id: ids are time ordered.
 */
export interface AttachmentStore {
  /** Rejects when there is an attachment of the id already. */
  add(descriptor: AttachmentDescriptor, content: Uint8Array): Promise<void>;
  get(tenantId: string, id: string): Promise<AttachmentDescriptor | undefined>;
  /** Those of the ids that are there, in any order. */
  find(tenantId: string, ids: readonly string[]): Promise<readonly AttachmentDescriptor[]>;
  content(tenantId: string, id: string): Promise<Uint8Array | undefined>;
  list(
    tenantId: string,
    filter: { readonly sessionId?: string },
    page: AttachmentPage,
  ): Promise<readonly AttachmentDescriptor[]>;
  /** Removes it with its bytes. False when there was none. */
  delete(tenantId: string, id: string): Promise<boolean>;
  /** Removes what was uploaded for a session; to be called when that is deleted. Answers how many. */
  deleteOfSession(tenantId: string, sessionId: string): Promise<number>;
}
