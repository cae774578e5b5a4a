/** Attachments: a row for what is known of a file, and one for its bytes. */

import type { AttachmentDescriptor, AttachmentStore } from "@tracon/core";
import type { Transaction } from "kysely";
import type { Driver } from "./drivers/driver.ts";
import type { AttachmentsTable, Schema } from "./schema.ts";
import { isoTime, originalText, storedOptional, storedText, storedTime } from "./stored-values.ts";

/** Bytes are read where reports are: some megabytes would hold up what serves requests. */
export function sqlAttachmentStore({ reads, writes, reports }: Driver): AttachmentStore {
  return {
    add: (descriptor, content) =>
      writes.transaction().execute(async (db) => {
        const row = rowOf(descriptor);
        const { tenant_id, id } = row;
        await db.insertInto("tracon_attachments").values(row).execute();
        await db
          .insertInto("tracon_attachment_contents")
          .values({ tenant_id, id, bytes: content })
          .execute();
      }),

    async get(tenantId, id) {
      const row = await reads
        .selectFrom("tracon_attachments")
        .selectAll()
        .where("tenant_id", "=", storedText(tenantId))
        .where("id", "=", storedText(id))
        .executeTakeFirst();
      return row && descriptorOf(row);
    },

    async find(tenantId, ids) {
      if (ids.length === 0) return [];
      const rows = await reads
        .selectFrom("tracon_attachments")
        .selectAll()
        .where("tenant_id", "=", storedText(tenantId))
        .where("id", "in", ids.map(storedText))
        .execute();
      return rows.map(descriptorOf);
    },

    async content(tenantId, id) {
      const row = await reports
        .selectFrom("tracon_attachment_contents")
        .select("bytes")
        .where("tenant_id", "=", storedText(tenantId))
        .where("id", "=", storedText(id))
        .executeTakeFirst();
      return row && plainBytes(row.bytes);
    },

    async list(tenantId, { sessionId }, { skip, take, before }) {
      if (take <= 0) return [];
      let query = reads
        .selectFrom("tracon_attachments")
        .selectAll()
        .where("tenant_id", "=", storedText(tenantId));
      if (sessionId !== undefined) query = query.where("session_id", "=", storedText(sessionId));
      if (before !== undefined) query = query.where("id", "<", storedText(before));
      const rows = await query.orderBy("id", "desc").limit(take).offset(skip).execute();
      return rows.map(descriptorOf);
    },

    delete: (tenantId, id) =>
      writes.transaction().execute(async (db) => {
        const deleted = await db
          .deleteFrom("tracon_attachments")
          .where("tenant_id", "=", storedText(tenantId))
          .where("id", "=", storedText(id))
          .executeTakeFirstOrThrow();
        if (Number(deleted.numDeletedRows) === 0) return false;
        await deleteContents(db, storedText(tenantId), [storedText(id)]);
        return true;
      }),

    deleteOfSession: (tenantId, sessionId) =>
      writes.transaction().execute(async (db) => {
        const deleted = await db
          .deleteFrom("tracon_attachments")
          .where("tenant_id", "=", storedText(tenantId))
          .where("session_id", "=", storedText(sessionId))
          .returning("id")
          .execute();
        const ids = deleted.map(({ id }) => id);
        for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
          await deleteContents(db, storedText(tenantId), ids.slice(start, start + IDS_AT_ONCE));
        }
        return ids.length;
      }),
  };
}

/** Every engine answers in one form: `pg` has a class of its own for bytes. */
const plainBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);

/** Parameters of one statement; SQLite takes some ten thousand. */
const IDS_AT_ONCE = 500;

async function deleteContents(
  db: Transaction<Schema>,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom("tracon_attachment_contents")
    .where("tenant_id", "=", tenantId)
    .where("id", "in", ids)
    .execute();
}

const rowOf = (descriptor: AttachmentDescriptor): AttachmentsTable => ({
  tenant_id: storedText(descriptor.tenantId),
  id: storedText(descriptor.id),
  session_id: storedOptional(descriptor.sessionId),
  file_name: storedText(descriptor.fileName),
  media_type: storedText(descriptor.mediaType),
  byte_size: descriptor.byteSize,
  sha256: storedText(descriptor.sha256),
  created_at: storedTime(descriptor.createdAt),
});

const descriptorOf = (row: AttachmentsTable): AttachmentDescriptor => ({
  id: originalText(row.id),
  tenantId: originalText(row.tenant_id),
  ...(row.session_id === null ? {} : { sessionId: originalText(row.session_id) }),
  fileName: originalText(row.file_name),
  mediaType: originalText(row.media_type),
  byteSize: row.byte_size,
  sha256: originalText(row.sha256),
  createdAt: isoTime(row.created_at),
});
