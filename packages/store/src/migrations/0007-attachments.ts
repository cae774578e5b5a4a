import type { Migration } from "./migration.ts";

/**
 * Uploaded files. The bytes have a table of their own, so that a list reads none of them: SQLite keeps
 * the beginning of every row of a table together with its other columns.
 */
export const attachments: Migration = {
  id: "0007-attachments",
  statements: ({ key, engine }) => [
    `create table tracon_attachments (
      tenant_id ${key} not null,
      id ${key} not null,
      session_id ${key},
      file_name text not null,
      media_type ${key} not null,
      byte_size bigint not null,
      sha256 ${key} not null,
      created_at bigint not null,
      primary key (tenant_id, id)
    )`,
    // What goes with a session, and its list.
    `create index tracon_attachments_session on tracon_attachments (tenant_id, session_id, id)
      where session_id is not null`,
    `create table tracon_attachment_contents (
      tenant_id ${key} not null,
      id ${key} not null,
      bytes ${engine === "sqlite" ? "blob" : "bytea"} not null,
      primary key (tenant_id, id)
    )`,
  ],
};
