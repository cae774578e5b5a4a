import { expect, it } from "vitest";
import { problemIn, testServer } from "./testing/test-server.ts";

const findingPaths = async (response: Response): Promise<string[]> => {
  const { findings } = await problemIn(response);
  return (findings as { path: string }[]).map(({ path }) => path);
};

it("names every parameter that does not fit, all at once", async () => {
  const query = "status=Asleep&skip=-1&take=ten&startedAfter=yesterday&includeChildren=1&tke=5";

  const response = await testServer().ask(`/tracon/api/runs?${query}`);

  expect(response.status).toBe(400);
  expect((await findingPaths(response)).sort()).toEqual([
    "query.includeChildren",
    "query.skip",
    "query.startedAfter",
    "query.status",
    "query.take",
    "query.tke",
  ]);
});

it("refuses a parameter that is given twice", async () => {
  const response = await testServer().ask("/tracon/api/runs?take=1&take=2");

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({
    findings: [{ code: "duplicate_name", path: "query.take" }],
  });
});

it.each(["__proto__", "constructor", "toString"])("knows no parameter %s", async (name) => {
  const response = await testServer().ask(`/tracon/api/runs?${name}=1`);

  expect(await findingPaths(response)).toEqual([`query.${name}`]);
});

it("refuses parameters where there are none", async () => {
  const response = await testServer().ask("/tracon/api/agents?take=5");

  expect(await findingPaths(response)).toEqual(["query.take"]);
});

it.each([
  ["take=0", 1],
  ["take=-5", 1],
  ["take=200", 200],
  ["take=9999", 200],
  ["", 50],
])("reads %j as %i entries", async (query, take) => {
  const server = testServer();

  await server.ask(`/tracon/api/runs?${query}`);

  expect(server.calls[0]?.[2]).toEqual({ skip: 0, take });
});

it.each(["1.5", "1e3", "0x10", " 1", "+1", "", "１", "99999999999999999999"])(
  "does not take %j for a number",
  async (text) => {
    const response = await testServer().ask(`/tracon/api/runs?take=${encodeURIComponent(text)}`);

    expect(response.status).toBe(400);
  },
);

it("refuses control characters: no stored text holds them", async () => {
  const response = await testServer().ask("/tracon/api/runs?sessionId=a%00b");

  expect(await findingPaths(response)).toEqual(["query.sessionId"]);
});
