import type { AttachmentDescriptor, AttachmentPage } from "@tracon/core";

/** A file on its way in. */
export type AttachmentUpload = {
  /** Of a path only the last part is kept. */
  readonly fileName: string;
  readonly content: Uint8Array;
  /** The session it belongs to and goes with. */
  readonly sessionId?: string;
};

/** What may be uploaded. */
export type AttachmentLimits = {
  /** Largest file in bytes. Default 20 MiB. */
  readonly maxBytes: number;
  /** Kinds by their media type; `audio/*` is all of them. */
  readonly allowedMediaTypes: readonly string[];
};

/** Files that runs refer to by id. */
export interface Attachments {
  /** Largest file in bytes, so that whoever reads one can stop there. */
  readonly maxBytes: number;
  /** Keeps a file. Throws `request_invalid` with everything that is wrong with it. */
  upload(tenantId: string, upload: AttachmentUpload): Promise<AttachmentDescriptor>;
  /** Newest first. */
  list(
    tenantId: string,
    filter: { readonly sessionId?: string },
    page: AttachmentPage,
  ): Promise<readonly AttachmentDescriptor[]>;
  /** Throws `attachment_not_found`. */
  get(tenantId: string, id: string): Promise<AttachmentDescriptor>;
  /** Its bytes. Throws `attachment_not_found`. */
  content(tenantId: string, id: string): Promise<Uint8Array>;
  /** Removes it for good; a message that names it then says so. Throws `attachment_not_found`. */
  delete(tenantId: string, id: string): Promise<void>;
}
