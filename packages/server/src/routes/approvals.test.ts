import { TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import * as examples from "../openapi/examples.ts";
import { encodeRunCursor } from "../run-cursor.ts";
import { fakeEngine } from "../testing/fake-engine.ts";
import { jsonBody, problemIn, testServer } from "../testing/test-server.ts";

const ID = examples.pendingApproval.id;
const RULE_ID = examples.toolApprovalRule.id;
const BASE = "/tracon/api/approvals";

it("lists what waits, and links to the page behind a full one", async () => {
  const server = testServer();

  const response = await server.ask(`${BASE}/pending?take=1`);
  const link = response.headers.get("link") ?? "";
  const next = /^<(\/tracon\/api\/approvals\/pending\?[^>]+)>; rel="next"$/.exec(link)?.[1] ?? "";
  await server.ask(next);

  expect(await response.json()).toEqual([examples.pendingApproval]);
  expect(server.calls).toEqual([
    ["pending", { take: 1 }],
    ["pending", { take: 1, after: ID }],
  ]);
});

it("has no next page behind one that is not full", async () => {
  const response = await testServer().ask(`${BASE}/pending?cursor=${encodeRunCursor(ID)}`);

  expect(response.status).toBe(200);
  expect(response.headers.has("link")).toBe(false);
});

it("reads an approval by its id in any case", async () => {
  const response = await testServer().ask(`${BASE}/${ID.toUpperCase()}`);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(examples.pendingApproval);
});

it("answers an id that is none as one that is not there", async () => {
  const server = testServer();

  const missing = await server.ask(`${BASE}/${RULE_ID}`);
  const strange = await server.ask(`${BASE}/x%27%20or%201%3D1`);

  expect([missing.status, strange.status]).toEqual([404, 404]);
  expect(await problemIn(strange)).toEqual(await problemIn(missing));
});

it("hands a decision on as it came", async () => {
  const server = testServer();
  const decision = { approved: false, reason: "no" };

  const response = await server.ask(`${BASE}/${ID}/decide`, jsonBody(decision));

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(examples.decidedApproval);
  expect(server.calls).toEqual([["decide", ID, decision]]);
});

it("answers a decision that comes too late with 409", async () => {
  const decide = () => Promise.reject(new TraconError("approval_conflict", "too late"));
  const server = testServer({ engine: fakeEngine({ approvals: { decide } }) });

  const response = await server.ask(`${BASE}/${ID}/decide`, jsonBody({ approved: true }));

  expect(response.status).toBe(409);
  expect(await problemIn(response)).toMatchObject({ code: "approval_conflict" });
});

it("creates, lists and deletes standing rules", async () => {
  const server = testServer();

  const created = await server.ask(`${BASE}/rules`, jsonBody(examples.toolApprovalRuleRequest));
  const listed = await server.ask(`${BASE}/rules`);
  const deleted = await server.ask(`${BASE}/rules/${RULE_ID}`, { method: "DELETE" });
  const missing = await server.ask(`${BASE}/rules/${ID}`, { method: "DELETE" });

  expect([created, listed, deleted, missing].map(({ status }) => status)).toEqual([
    201, 200, 204, 404,
  ]);
  expect(await created.json()).toEqual(examples.toolApprovalRule);
  expect(await listed.json()).toEqual([examples.toolApprovalRule]);
});
