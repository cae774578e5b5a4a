/** Cursors of session lists: opaque to callers, the last session shown inside. */

import {
  finding,
  type SessionPage,
  type SessionRecord,
  sessionIdText,
  TraconError,
} from "@tracon/core";
import * as z from "zod";

/** Longest cursor: an id of the longest kind, three bytes a character, with its time. */
export const MAX_SESSION_CURSOR_LENGTH = 1_024;

const content = z.tuple([z.iso.datetime(), sessionIdText()]);

export const encodeSessionCursor = ({ updatedAt, id }: SessionRecord): string =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString("base64url");

/** The session inside a cursor. Throws `cursor_invalid`. */
export function decodeSessionCursor(cursor: string): NonNullable<SessionPage["before"]> {
  const read = content.safeParse(jsonIn(cursor));
  if (read.success) {
    const [updatedAt, id] = read.data;
    return { updatedAt, id };
  }
  const message = "the cursor is not one this list has answered";
  throw new TraconError("cursor_invalid", message, {
    findings: [finding("invalid_value", "query.cursor", message)],
  });
}

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    // Whatever it is, it is none of ours.
    return undefined;
  }
}
