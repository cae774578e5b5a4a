/** Attachments: files that people upload and runs refer to by id. */

import * as z from "zod";

/** What is known of an attachment without its bytes. */
export const attachmentDescriptorSchema = z.object({
  /** UUIDv7. */
  id: z.string(),
  tenantId: z.string(),
  /** The session it was uploaded for; it goes when that is deleted. */
  sessionId: z.string().optional(),
  fileName: z.string(),
  /** Found in its bytes; what the uploader said does not count. */
  mediaType: z.string(),
  byteSize: z.int(),
  /** 64 upper-case hexadecimal digits. */
  sha256: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});
export type AttachmentDescriptor = z.output<typeof attachmentDescriptorSchema>;

/** How a message names an attachment: a provider of this name keeps the file under its id. */
export const ATTACHMENT_PROVIDER = "tracon";
