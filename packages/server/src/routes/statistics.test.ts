import { TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import * as examples from "../openapi/examples-statistics.ts";
import { fakeEngine } from "../testing/fake-engine.ts";
import { problemIn, testServer } from "../testing/test-server.ts";

const STATS = "/tracon/api/stats";

it("answers the sums, with the filter as it was asked", async () => {
  const server = testServer();

  const response = await server.ask(
    `${STATS}?agentName=support&userId=u-1&label=team:north:east&startedAfter=2026-09-12T10:30:00%2B02:00&maxAgents=999`,
  );

  expect(await response.json()).toEqual(examples.runStatistics);
  const label = { key: "team", value: "north:east" };
  const startedAfter = "2026-09-12T08:30:00.000Z";
  expect(server.calls).toEqual([
    ["get", { agentName: "support", userId: "u-1", startedAfter, label }, { maxRows: 200 }],
  ]);
});

it("takes a label without a value for any value of it", async () => {
  const server = testServer();

  await server.ask(`${STATS}?label=team`);

  expect(server.calls).toEqual([["get", { label: { key: "team" } }, { maxRows: 50 }]]);
});

it("reads the buckets of a time series in any case", async () => {
  const server = testServer();

  const response = await server.ask(
    `${STATS}/timeseries?from=2026-09-01T00:00:00Z&to=2026-09-12T00:00:00Z&bucket=day&kind=workflow&modelId=m`,
  );

  expect(await response.json()).toEqual([examples.timeSeriesPoint]);
  const range = { from: "2026-09-01T00:00:00.000Z", to: "2026-09-12T00:00:00.000Z" };
  expect(server.calls).toEqual([
    ["timeSeries", { ...range, bucket: "Day", modelId: "m", kind: "Workflow" }],
  ]);
});

it("answers 400 for a range the engine refuses", async () => {
  const refused = new TraconError("request_invalid", "too many buckets");
  const timeSeries = () => Promise.reject(refused);

  const response = await testServer({ engine: fakeEngine({ statistics: { timeSeries } }) }).ask(
    `${STATS}/timeseries`,
  );

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ code: "request_invalid" });
});

it("answers what criteria were worth, with the filter as it was asked", async () => {
  const server = testServer();
  const path = "/tracon/api/loop-criteria/economics";

  const response = await server.ask(
    `${path}?agentName=researcher&startedAfter=2026-09-12T10:30:00%2B02:00&maxCriteria=999`,
  );
  await server.ask(path);
  const refused = await server.ask(`${path}?startedAfter=yesterday&agent=researcher`);

  expect(await response.json()).toEqual([examples.criterionStatistics]);
  const startedAfter = "2026-09-12T08:30:00.000Z";
  expect(server.calls).toEqual([
    ["criteria", { agentName: "researcher", startedAfter }, { maxRows: 200 }],
    ["criteria", {}, { maxRows: 50 }],
  ]);
  const { findings } = await problemIn(refused);
  expect(new Set((findings as readonly { path: string }[]).map(({ path: at }) => at))).toEqual(
    new Set(["query.startedAfter", "query.agent"]),
  );
});

it("looks back a day for errors, or as far as it is told", async () => {
  const server = testServer();

  const day = await server.ask(`${STATS}/errors`);
  await server.ask(`${STATS}/errors?hours=48&agentName=support`);

  expect(await day.json()).toEqual([examples.runErrorStatistics]);
  expect(server.calls).toEqual([
    ["errors", { hours: 24 }],
    ["errors", { hours: 48, agentName: "support" }],
  ]);
});

it("recalculates costs only when it is posted", async () => {
  const server = testServer();
  const after = "01993c1e-7d2b-7a54-9c0e-5b8f2f3d6a10";

  const read = await server.ask(`${STATS}/recalculate-costs`);
  const posted = await server.ask(`${STATS}/recalculate-costs?after=${after}`, { method: "POST" });

  expect(read.status).toBe(405);
  expect(await posted.json()).toEqual(examples.runCostRecalculation);
  expect(server.calls).toEqual([["recalculateCosts", { after }]]);
});

it.each([
  ["?maxAgents=many", "query.maxAgents"],
  ["?startedAfter=yesterday", "query.startedAfter"],
  ["?label=%07", "query.label"],
  ["/timeseries?bucket=Week", "query.bucket"],
  ["/timeseries?from=2026-09-01", "query.from"],
  ["/errors?hours=0", "query.hours"],
  ["/errors?since=1", "query.since"],
])("refuses %s and names what is wrong", async (question, path) => {
  const response = await testServer().ask(STATS + question);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ findings: [{ path }] });
});
