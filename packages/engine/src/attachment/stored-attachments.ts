/** Uploads and reads of files: the engine's `Attachments`. */

import { createHash } from "node:crypto";
import {
  type AttachmentStore,
  type Clock,
  type Finding,
  finding,
  type IdSource,
  TraconError,
} from "@tracon/core";
import type { AttachmentLimits, Attachments, AttachmentUpload } from "./attachments.ts";
import { mediaTypeOf } from "./media-type.ts";

const DEFAULT_LIMITS: AttachmentLimits = {
  maxBytes: 20_971_520,
  allowedMediaTypes: [
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "application/pdf",
    "text/plain",
    "audio/*",
  ],
};
/** Longest name of a file, in UTF-16 units: what file systems take. */
const MAX_NAME_LENGTH = 255;

type StoredAttachmentsOptions = {
  readonly attachments: AttachmentStore;
  readonly limits: Partial<AttachmentLimits> | undefined;
  readonly ids: IdSource;
  readonly clock: Clock;
};

export function createAttachments(options: StoredAttachmentsOptions): Attachments {
  const { attachments: store, ids, clock } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    maxBytes: limits.maxBytes,

    async upload(tenantId, { fileName, content, sessionId }) {
      const mediaType = mediaTypeOf(content);
      const findings = uploadFindings({ fileName, content }, mediaType, limits);
      if (findings.length > 0 || mediaType === undefined) {
        throw new TraconError("request_invalid", "the file was not kept", { findings });
      }
      const descriptor = {
        id: ids.next(),
        tenantId,
        ...(sessionId === undefined ? {} : { sessionId }),
        fileName: plainName(fileName),
        mediaType,
        byteSize: content.length,
        sha256: createHash("sha256").update(content).digest("hex").toUpperCase(),
        createdAt: new Date(clock.now()).toISOString(),
      };
      await store.add(descriptor, content);
      return descriptor;
    },

    list: (tenantId, filter, page) => store.list(tenantId, filter, page),

    get: async (tenantId, id) => (await store.get(tenantId, id)) ?? notFound(),

    content: async (tenantId, id) => (await store.content(tenantId, id)) ?? notFound(),

    async delete(tenantId, id) {
      if (!(await store.delete(tenantId, id))) notFound();
    },
  };
}

function notFound(): never {
  throw new TraconError("attachment_not_found", "there is no such attachment");
}

function uploadFindings(
  { content }: Pick<AttachmentUpload, "fileName" | "content">,
  mediaType: string | undefined,
  { maxBytes, allowedMediaTypes }: AttachmentLimits,
): readonly Finding[] {
  if (content.length === 0) return [finding("attachment_empty", "file", "the file is empty")];
  const findings: Finding[] = [];
  if (content.length > maxBytes) findings.push(tooLarge(maxBytes));
  if (mediaType === undefined) {
    const message = "its bytes are of no kind that is known here";
    findings.push(finding("media_type_unknown", "file", message));
  } else if (!allowedMediaTypes.some((allowed) => covers(allowed, mediaType))) {
    const message = `'${mediaType}' may not be uploaded; allowed are ${allowedMediaTypes.join(", ")}`;
    findings.push(finding("media_type_refused", "file", message));
  }
  return findings;
}

/** Also for whoever stops reading a file that is too large. */
export const tooLarge = (maxBytes: number): Finding =>
  finding("attachment_too_large", "file", `is larger than ${maxBytes} bytes`);

const covers = (allowed: string, mediaType: string): boolean =>
  allowed.endsWith("/*") ? mediaType.startsWith(allowed.slice(0, -1)) : allowed === mediaType;

/** The last part of a path, without what could break out of a header or a line of a log. */
function plainName(fileName: string): string {
  const last = fileName.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const plain = last.replaceAll(/\p{Cc}|\p{Cf}/gu, "").trim();
  const isName = plain !== "" && plain !== "." && plain !== "..";
  return isName ? plain.slice(0, MAX_NAME_LENGTH).toWellFormed() : "file";
}
