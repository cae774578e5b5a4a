/** Cursors of lists by id, runs and attachments: opaque to callers, the id of the last one shown inside. */

import { finding, TraconError } from "@tracon/core";

const CURSOR = /^[A-Za-z0-9_-]{22}$/;

export const encodeRunCursor = (runId: string): string =>
  Buffer.from(runId.replaceAll("-", ""), "hex").toString("base64url");

/** The run id inside a cursor. Throws `cursor_invalid`. */
export function decodeRunCursor(cursor: string): string {
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const runId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  // The last character of a cursor has bits to spare, and only one spelling is ours.
  if (CURSOR.test(cursor) && encodeRunCursor(runId) === cursor) return runId;
  const message = "the cursor is not one this list has answered";
  throw new TraconError("cursor_invalid", message, {
    findings: [finding("invalid_value", "query.cursor", message)],
  });
}
