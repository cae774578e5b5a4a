import { expect, it } from "vitest";
import { RUN_ID } from "./testing/fake-engine.ts";
import { problemIn, testServer } from "./testing/test-server.ts";

it.each(["/tracon/api/nothing", "/tracon/v1/models", "/elsewhere", "/traconic/api/agents", "/"])(
  "has nothing at %s",
  async (path) => {
    const response = await testServer().ask(path);

    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await problemIn(response)).toMatchObject({ code: "route_not_found", status: 404 });
  },
);

it.each([
  ["/tracon/api/agents", "GET, HEAD, POST, OPTIONS"],
  ["/tracon/api/agents/support", "GET, HEAD, PUT, DELETE, OPTIONS"],
  ["/tracon/api/agents/support/run", "POST, OPTIONS"],
  ["/tracon/openapi.json", "GET, HEAD, OPTIONS"],
])("says what %s answers", async (path, allow) => {
  const refused = await testServer().ask(path, { method: "PATCH" });
  const asked = await testServer().ask(path, { method: "OPTIONS" });

  expect(refused.status).toBe(405);
  expect(refused.headers.get("allow")).toBe(allow);
  expect(await problemIn(refused)).toMatchObject({ code: "method_not_allowed" });
  expect(asked.status).toBe(204);
  expect(asked.headers.get("allow")).toBe(allow);
});

it("reads an agent that is called like a path", async () => {
  const server = testServer();

  await server.ask("/tracon/api/agents/validate");

  expect(server.calls).toEqual([["get", "validate"]]);
});

it.each([
  ["caf%C3%A9", "café"],
  ["cafe%CC%81", "café"],
  ["a%2Fb", "a/b"],
  ["a%2541", "a%41"],
  ["a%20b.c", "a b.c"],
])("decodes %s once", async (segment, name) => {
  const server = testServer();

  await server.ask(`/tracon/api/agents/${segment}`);

  expect(server.calls).toEqual([["get", name]]);
});

it.each([
  "/tracon/api/agents/%ff",
  "/tracon/api/agents/a%zz",
  "/tracon/api/agents?x=%c0%af",
  "/tracon/%",
])("refuses the encoding of %s", async (path) => {
  const response = await testServer().ask(path);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ code: "request_invalid" });
});

it.each(["a%00b", "a%0Ab", "a".repeat(129)])(
  "asks no store for an agent called %s",
  async (name) => {
    const server = testServer();

    const response = await server.ask(`/tracon/api/agents/${name}`);

    expect(response.status).toBe(404);
    expect(server.calls).toEqual([]);
  },
);

it.each(["/api/agents", "/api/meta", `/api/runs/${RUN_ID}`, "/openapi.json", "/docs"])(
  "answers HEAD %s like GET, without a body",
  async (path) => {
    const server = testServer();

    const get = await server.ask(`/tracon${path}`);
    const head = await server.ask(`/tracon${path}`, { method: "HEAD" });

    expect(head.status).toBe(get.status);
    expect([...head.headers]).toEqual([...get.headers]);
    expect(await head.text()).toBe("");
  },
);

it("leaves no stream behind when only its head is asked for", async () => {
  const server = testServer();

  const response = await server.ask(`/tracon/api/runs/${RUN_ID}/events`, { method: "HEAD" });

  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(server.timers.size).toBe(0);
});

it.each([
  ["/", "/api/meta"],
  ["", "/api/meta"],
  ["/a/b-c", "/a/b-c/api/meta"],
  ["/tracon/", "/tracon/api/meta"],
])("answers under the prefix %j", async (prefix, path) => {
  const response = await testServer({ prefix }).ask(path);

  expect(response.status).toBe(200);
});

it.each(["tracon", "/a b", "/a?b", '/"><script>', "/../x", "//"])(
  "refuses %j as a prefix",
  (prefix) => {
    expect(() => testServer({ prefix })).toThrow("is not a path");
  },
);

it("gives every answer of the API the headers that keep it from being guessed or kept", async () => {
  const response = await testServer().ask("/tracon/api/agents");

  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});
