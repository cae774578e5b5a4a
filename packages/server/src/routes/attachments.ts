import { type AttachmentDescriptor, attachmentDescriptorSchema, TraconError } from "@tracon/core";
import * as z from "zod";
import { json, noContent } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { filterText, integer, take } from "../read-query.ts";
import { readUpload } from "../read-upload.ts";
import { defineRoute } from "../route.ts";
import { decodeRunCursor, encodeRunCursor } from "../run-cursor.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Attachments";
const FIELD = "file";
const content = {
  "application/json": { schema: attachmentDescriptorSchema, example: examples.attachment },
};
/** As a run request and a definition of a session write it. */
const sessionId = () => filterText(128);

export const uploadAttachment = defineRoute({
  method: "POST",
  path: "/api/attachments",
  operationId: "uploadAttachment",
  tag,
  summary: "Upload a file",
  description:
    "What kind of file it is is seen in its bytes; what the form says of it does not count. Give its id as one of `attachmentIds` of a run.",
  access: "guarded",
  query: z.object({
    sessionId: sessionId()
      .describe("The session it belongs to: only its runs may use it, and it goes with it.")
      .optional(),
  }),
  upload: { field: FIELD, description: "The file; 20 MiB by default." },
  responses: { 201: { description: "What is known of it.", content } },
  errors: [],
  async handler({ request, context, query }) {
    const { attachments } = context.engine;
    const upload = await readUpload(request, { field: FIELD, maxBytes: attachments.maxBytes });
    const session = query.sessionId === undefined ? {} : { sessionId: query.sessionId };
    const descriptor = await attachments.upload(TENANT_ID, { ...upload, ...session });
    const location = `${context.prefix}/api/attachments/${descriptor.id}`;
    return json(descriptor, { status: 201, headers: { location } });
  },
});

const listQuery = z.object({
  sessionId: sessionId().describe("Files of this session.").optional(),
  skip: integer(0).describe("Files to leave out; prefer the `Link` header.").default(0),
  take: take(),
  cursor: filterText(64).describe("From a `Link` header of this list.").optional(),
});

export const listAttachments = defineRoute({
  method: "GET",
  path: "/api/attachments",
  operationId: "listAttachments",
  tag,
  summary: "List files",
  description: "Newest first, without their bytes.",
  access: "guarded",
  query: listQuery,
  responses: {
    200: {
      description: "The files.",
      content: {
        "application/json": {
          schema: z.array(attachmentDescriptorSchema),
          example: [examples.attachment],
        },
      },
      headers: { Link: 'The next page, as `rel="next"`; absent on the last page.' },
    },
  },
  errors: ["cursor_invalid"],
  async handler({ context, query }) {
    const { skip, take: count, cursor, sessionId: session } = query;
    const before = cursor === undefined ? {} : { before: decodeRunCursor(cursor) };
    const filter = session === undefined ? {} : { sessionId: session };
    const page = { skip, take: count, ...before };
    const files = await context.engine.attachments.list(TENANT_ID, filter, page);

    const last = files.length === count ? files.at(-1) : undefined;
    if (last === undefined) return json(files);
    const search = new URLSearchParams({ ...filter, take: String(count) });
    search.set("cursor", encodeRunCursor(last.id));
    const link = `<${context.prefix}/api/attachments?${search}>; rel="next"`;
    return json(files, { headers: { link } });
  },
});

export const getAttachment = defineRoute({
  method: "GET",
  path: "/api/attachments/{id}",
  operationId: "getAttachment",
  tag,
  summary: "Download a file",
  description: "Its bytes, to be saved: a browser neither shows nor guesses at them.",
  access: "guarded",
  headers: [
    {
      name: "If-None-Match",
      description: "An `ETag` of this file; it never changes.",
      example: `"${examples.attachment.sha256}"`,
    },
  ],
  responses: {
    200: {
      description: "The bytes, with the media type that was found in them.",
      content: { "application/octet-stream": { example: "%PDF-1.7 …" } },
      headers: { ETag: "SHA-256 of the bytes.", "Content-Disposition": "`attachment`." },
    },
    304: { description: "The caller has it already." },
  },
  errors: ["attachment_not_found"],
  async handler({ request, context, param }) {
    const id = attachmentIdOf(param("id"));
    const { attachments } = context.engine;
    const descriptor = await attachments.get(TENANT_ID, id);
    const headers = headersOf(descriptor);
    if (isKnown(request.headers.get("if-none-match"), headers.etag)) {
      return new Response(null, { status: 304, headers: { etag: headers.etag } });
    }
    const bytes = await attachments.content(TENANT_ID, id);
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  },
});

export const deleteAttachment = defineRoute({
  method: "DELETE",
  path: "/api/attachments/{id}",
  operationId: "deleteAttachment",
  tag,
  summary: "Delete a file",
  description: "For good. A conversation that names it then says that it was deleted.",
  access: "guarded",
  responses: { 204: { description: "It is gone." } },
  errors: ["attachment_not_found"],
  async handler({ context, param }) {
    await context.engine.attachments.delete(TENANT_ID, attachmentIdOf(param("id")));
    return noContent();
  },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is not a UUID is no attachment's id, and no store is asked for it. */
function attachmentIdOf(segment: string): string {
  if (UUID.test(segment)) return segment.toLowerCase();
  throw new TraconError("attachment_not_found", "there is no such attachment");
}

const headersOf = ({ mediaType, byteSize, sha256, fileName }: AttachmentDescriptor) => ({
  "content-type": mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType,
  "content-length": String(byteSize),
  etag: `"${sha256}"`,
  "content-disposition": `attachment; filename="${plainAscii(fileName)}"; filename*=UTF-8''${encoded(fileName)}`,
  "cache-control": "private, no-cache",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
});

/** For programs that do not read the other one. */
const plainAscii = (name: string): string => name.replaceAll(/[^ !#-[\]-~]/g, "_");

/** As RFC 8187 has it, which lets fewer characters stand than an address does. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Tags are compared as texts: the bytes of one never change. */
const isKnown = (header: string | null, etag: string): boolean =>
  (header ?? "")
    .split(",")
    .map((text) => text.trim().replace(/^W\//, ""))
    .some((known) => known === "*" || known === etag);
