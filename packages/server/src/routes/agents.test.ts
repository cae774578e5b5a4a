import { finding, TraconError, type ValidationReport } from "@tracon/core";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import * as examples from "../openapi/examples.ts";
import { fakeEngine } from "../testing/fake-engine.ts";
import { jsonBody, problemIn, testServer } from "../testing/test-server.ts";

const AGENT = "/tracon/api/agents/support";
const definition = (name = "support") => ({ ...examples.agentDefinitionRequest, name });
const put = (value: unknown): RequestInit => ({ ...jsonBody(value), method: "PUT" });

const ifMatch = (header: string | undefined): RequestInit => ({
  ...jsonBody(definition(), header === undefined ? {} : { "if-match": header }),
  method: "PUT",
});

it("lists the catalog", async () => {
  const response = await testServer().ask("/tracon/api/agents");

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([examples.agentDescriptor]);
});

it("creates an agent and says where it is", async () => {
  const response = await testServer().ask("/tracon/api/agents", jsonBody(definition("écho 1")));

  expect(response.status).toBe(201);
  expect(response.headers.get("location")).toBe("/tracon/api/agents/%C3%A9cho%201");
  expect(await response.json()).toMatchObject({ name: "écho 1", version: 1 });
});

it("reads an agent with its definition", async () => {
  const response = await testServer().ask(AGENT);

  expect(await response.json()).toEqual(examples.agentDetail);
});

it("answers a save with 200 and a save that creates with 201", async () => {
  const saved = await testServer().ask(AGENT, put(definition()));
  const created = await testServer().ask("/tracon/api/agents/new", put(definition("new")));

  expect(saved.status).toBe(200);
  expect(saved.headers.has("location")).toBe(false);
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe("/tracon/api/agents/new");
});

it("hands the path's name and the body to the engine, which compares them", async () => {
  const server = testServer();

  await server.ask(AGENT, put(definition("other")));

  expect(server.calls).toEqual([["save", "support", definition("other"), {}]]);
});

it("names the version in every answer that holds a definition", async () => {
  const server = testServer();

  const answers = [
    await server.ask("/tracon/api/agents", jsonBody(definition("new"))),
    await server.ask(AGENT),
    await server.ask(AGENT, put(definition())),
    await server.ask(`${AGENT}/versions/2`),
    await server.ask(`${AGENT}/rollback`, jsonBody({ version: 2 })),
  ];

  expect(answers.map(({ headers }) => headers.get("etag"))).toEqual([
    '"1"',
    '"3"',
    '"1"',
    '"2"',
    '"4"',
  ]);
});

it.each([
  [undefined, {}],
  ["*", { basedOn: "any" }],
  ['"3"', { basedOn: 3 }],
  [' "2147483647" ', { basedOn: 2_147_483_647 }],
])("saves on the version that If-Match: %s names", async (header, options) => {
  const server = testServer();

  const response = await server.ask(AGENT, ifMatch(header));

  expect(response.status).toBe(200);
  expect(server.calls).toEqual([["save", "support", definition(), options]]);
});

it.each([
  "3",
  '"0"',
  '"03"',
  'W/"3"',
  '"3", "4"',
  '"x"',
  '""',
  '"99999999999"',
  '"2147483648"',
  "",
])("refuses If-Match: %s instead of overwriting", async (header) => {
  const server = testServer();

  const response = await server.ask(AGENT, ifMatch(header));

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ findings: [{ path: "headers.If-Match" }] });
  expect(server.calls).toEqual([]);
});

it("says when a save or a rollback changed nothing", async () => {
  const saved = { definition: examples.agentDefinition, created: false, warnings: [] };
  const answer = async (unchanged: boolean) => {
    const result = async () => ({ ...saved, unchanged });
    const server = testServer({
      engine: fakeEngine({ agents: { save: result, rollback: result } }),
    });
    const answers = [
      await server.ask(AGENT, put(definition())),
      await server.ask(`${AGENT}/rollback`, jsonBody({ version: 3 })),
    ];
    return answers.map(({ headers }) => headers.get("tracon-unchanged"));
  };

  expect(await answer(true)).toEqual(["true", "true"]);
  expect(await answer(false)).toEqual([null, null]);
});

it("answers a save on an older version with 412 and the current one", async () => {
  const stale = () =>
    Promise.reject(
      new TraconError("version_conflict", "agent 'support' is at version 4 now", {
        extensions: { currentVersion: 4 },
      }),
    );
  const server = testServer({ engine: fakeEngine({ agents: { save: stale } }) });

  const response = await server.ask(AGENT, ifMatch('"3"'));

  expect(response.status).toBe(412);
  expect(await problemIn(response)).toMatchObject({ code: "version_conflict", currentVersion: 4 });
});

it("deletes an agent, and not twice", async () => {
  const deleted = await testServer().ask(AGENT, { method: "DELETE" });
  const missing = await testServer().ask("/tracon/api/agents/gone", { method: "DELETE" });

  expect(deleted.status).toBe(204);
  expect(await deleted.text()).toBe("");
  expect(missing.status).toBe(404);
});

it("answers the report of a definition that is not valid with 200", async () => {
  const response = await testServer().ask("/tracon/api/agents/validate", jsonBody(definition()));

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(examples.validationReport);
});

it("shows a bounded part of a report with more findings than anyone reads", async () => {
  const messages = Array.from({ length: 1_279 }, (_, index) =>
    finding("callable_agent_duplicate", `callableAgents[${index}].name`, "x".repeat(10_000)),
  );
  const report = { valid: false, inconclusive: false, messages };
  const server = testServer({ engine: fakeEngine({ agents: { validate: async () => report } }) });

  const response = await server.ask("/tracon/api/agents/validate", jsonBody(definition()));

  const shown = (await response.json()) as ValidationReport;
  expect(shown).toMatchObject({ valid: false, messagesOmitted: 1_079 });
  expect(shown.messages.map(({ path }) => path)).toEqual(
    messages.slice(0, 200).map(({ path }) => path),
  );
  expect(shown.messages[0]?.message).toHaveLength(1_001);
});

it("lists and reads versions", async () => {
  const all = await testServer().ask(`${AGENT}/versions`);
  const one = await testServer().ask(`${AGENT}/versions/2`);

  expect(await all.json()).toEqual([examples.agentDefinition]);
  expect(await one.json()).toMatchObject({ name: "support", version: 2 });
});

it("puts two versions side by side in the order asked for", async () => {
  const response = await testServer().ask(`${AGENT}/versions/3/diff/1`);

  expect(await response.json()).toMatchObject({ left: { version: 3 }, right: { version: 1 } });
});

it("names the version of a comparison that is missing", async () => {
  const response = await testServer().ask(`${AGENT}/versions/1/diff/7`);

  expect(response.status).toBe(404);
  expect(await problemIn(response)).toMatchObject({
    code: "agent_version_not_found",
    detail: "agent 'support' has no version 7",
  });
});

it.each(["0", "-1", "01", "1.0", "1e1", "0x1", "one", "%201", "9999999999", "٣"])(
  "does not take '%s' for a version",
  async (text) => {
    const server = testServer();

    const response = await server.ask(`${AGENT}/versions/${text}`);

    expect(response.status).toBe(400);
    expect(await problemIn(response)).toMatchObject({ findings: [{ path: "path.n" }] });
    expect(server.calls).toEqual([]);
  },
);

it("names both versions of a comparison when neither is a number", async () => {
  const response = await testServer().ask(`${AGENT}/versions/x/diff/y`);

  expect(await problemIn(response)).toMatchObject({
    findings: [{ path: "path.a" }, { path: "path.b" }],
  });
});

it("rolls back to a version", async () => {
  const server = testServer();

  const response = await server.ask(`${AGENT}/rollback`, jsonBody({ version: 2 }));

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ version: 4 });
  expect(server.calls).toEqual([["rollback", "support", 2, {}]]);
});

it("rolls back on the version that If-Match names", async () => {
  const server = testServer();
  const request = jsonBody({ version: 2 });
  const headers = { ...request.headers, "if-match": '"3"' };

  await server.ask(`${AGENT}/rollback`, { ...request, headers });

  expect(server.calls).toEqual([["rollback", "support", 2, { basedOn: 3 }]]);
});

it.each([
  [undefined, {}],
  ["*", { basedOn: "any" }],
  ['"3"', { basedOn: 3 }],
])("deletes the version that If-Match: %s names", async (header, options) => {
  const server = testServer();
  const headers = header === undefined ? {} : { "if-match": header };

  const response = await server.ask(AGENT, { method: "DELETE", headers });

  expect(response.status).toBe(204);
  expect(server.calls).toEqual([["delete", "support", options]]);
});

it("refuses a condition of a delete that it cannot keep", async () => {
  const server = testServer();

  const response = await server.ask(AGENT, { method: "DELETE", headers: { "if-match": "3" } });

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ findings: [{ path: "headers.If-Match" }] });
  expect(server.calls).toEqual([]);
});

it.each([{}, { version: "2" }, { version: 0 }, { version: 2, force: true }, [], null])(
  "refuses %j as a rollback",
  async (body) => {
    const response = await testServer().ask(`${AGENT}/rollback`, jsonBody(body));

    expect(response.status).toBe(400);
    expect(await problemIn(response)).toMatchObject({ code: "request_invalid" });
  },
);

it(
  "lists tools, their usage, models, extensions and stop criteria",
  covers("extension.list-endpoint"),
  async () => {
    const server = testServer();

    const tools = await server.ask("/tracon/api/tools");
    const usage = await server.ask(
      "/tracon/api/tools/usage?startedAfter=2026-09-12T10:00:00%2B02:00&maxTools=500",
    );
    const models = await server.ask("/tracon/api/models");
    const extensions = await server.ask("/tracon/api/agent-extensions");
    const criteria = await server.ask("/tracon/api/loop-criteria");

    expect(await tools.json()).toEqual([examples.toolDescriptor]);
    expect(await usage.json()).toEqual([examples.toolUsage]);
    expect(await models.json()).toEqual([examples.modelProvider]);
    expect(await extensions.json()).toEqual([examples.extensionDescriptor]);
    expect(await criteria.json()).toEqual(examples.loopCriteria);
    expect(server.calls).toEqual([
      ["toolUsage", { startedAfter: "2026-09-12T08:00:00.000Z", maxTools: 200 }],
    ]);
  },
);

it("describes the installation", async () => {
  const engine = fakeEngine({ storage: "memory" });

  const response = await testServer({ engine, prefix: "/x" }).ask("/x/api/meta");

  expect(await response.json()).toEqual({
    version: "0.1.0",
    prefix: "/x",
    authentication: {
      allowRemoteAccess: false,
      requiresBearerToken: false,
      requiresAuthorizationPolicy: false,
    },
    storage: { persistent: false, agentDefinitionStore: "memory", runStore: "memory" },
    roles: { canRead: true, canOperate: true, canAdminister: true },
  });
});
