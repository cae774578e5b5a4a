import { expect, it } from "vitest";
import { createTraconClient, type TraconClient } from "./client.ts";
import { type OperationName, operations, pathOf } from "./operations.ts";
import type { TraconClientOptions } from "./transport.ts";

const calls: Readonly<Record<OperationName, (client: TraconClient) => Promise<unknown>>> = {
  meta: (client) => client.meta(),
  "agents.list": (client) => client.agents.list(),
  "agents.get": (client) => client.agents.get("a b"),
  "agents.create": (client) => client.agents.create(definition),
  "agents.save": (client) => client.agents.save("a b", definition),
  "agents.delete": (client) => client.agents.delete("a b"),
  "agents.validate": (client) => client.agents.validate({}),
  "agents.versions": (client) => client.agents.versions("a b"),
  "agents.version": (client) => client.agents.version("a b", 2),
  "agents.diff": (client) => client.agents.diff("a b", { left: 1, right: 2 }),
  "agents.rollback": (client) => client.agents.rollback("a b", 2),
  "agents.estimate": (client) => client.agents.estimate("a b", { message: "hi" }),
  "agents.run": (client) => client.run("a b", { message: "hi" }),
  "runs.list": (client) => client.runs.list(),
  "runs.get": (client) => client.runs.get("r"),
  "runs.tree": (client) => client.runs.tree("r"),
  "runs.events": (client) => client.runs.eventPage("r"),
  "runs.cancel": (client) => client.runs.cancel("r"),
  "runs.tools": (client) => client.runs.tools("r"),
  "runs.trace": (client) => client.runs.trace("r"),
  "runs.input": (client) => client.runs.input("r"),
  "sessions.list": (client) => client.sessions.list(),
  "sessions.get": (client) => client.sessions.get("s"),
  "sessions.delete": (client) => client.sessions.delete("s"),
  "sessions.branch": (client) => client.sessions.branch("s", { upToSequence: 3 }),
  "approvals.pending": (client) => client.approvals.pending(),
  "approvals.get": (client) => client.approvals.get("i"),
  "approvals.decide": (client) => client.approvals.decide("i", { approved: true }),
  "approvals.rules": (client) => client.approvals.rules.list(),
  "approvals.createRule": (client) => client.approvals.rules.create({ toolName: "refund" }),
  "approvals.deleteRule": (client) => client.approvals.rules.delete("u"),
  "attachments.upload": (client) => client.attachments.upload(new Blob(["a"])),
  "attachments.list": (client) => client.attachments.list(),
  "attachments.content": (client) => client.attachments.content("i"),
  "attachments.delete": (client) => client.attachments.delete("i"),
  "tools.list": (client) => client.tools.list(),
  "tools.usage": (client) => client.tools.usage(),
  "statistics.get": (client) => client.statistics.get(),
  "statistics.timeSeries": (client) => client.statistics.timeSeries(),
  "statistics.errors": (client) => client.statistics.errors(),
  "statistics.criteria": (client) => client.statistics.criteria(),
  "statistics.recalculateCosts": (client) => client.statistics.recalculateCosts(),
  "models.list": (client) => client.models.list(),
  "extensions.list": (client) => client.extensions.list(),
  "loopCriteria.list": (client) => client.loopCriteria.list(),
};
const definition = { name: "a b", model: { provider: "p", model: "m" } };
const values = { name: "a b", n: 2, a: 1, b: 2, runId: "r", sessionId: "s", id: "i", ruleId: "u" };

it.each(Object.keys(operations) as OperationName[])(
  "sends %s as its operation says",
  async (name) => {
    const server = recordingServer();

    await calls[name](server.client);

    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: operations[name].method,
      url: `http://tracon.test/tracon${pathOf(name, values)}`,
    });
  },
);

it.each(["", ".", ".."])(
  "refuses '%s' as a path parameter instead of asking another operation",
  (name) => {
    expect(() => pathOf("agents.get", { name })).toThrow(TypeError);
  },
);

it("asks for the children of a run, the runs of a tree, and runs of every depth", async () => {
  const server = recordingServer();
  const { runs } = server.client;

  await runs.list({ parentRunId: "r", take: 5 });
  await runs.list({ rootRunId: "r" });
  await runs.list({ includeChildren: true });

  expect(server.requests.map(({ url }) => new URL(url).search)).toEqual([
    "?parentRunId=r&take=5",
    "?rootRunId=r",
    "?includeChildren=true",
  ]);
});

it("names the version that a save, a rollback and a delete are based on", async () => {
  const server = recordingServer();
  const { agents } = server.client;

  await agents.save("a", definition, { basedOn: 3 });
  await agents.rollback("a", 1, { basedOn: 3 });
  await agents.delete("a", { basedOn: 3 });
  await agents.delete("a");

  const sent = server.requests.map((it) => it.headers.get("if-match"));
  expect(sent).toEqual(['"3"', '"3"', '"3"', null]);
});

it("encodes what a path parameter must not say", () => {
  expect(pathOf("agents.get", { name: "../a?b#ç" })).toBe("/api/agents/..%2Fa%3Fb%23%C3%A7");
});

it("asks for a token before every request and sends none when it is empty", async () => {
  const tokens = ["one", ""];
  const server = recordingServer({ token: async () => tokens.shift() ?? "" });

  await server.client.agents.list();
  await server.client.agents.list();

  expect(server.requests.map((it) => it.headers.get("authorization"))).toEqual([
    "Bearer one",
    null,
  ]);
});

it("throws the server's problem with all its findings", async () => {
  const findings = [
    { code: "unknown_tool", path: "toolNames[0]", message: "no such tool", severity: "Error" },
  ];
  const problem = {
    type: "t",
    title: "Invalid",
    status: 400,
    detail: "2 findings",
    code: "definition_invalid",
    findings,
  };
  const server = recordingServer({}, () =>
    Response.json(problem, {
      status: 400,
      headers: { "content-type": "application/problem+json" },
    }),
  );

  const creating = server.client.agents.create(definition);

  await expect(creating).rejects.toMatchObject({
    name: "TraconApiError",
    status: 400,
    code: "definition_invalid",
    title: "Invalid",
    detail: "2 findings",
    findings,
    problem,
  });
});

it("reports an answer that is no problem document by its status", async () => {
  const page = () => new Response("<html>", { status: 502, statusText: "Bad Gateway" });
  const server = recordingServer({}, page);

  const listing = server.client.agents.list();

  await expect(listing).rejects.toMatchObject({
    status: 502,
    code: "http_502",
    title: "Bad Gateway",
    findings: [],
  });
});

it("reports a server that does not answer, and an answer that is not JSON, as failures of its own", async () => {
  const cause = new TypeError("fetch failed");
  const unreachable = recordingServer({}, () => Promise.reject(cause));
  const garbled = recordingServer({}, () => new Response("{"));

  await expect(unreachable.client.meta()).rejects.toMatchObject({
    status: 0,
    code: "connection_failed",
    cause,
  });
  await expect(garbled.client.meta()).rejects.toMatchObject({
    status: 0,
    code: "response_invalid",
  });
});

it("rejects with the reason of the signal when a request is given up", async () => {
  const leave = new AbortController();
  const server = recordingServer({}, () => {
    leave.abort(new Error("left"));
    return Promise.reject(leave.signal.reason);
  });

  await expect(server.client.meta({ signal: leave.signal })).rejects.toThrow("left");
});

it("sends a refused request once more when there is a new token", async () => {
  let token = "old";
  const server = recordingServer(
    {
      token: () => token,
      onUnauthorized: () => {
        token = "new";
        return true;
      },
    },
    ({ headers }) =>
      headers.get("authorization") === "Bearer new"
        ? Response.json([])
        : Response.json({ code: "unauthorized" }, { status: 401 }),
  );

  expect(await server.client.agents.list()).toEqual([]);
  expect(server.requests).toHaveLength(2);
});

it("reports a refused request without a new token once", async () => {
  const reported: string[] = [];
  const server = recordingServer(
    {
      onUnauthorized: (error) => {
        reported.push(error.code);
        return undefined;
      },
    },
    () => Response.json({ code: "unauthorized" }, { status: 401 }),
  );

  await expect(server.client.agents.list()).rejects.toMatchObject({ status: 401 });
  expect(reported).toEqual(["unauthorized"]);
  expect(server.requests).toHaveLength(1);
});

it("goes on with a list by the link of the page before, on its own server", async () => {
  const link =
    '<https://elsewhere.test/x?a=1>; rel="prev", </tracon/api/runs?cursor=c%2F1&take=2>; rel="next"';
  const pages = [
    () => Response.json([{ id: "1" }], { headers: { link } }),
    () => Response.json([{ id: "2" }]),
  ];
  const server = recordingServer({}, () => (pages.shift() ?? Response.error)());

  const first = await server.client.runs.list({ agentName: "a", take: 2, status: undefined });
  const second = await server.client.runs.list({ next: first.next ?? "" });

  expect(server.requests.map((it) => it.url)).toEqual([
    "http://tracon.test/tracon/api/runs?agentName=a&take=2",
    "http://tracon.test/tracon/api/runs?cursor=c%2F1&take=2",
  ]);
  expect(second).toEqual({ items: [{ id: "2" }], next: undefined });
});

type Sent = { readonly method: string; readonly url: string; readonly headers: Headers };

function recordingServer(
  options: Partial<TraconClientOptions> = {},
  answer: (sent: Sent) => Response | Promise<Response> = () => Response.json({}),
) {
  const requests: Sent[] = [];
  const client = createTraconClient({
    baseUrl: "http://tracon.test/tracon/",
    fetch: async (url, init) => {
      const sent = {
        method: init?.method ?? "GET",
        url: String(url),
        headers: new Headers(init?.headers),
      };
      requests.push(sent);
      return answer(sent);
    },
    ...options,
  });
  return { client, requests };
}
