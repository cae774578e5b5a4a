/** The member that says what may be uploaded. */

import * as z from "zod";

/** What one row of a database, and a few copies in memory, can hold. */
const MAX_BYTES = 268_435_456;

/** Members of the configuration. */
export const attachmentSettings = {
  attachments: z
    .strictObject({
      maxBytes: z.int().min(1).max(MAX_BYTES).default(20_971_520),
      allowedMediaTypes: z
        .array(
          z.string().regex(/^[a-z]+\/(?:[a-z0-9.+-]+|\*)$/, "must be like image/png or audio/*"),
        )
        .max(64)
        .default([
          "image/png",
          "image/jpeg",
          "image/webp",
          "image/gif",
          "application/pdf",
          "text/plain",
          "audio/*",
        ]),
    })
    .prefault({}),
} as const;

const attachmentSettingsSchema = z.strictObject(attachmentSettings);
/** What may be uploaded, with every default applied. */
export type AttachmentSettings = z.output<typeof attachmentSettingsSchema>;
