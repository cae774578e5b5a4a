import { type RunRecord, TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import * as examples from "../openapi/examples.ts";
import { fakeEngine, OTHER_RUN_ID, RUN_ID } from "../testing/fake-engine.ts";
import { problemIn, testServer } from "../testing/test-server.ts";

it("lists runs by everything a list can be narrowed by", async () => {
  const server = testServer();
  const query = new URLSearchParams({
    agentName: "support",
    status: "awaitingapproval",
    kind: "AGENT",
    sessionId: "s 1",
    userId: "u",
    errorType: "timeout",
    startedAfter: "2026-09-12T08:00:00Z",
    includeChildren: "true",
    parentRunId: RUN_ID.toUpperCase(),
    rootRunId: RUN_ID,
    skip: "3",
    take: "2",
  });

  const response = await server.ask(`/tracon/api/runs?${query}`);

  expect(response.status).toBe(200);
  expect(server.calls).toEqual([
    [
      "list",
      {
        agentName: "support",
        status: "AwaitingApproval",
        kind: "Agent",
        sessionId: "s 1",
        userId: "u",
        errorType: "timeout",
        startedAfter: "2026-09-12T08:00:00.000Z",
        includeChildren: true,
        parentRunId: RUN_ID,
        rootRunId: RUN_ID,
      },
      { skip: 3, take: 2 },
    ],
  ]);
});

it("links to the next page of a full page, asking the same from the last run onwards", async () => {
  const server = testServer({ engine: listing([OTHER_RUN_ID, RUN_ID]) });
  const first = await server.ask("/tracon/api/runs?agentName=a%26b&take=2&skip=2");

  const link = first.headers.get("link") ?? "";
  const next = /^<(\/tracon\/api\/runs\?[^>]+)>; rel="next"$/.exec(link)?.[1] ?? "";
  await server.ask(next);

  expect(link).not.toContain(RUN_ID);
  expect(server.calls[1]).toEqual([
    "list",
    { agentName: "a&b" },
    { skip: 0, take: 2, before: RUN_ID },
  ]);
});

it("links to nothing from a page that is not full", async () => {
  const response = await testServer({ engine: listing([RUN_ID]) }).ask("/tracon/api/runs?take=2");

  expect(response.headers.has("link")).toBe(false);
});

it.each([
  "x",
  "AZk8Hn0relScDl0fCmt8j",
  "AZk8Hn0relScDl0fCmt8jR",
  "AZk8Hn0relScDl0fCmt8jQ==",
  RUN_ID,
])("refuses '%s' as a cursor", async (cursor) => {
  const response = await testServer().ask(`/tracon/api/runs?cursor=${cursor}`);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ code: "cursor_invalid" });
});

it.each([
  ["", examples.runRecord, 200],
  ["/tree", examples.runTree, 200],
  ["/tools", [examples.toolInvocation], 200],
  ["/trace", examples.runTrace, 200],
  ["/input", examples.runInput, 200],
])("reads a run's %s", async (path, expected, status) => {
  const response = await testServer().ask(`/tracon/api/runs/${RUN_ID.toUpperCase()}${path}`);

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual(expected);
});

it("accepts the wish to cancel", async () => {
  const server = testServer();

  const response = await server.ask(`/tracon/api/runs/${RUN_ID}/cancel`, { method: "POST" });

  expect(response.status).toBe(202);
  expect(await response.json()).toEqual(examples.runRecord);
  expect(server.calls).toEqual([["cancel", RUN_ID]]);
});

it.each(["", "/tree", "/tools", "/trace", "/input", "/events"])(
  "has nothing for a stranger at %s",
  async (path) => {
    const response = await testServer().ask(`/tracon/api/runs/${OTHER_RUN_ID}${path}`);

    expect(response.status).toBe(404);
    expect(await problemIn(response)).toMatchObject({ code: "run_not_found" });
  },
);

it("answers for a run of nobody and for no run id at all with the same words", async () => {
  const answers = [OTHER_RUN_ID, RUN_ID.replace("7d2b", "7d2c"), "17"].map(async (runId) => {
    const response = await testServer().ask(`/tracon/api/runs/${runId}/tree`);
    return JSON.stringify(await problemIn(response)).replaceAll(runId, "");
  });

  const [first, ...others] = await Promise.all(answers);

  expect(others).toEqual([first, first]);
});

it("says of a run below another one whose trace has its spans", async () => {
  const engine = fakeEngine({
    runs: {
      trace: async () => {
        const extensions = { rootRunId: RUN_ID };
        throw new TraconError("run_trace_not_found", "elsewhere", { extensions });
      },
    },
  });

  const response = await testServer({ engine }).ask(`/tracon/api/runs/${RUN_ID}/trace`);

  expect(response.status).toBe(404);
  expect(await problemIn(response)).toMatchObject({
    code: "run_trace_not_found",
    rootRunId: RUN_ID,
  });
});

it.each(["17", "not-a-run", "%00", `${RUN_ID}0`, `{${RUN_ID}}`, "..%2Fagents"])(
  "asks no store for a run called '%s'",
  async (runId) => {
    const server = testServer();

    const response = await server.ask(`/tracon/api/runs/${runId}`);

    expect(response.status).toBe(404);
    expect(server.calls).toEqual([]);
  },
);

const listing = (ids: readonly string[]) =>
  fakeEngine({
    runs: { list: async () => ids.map((id): RunRecord => ({ ...examples.runRecord, id })) },
  });
