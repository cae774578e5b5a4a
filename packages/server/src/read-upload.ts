/**
 * Reads a form with one file in it. No more of it is kept than the largest file and its frame: reading
 * stops there, whatever the request says of its length.
 */

import { finding, TraconError } from "@tracon/core";
import { attachmentTooLarge } from "@tracon/engine";
import { partsOfForm } from "./multipart.ts";

export type Upload = { readonly fileName: string; readonly content: Uint8Array };

/** What a form adds to its file: boundaries, names, and a field too many, to be able to name it. */
const FRAME_BYTES = 65_536;
/** Fields that are named when they should not be there. */
const MAX_PARTS = 8;
const FORM = /^multipart\/form-data *;/i;

/** The file of the field. Throws `media_type_unsupported`, `request_invalid`. */
export async function readUpload(
  request: Request,
  { field, maxBytes }: { readonly field: string; readonly maxBytes: number },
): Promise<Upload> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!FORM.test(contentType)) {
    const message = `send a form (multipart/form-data) with the file in its field '${field}'`;
    throw new TraconError("media_type_unsupported", message);
  }
  const bytes = await readBounded(request, maxBytes);
  const parts = partsOfForm(bytes, contentType, MAX_PARTS);
  if (parts === undefined) throw unreadable("the body is not the form its content type says");
  const others = parts.filter(({ name }) => name !== field);
  if (others.length > 0) {
    throw refused(
      others.map(({ name }) => finding("unknown_member", name, "is not a field of this form")),
    );
  }
  if (parts.length > 1)
    throw refused([finding("duplicate_name", field, "is given more than once")]);
  const [part] = parts;
  if (part?.fileName === undefined) {
    throw refused([finding("member_missing", field, "is required, as a file")]);
  }
  return { fileName: part.fileName, content: part.content };
}

async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (;;) {
    const next = await reader.read().catch((cause: unknown) => {
      throw unreadable("the body broke off", cause);
    });
    if (next.done) break;
    length += next.value.length;
    if (length > maxBytes + FRAME_BYTES) {
      await reader.cancel();
      throw refused([attachmentTooLarge(maxBytes)]);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks, length);
}

const refused = (findings: readonly ReturnType<typeof finding>[]): TraconError =>
  new TraconError("request_invalid", "the file was not kept", { findings });

const unreadable = (message: string, cause?: unknown): TraconError =>
  new TraconError("request_invalid", message, {
    findings: [finding("body_unreadable", "", message)],
    cause,
  });
