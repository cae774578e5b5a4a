import type { RunResult, SessionRecord } from "@tracon/core";
import { expect, it } from "vitest";
import * as examples from "../openapi/examples.ts";
import { encodeSessionCursor } from "../session-cursor.ts";
import { fakeEngine, inBatches, runHandle } from "../testing/fake-engine.ts";
import { problemIn, testServer } from "../testing/test-server.ts";

const { id } = examples.sessionRecord;

it("lists sessions, of one agent when asked", async () => {
  const server = testServer();

  const response = await server.ask("/tracon/api/sessions?agentName=support&skip=3&take=2");

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([examples.sessionRecord]);
  expect(response.headers.has("link")).toBe(false);
  expect(server.calls).toEqual([["list", { agentName: "support" }, { skip: 3, take: 2 }]]);
});

it("links to the next page of a full page, which begins behind the last session shown", async () => {
  const strange = { ...examples.sessionRecord, id: "ä/&?#💥" };
  const server = testServer({ engine: listing([examples.sessionRecord, strange]) });
  const first = await server.ask("/tracon/api/sessions?agentName=a%26b&take=2");

  const link = first.headers.get("link") ?? "";
  const next = /^<(\/tracon\/api\/sessions\?[^>]+)>; rel="next"$/.exec(link)?.[1] ?? "";
  await server.ask(next);

  const before = { updatedAt: strange.updatedAt, id: strange.id };
  expect(server.calls[1]).toEqual(["list", { agentName: "a&b" }, { skip: 0, take: 2, before }]);
});

it("has cursors of sessions with the longest ids", async () => {
  const longest = { ...examples.sessionRecord, id: "💥".repeat(64) };
  const server = testServer();

  const response = await server.ask(`/tracon/api/sessions?cursor=${encodeSessionCursor(longest)}`);

  expect(response.status).toBe(200);
});

it.each([
  "x",
  Buffer.from("[1]").toString("base64url"),
  Buffer.from('["2026","s"]').toString("base64url"),
  Buffer.from('["2026-01-01T00:00:00Z","s","t"]').toString("base64url"),
  Buffer.from('["2026-01-01T00:00:00Z","\\u0000"]').toString("base64url"),
])("refuses '%s' as a cursor", async (cursor) => {
  const response = await testServer().ask(`/tracon/api/sessions?cursor=${cursor}`);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ code: "cursor_invalid" });
});

it("reads a session with its history", async () => {
  const response = await testServer().ask(`/tracon/api/sessions/${id}`);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(examples.sessionDetail);
});

it("deletes a session", async () => {
  const server = testServer();

  const response = await server.ask(`/tracon/api/sessions/${id}`, { method: "DELETE" });

  expect(response.status).toBe(204);
  expect(server.calls).toEqual([["delete", id]]);
});

it("branches a session and says where the new one is", async () => {
  const server = testServer();

  const response = await branch(server, id, { upToSequence: 1 });

  expect(response.status).toBe(201);
  expect(await response.json()).toEqual(examples.sessionBranchResult);
  expect(response.headers.get("location")).toBe(
    `/tracon/api/sessions/${examples.sessionBranchResult.sessionId}`,
  );
  expect(server.calls).toEqual([["branch", id, { upToSequence: 1 }]]);
});

it.each([
  ["GET", ""],
  ["DELETE", ""],
  ["POST", "/branch"],
])("has nothing for a stranger: %s %s", async (method, path) => {
  const server = testServer();
  const body = method === "POST" ? { body: "{}", headers: JSON_TYPE } : {};

  const response = await server.ask(`/tracon/api/sessions/other${path}`, { method, ...body });

  expect(response.status).toBe(404);
  expect(await problemIn(response)).toMatchObject({ code: "session_not_found" });
});

it.each(["%00", "a%0Ab", "x".repeat(129)])(
  "asks no store for a session called '%s'",
  async (sessionId) => {
    const server = testServer();

    const response = await server.ask(`/tracon/api/sessions/${sessionId}`);

    expect(response.status).toBe(404);
    expect(server.calls).toEqual([]);
  },
);

it("answers 409 for a run whose turn is not in its session", async () => {
  const result: RunResult = {
    ...examples.runResult,
    status: "Failed",
    error: { type: "session_conflict", message: "session 's' changed; send it again" },
  };
  const handle = { ...runHandle(inBatches()), result: Promise.resolve(result) };
  const server = testServer({ engine: fakeEngine({ runs: { start: async () => handle } }) });

  const response = await server.ask("/tracon/api/agents/support/run", {
    method: "POST",
    headers: { ...JSON_TYPE, accept: "application/json" },
    body: JSON.stringify({ message: "Hi", sessionId: "s" }),
  });

  expect(response.status).toBe(409);
  expect(await problemIn(response)).toMatchObject({
    code: "session_conflict",
    detail: "session 's' changed; send it again",
    runId: result.runId,
  });
});

const JSON_TYPE = { "content-type": "application/json" };

const branch = (server: ReturnType<typeof testServer>, sessionId: string, body: unknown) =>
  server.ask(`/tracon/api/sessions/${sessionId}/branch`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });

const listing = (records: readonly SessionRecord[]) =>
  fakeEngine({ sessions: { list: async () => records } });
