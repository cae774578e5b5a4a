import {
  type SessionRecord,
  sessionBranchRequestSchema,
  sessionBranchResultSchema,
  sessionDetailSchema,
  sessionRecordSchema,
} from "@tracon/core";
import * as z from "zod";
import { json, noContent } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { filterText, integer, take } from "../read-query.ts";
import { defineRoute } from "../route.ts";
import {
  decodeSessionCursor,
  encodeSessionCursor,
  MAX_SESSION_CURSOR_LENGTH,
} from "../session-cursor.ts";
import { sessionIdOf } from "../session-id.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Sessions";

const listQuery = z.object({
  agentName: filterText(128).describe("Sessions of this agent only.").optional(),
  skip: integer(0).describe("Sessions to leave out; prefer the `Link` header.").default(0),
  take: take(),
  cursor: filterText(MAX_SESSION_CURSOR_LENGTH)
    .describe("From a `Link` header of this list.")
    .optional(),
});

export const listSessions = defineRoute({
  method: "GET",
  path: "/api/sessions",
  operationId: "listSessions",
  tag,
  summary: "List sessions",
  description:
    "The most recently updated first, without their history. Follow the `Link` header for the next page: it costs the same however deep it is.",
  access: "guarded",
  query: listQuery,
  responses: {
    200: {
      description: "The sessions that match.",
      content: {
        "application/json": {
          schema: z.array(sessionRecordSchema),
          example: [examples.sessionRecord],
        },
      },
      headers: { Link: 'The next page, as `rel="next"`; absent on the last page.' },
    },
  },
  errors: ["cursor_invalid"],
  async handler({ context, query }) {
    const { skip, take, cursor, agentName } = query;
    const page = {
      skip,
      take,
      ...(cursor === undefined ? {} : { before: decodeSessionCursor(cursor) }),
    };
    const filter = agentName === undefined ? {} : { agentName };
    const sessions = await context.engine.sessions.list(TENANT_ID, filter, page);

    const last = sessions.length === take ? sessions.at(-1) : undefined;
    if (last === undefined) return json(sessions);
    const next = nextPage(`${context.prefix}/api/sessions`, query, last);
    return json(sessions, { headers: { link: `<${next}>; rel="next"` } });
  },
});

export const getSession = defineRoute({
  method: "GET",
  path: "/api/sessions/{sessionId}",
  operationId: "getSession",
  tag,
  summary: "Read a session with its history",
  description:
    "A message's place in `messages` is its sequence. `messages` is `null` when the history was written in a format this version cannot read.",
  access: "guarded",
  responses: {
    200: {
      description: "The session.",
      content: {
        "application/json": { schema: sessionDetailSchema, example: examples.sessionDetail },
      },
    },
  },
  errors: ["session_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.sessions.get(TENANT_ID, sessionIdOf(param("sessionId"))));
  },
});

export const deleteSession = defineRoute({
  method: "DELETE",
  path: "/api/sessions/{sessionId}",
  operationId: "deleteSession",
  tag,
  summary: "Delete a session",
  description:
    "Removes the session, its history and the files uploaded for it. Its runs are kept; a turn that is under way in it ends as a conflict.",
  access: "guarded",
  responses: { 204: { description: "The session is gone." } },
  errors: ["session_not_found"],
  async handler({ context, param }) {
    await context.engine.sessions.delete(TENANT_ID, sessionIdOf(param("sessionId")));
    return noContent();
  },
});

export const branchSession = defineRoute({
  method: "POST",
  path: "/api/sessions/{sessionId}/branch",
  operationId: "branchSession",
  tag,
  summary: "Branch a session",
  description:
    "Copies the messages up to and including `upToSequence` into a new session of the same agent; the source stays as it is. A tool call whose result is not copied is closed in the copy.",
  access: "guarded",
  body: {
    schema: sessionBranchRequestSchema,
    example: examples.sessionBranchRequest,
    limit: "runBodyBytes",
  },
  responses: {
    201: {
      description: "The new session.",
      content: {
        "application/json": {
          schema: sessionBranchResultSchema,
          example: examples.sessionBranchResult,
        },
      },
      headers: { Location: "Path of the new session." },
    },
  },
  errors: ["session_not_found", "session_exists", "session_unreadable"],
  async handler({ context, param, body }) {
    const sessionId = sessionIdOf(param("sessionId"));
    const branch = await context.engine.sessions.branch(TENANT_ID, sessionId, body);
    const location = `${context.prefix}/api/sessions/${encodeURIComponent(branch.sessionId)}`;
    return json(branch, { status: 201, headers: { location } });
  },
});

/** The same question from the last session shown onwards. */
function nextPage(
  path: string,
  { agentName, take }: z.output<typeof listQuery>,
  last: SessionRecord,
): string {
  const search = new URLSearchParams();
  if (agentName !== undefined) search.set("agentName", agentName);
  search.set("take", String(take));
  search.set("cursor", encodeSessionCursor(last));
  return `${path}?${search}`;
}
