import type { AttachmentDescriptor } from "@tracon/core";
import { connectionError } from "./api-error.ts";
import { pageQuery } from "./next-page.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Which attachments a list holds, and which part of it. */
export type AttachmentListQuery = {
  readonly sessionId?: string | undefined;
  readonly skip?: number | undefined;
  /** 1 to 200; 50 when absent. */
  readonly take?: number | undefined;
};

/** Part of a list of attachments. */
export type AttachmentList = {
  /** Newest first. */
  readonly items: readonly AttachmentDescriptor[];
  /** Where the list goes on: give it as `next` to the same call. Absent at the end. */
  readonly next: string | undefined;
};

/** Files that runs refer to by id. */
export type AttachmentsClient = {
  /**
   * Uploads a file; its id goes into `attachmentIds` of a run. `sessionId` is the session it belongs to
   * and is deleted with. Fails with `request_invalid` when it is too large or of a kind that is refused.
   */
  upload(
    file: Blob,
    options?: CallOptions & { readonly fileName?: string; readonly sessionId?: string },
  ): Promise<AttachmentDescriptor>;
  list(
    query?: AttachmentListQuery | { readonly next: string },
    options?: CallOptions,
  ): Promise<AttachmentList>;
  /** Its bytes. Fails with `attachment_not_found`. */
  content(id: string, options?: CallOptions): Promise<Blob>;
  /** Deletes it for good. Fails with `attachment_not_found`. */
  delete(id: string, options?: CallOptions): Promise<void>;
};

export function attachmentsClient(transport: Transport): AttachmentsClient {
  return {
    upload(file, { signal, fileName, sessionId } = {}) {
      const form = new FormData();
      if (fileName === undefined) form.set("file", file);
      else form.set("file", file, fileName);
      return transport.json("attachments.upload", { path: {}, query: { sessionId }, form, signal });
    },
    list: (query = {}, { signal } = {}) =>
      transport.page("attachments.list", {
        path: {},
        query: "next" in query ? pageQuery(query.next) : query,
        signal,
      }),
    async content(id, { signal } = {}) {
      const parts = { path: { id }, accept: "*/*", signal };
      const response = await transport.send("attachments.content", parts);
      return response.blob().catch((error: unknown) => {
        signal?.throwIfAborted();
        throw connectionError("connection_lost", "the answer broke off", error);
      });
    },
    async delete(id, { signal } = {}) {
      await transport.send("attachments.delete", { path: { id }, signal });
    },
  };
}
