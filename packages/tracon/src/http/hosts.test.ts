/**
 * Every host a Tracon can be put into, with the real framework: one table of what holds in all of
 * them, and what is particular to each below.
 */

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, serve } from "@hono/node-server";
import { memoryLog, type ScriptedStep, scriptedModel } from "@tracon/testing";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { createTracon } from "../create-tracon.ts";
import type { Tracon } from "../tracon.ts";

type Host = { readonly origin: string; close(): Promise<void> };
type StartHost = (tracon: Tracon) => Promise<Host>;

const hosts: Readonly<Record<string, StartHost>> = {
  "node:http": (tracon) => listen(tracon.node()),

  "Express at the root": (tracon) => {
    const app = express();
    app.use(tracon.express());
    app.use((_request, response) => void response.status(404).send("the host's own 404"));
    return listen(app);
  },

  "Express at the prefix": (tracon) => {
    const app = express();
    app.use(tracon.prefix || "/", tracon.express());
    app.use((_request, response) => void response.status(404).send("the host's own 404"));
    return listen(app);
  },

  "Express behind express.json()": (tracon) => {
    const app = express();
    app.use(express.json());
    app.use(tracon.express());
    app.use((_request, response) => void response.status(404).send("the host's own 404"));
    return listen(app);
  },

  Fastify: async (tracon) => {
    const app = fastify({ forceCloseConnections: true });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send("the host's own 404"));
    await app.register(tracon.fastify());
    const origin = await app.listen({ host: "127.0.0.1", port: 0 });
    return { origin, close: () => app.close() };
  },

  Hono: (tracon) => {
    const app = new Hono();
    app.all(`${tracon.prefix}/*`, (c) => tracon.fetch(c.req.raw, c.env));
    app.all(tracon.prefix, (c) => tracon.fetch(c.req.raw, c.env));
    app.notFound((c) => c.text("the host's own 404", 404));
    return listenHono(app);
  },

  "a fetch handler as Next has it": (tracon) => {
    const POST = (request: Request): Promise<Response> => tracon.fetch(request);
    const listener = getRequestListener(POST, { overrideGlobalObjects: false });
    return listen((request, response) => void listener(request, response));
  },
};

const ownNotFound = ["node:http", "a fetch handler as Next has it"];

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(Object.entries(hosts))("in %s", (name, start) => {
  it("answers a call with a body", async () => {
    const { origin } = await started(start, ["Hello!"]);

    const response = await post(`${origin}/tracon/api/agents/greeter/run`, {
      accept: "application/json",
    });

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: "Completed", output: "Hello!" });
  });

  it("sends a stream as it comes", async () => {
    const gate = Promise.withResolvers<void>();
    const waits = { sleep: () => gate.promise };
    const { origin } = await started(start, [{ text: ["one"], chunkDelayMs: 1 }], waits);

    const response = await post(`${origin}/tracon/api/agents/greeter/run`);
    const reader = readerOf(response);
    const first = await reader.next();
    gate.resolve();
    const rest = await reader.rest();

    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(first).toMatch(/^id: 0\nevent: run\n/);
    expect(first).not.toContain("event: done");
    expect(rest).toContain("event: done");
  });

  it("lets a run go on when its client leaves", async () => {
    const gate = Promise.withResolvers<void>();
    const waits = { sleep: () => gate.promise };
    const { origin, tracon } = await started(start, [{ text: ["late"], chunkDelayMs: 1 }], waits);
    const leaving = new AbortController();
    const response = await post(`${origin}/tracon/api/agents/greeter/run`, {}, leaving.signal);
    const runId = runIdOf(await readerOf(response).next());

    leaving.abort();
    await tracon.runs.get(runId);
    gate.resolve();
    const events = await Array.fromAsync(tracon.runs.events(runId));

    expect(events.at(-1)).toMatchObject({ type: "RunCompleted" });
  });

  it("ends a run with its client when the client asked for that", async () => {
    const { origin, tracon } = await started(start, [{ text: "one", ends: "hang" }]);
    const leaving = new AbortController();
    const url = `${origin}/tracon/api/agents/greeter/run?abortOnDisconnect=true`;
    const response = await post(url, {}, leaving.signal);
    const runId = runIdOf(await readerOf(response).next());

    leaving.abort();
    const events = await Array.fromAsync(tracon.runs.events(runId));

    expect(events.at(-1)).toMatchObject({ type: "RunCanceled" });
  });

  it("continues a stream after Last-Event-ID", async () => {
    const { origin, tracon } = await started(start, ["Hello!"]);
    const { runId } = await tracon.run("greeter", { message: "Hi" });

    const response = await fetch(`${origin}/tracon/api/runs/${runId}/events`, {
      headers: { "last-event-id": "1" },
    });

    expect(await response.text()).toMatch(/^id: 2\n/);
  });

  it("leaves everything outside its prefix alone", async () => {
    const { origin } = await started(start, []);

    const beside = await fetch(`${origin}/traconic/api/meta`);
    const elsewhere = await fetch(`${origin}/other`);

    expect([beside.status, elsewhere.status]).toEqual([404, 404]);
    const texts = [await beside.text(), await elsewhere.text()];
    const isOwn = ownNotFound.includes(name);
    for (const text of texts) {
      expect(text).toContain(isOwn ? "route_not_found" : "the host's own 404");
    }
  });

  it("answers malformed bodies, unknown methods and wrong paths with problems", async () => {
    const { origin } = await started(start, []);
    const url = `${origin}/tracon/api/agents`;
    const json = { "content-type": "application/json" };

    const answers = await Promise.all([
      fetch(url, { method: "POST", headers: json, body: '{"name":5}' }),
      fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body: "x" }),
      fetch(url, { method: "DELETE" }),
      fetch(`${origin}/tracon/api/nowhere`),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 415, 405, 404]);
    for (const { headers } of answers) {
      expect(headers.get("content-type")).toBe("application/problem+json");
    }
  });

  it("answers HEAD without a body", async () => {
    const { origin } = await started(start, []);

    const response = await fetch(`${origin}/tracon/api/meta`, { method: "HEAD" });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});

describe.each([
  ["/", ""],
  ["/a/b", "/a/b"],
])("under the prefix %s", (prefix, root) => {
  it.each(Object.entries(hosts))("is reached in %s", async (_name, start) => {
    const { origin } = await started(start, ["Hello!"], { prefix });

    const meta = await fetch(`${origin}${root}/api/meta`);
    const run = await post(`${origin}${root}/api/agents/greeter/run`, {
      accept: "application/json",
    });

    expect(await meta.json()).toMatchObject({ prefix: root });
    expect(await run.json()).toMatchObject({ output: "Hello!" });
  });
});

it("takes bodies from Express whichever parser stands in front", async () => {
  const parsers = [
    express.text({ type: "*/*" }),
    express.raw({ type: "*/*" }),
    express.urlencoded(),
  ];
  for (const parser of parsers) {
    const { origin } = await started(
      (tracon) => {
        const app = express();
        app.use(parser, tracon.express());
        return listen(app);
      },
      ["Hello!"],
    );

    const response = await post(`${origin}/tracon/api/agents/greeter/run`, {
      accept: "application/json",
    });

    expect(await response.json()).toMatchObject({ output: "Hello!" });
  }
});

it("leaves the host's own routes and parsers of Fastify as they are", async () => {
  const { origin } = await started(async (tracon) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(tracon.fastify());
    app.post("/own", (request) => ({ got: request.body }));
    const address = await app.listen({ host: "127.0.0.1", port: 0 });
    return { origin: address, close: () => app.close() };
  }, []);

  const response = await post(`${origin}/own`);

  expect(await response.json()).toEqual({ got: { message: "Hi" } });
});

it("leaves the host's Request and Response as they are", async () => {
  const before = [globalThis.Request, globalThis.Response];
  const { origin } = await started(hosts["node:http"] as StartHost, []);

  await fetch(`${origin}/tracon/api/meta`);

  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});

type Options = { readonly sleep?: () => Promise<void>; readonly prefix?: string };

async function started(start: StartHost, script: readonly ScriptedStep[], options: Options = {}) {
  const { sleep, prefix = "/tracon" } = options;
  const model = scriptedModel(script, sleep === undefined ? {} : { sleep });
  const tracon = await createTracon(
    {
      providers: { test: { languageModel: () => model } },
      agents: [{ name: "greeter", model: { provider: "test", model: "m" } }],
      storage: "memory:",
      server: { prefix },
      log: memoryLog(),
    },
    { env: {} },
  );
  cleanups.push(() => tracon.close({ graceMs: 0 }));
  const host = await start(tracon);
  cleanups.push(() => host.close());
  return { origin: host.origin, tracon };
}

const post = (url: string, headers = {}, signal: AbortSignal | null = null): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ message: "Hi" }),
    signal,
  });

function readerOf(response: Response) {
  const texts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => (await texts?.read())?.value ?? "";
  return {
    next,
    async rest(): Promise<string> {
      let text = "";
      for (let part = await next(); part !== ""; part = await next()) text += part;
      return text;
    },
  };
}

const runIdOf = (frame: string): string => /"runId":"([^"]+)"/.exec(frame)?.[1] ?? "";

const listen = (listener: RequestListener): Promise<Host> => opened(createServer(listener));

const listenHono = (app: Hono): Promise<Host> =>
  new Promise((resolve) => {
    const options = { hostname: "127.0.0.1", port: 0, overrideGlobalObjects: false };
    const server = serve({ fetch: app.fetch, ...options }, () => resolve(hostOf(server as Server)));
  });

async function opened(server: Server): Promise<Host> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return hostOf(server);
}

const hostOf = (server: Server): Host => ({
  origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  close: () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
});
