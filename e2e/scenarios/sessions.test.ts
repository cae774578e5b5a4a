/**
 * Conversations on real servers: what a provider reads of them over HTTP through the vendors' own
 * packages, and what is left of them when processes are killed or meet on one session.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FakeOpenAi,
  type FakeOpenAiStep,
  type StoreEngine,
  startFakeOpenAi,
  storeMatrix,
} from "@tracon/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliProcess, runCliProcess, startCli } from "../kit/cli-process.ts";
import { allFrames, dataOf, framesUntil } from "../kit/sse.ts";
import { type Api, tracon } from "../kit/tracon-api.ts";

const KINDS = ["openai", "openai-responses", "local"] as const;
const KEY = "sk-canary-of-the-sessions";
const TURNS_AT_ONCE = 10;

const CONFIG = `
import { tool } from "ai";
import { z } from "zod";
const connection = { apiKey: { env: "KEY" }, baseURL: process.env.FAKE_OPENAI_URL };
const agent = (name) => ({
  name,
  model: { provider: name, model: "gpt-5.4-mini", toolLoop: { allowConcurrentToolCalls: true } },
  instructions: "Count.",
  toolNames: ["count", "slow"],
});
export default {
  providers: {
    openai: { kind: "openai", ...connection },
    local: { kind: "openai-compatible", ...connection },
  },
  tools: {
    count: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => "counted " + n }),
    slow: tool({ inputSchema: z.object({}), execute: () => new Promise(() => undefined) }),
  },
  agents: [
    ...["openai", "openai-responses", "local"].map(agent),
    ...["openai", "openai-responses", "local"].map((provider) => ({
      name: "planner-" + provider,
      model: { provider, model: "gpt-5.4-mini" },
      harness: {},
    })),
  ],
};`;

let folder: string;
let provider: FakeOpenAi;
beforeAll(async () => {
  // Below the repository, so that the configuration finds the packages it imports.
  folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.tracon-sessions-"));
  writeFileSync(join(folder, "tracon.config.mjs"), CONFIG);
  provider = await startFakeOpenAi({ apiKey: KEY });
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

const persistent = storeMatrix().filter(({ engine }) => engine !== "memory");

describe.each(persistent)("a server on $engine that is killed", (store) => {
  const server = restartable(store);
  beforeAll(server.open);
  afterAll(server.close);

  it.each(KINDS)("goes on with every conversation it has answered, on %s", async (agent) => {
    const sessionId = `s-${agent}`;
    provider.enqueue(counting(1), { text: "One." });
    await server.api.run(agent, { message: "Count to one.", sessionId });

    await server.killAndStart();
    provider.enqueue(counting(2), { text: "Two." });
    const { status } = await server.api.run(agent, { message: "Count on.", sessionId });
    provider.enqueue({ text: "Two it is." });
    await server.api.run(agent, { message: "Where are we?", sessionId });

    expect(status).toBe("Completed");
    expect(provider.refusals).toEqual([]);
    expect(await textsOf(server.api, sessionId)).toEqual([
      "user: Count to one.",
      "assistant: count",
      "tool: counted 1",
      "assistant: One.",
      "user: Count on.",
      "assistant: count",
      "tool: counted 2",
      "assistant: Two.",
      "user: Where are we?",
      "assistant: Two it is.",
    ]);
    const sent = JSON.stringify(provider.requests.at(-1)?.body);
    expect(sent.split("counted 1")).toHaveLength(2);
    expect(sent.split("counted 2")).toHaveLength(2);
  });

  it.each(KINDS)("has the todo list and the mode of a conversation again, on %s", async (kind) => {
    const sessionId = `planned-${kind}`;
    const todos = [{ title: "Read" }, { title: "Write" }];
    provider.enqueue(
      { toolCalls: [{ name: "todos_add", arguments: { todos } }] },
      { toolCalls: [{ name: "mode_set", arguments: { mode: "execute" } }] },
      { text: "Planned." },
    );
    await server.api.run(`planner-${kind}`, { message: "Plan.", sessionId });

    await server.killAndStart();
    const { body } = await server.api.json("GET", `/api/sessions/${sessionId}`);
    provider.enqueue({ text: "I know." });
    const { status } = await server.api.run(`planner-${kind}`, { message: "Go on.", sessionId });

    expect(status).toBe("Completed");
    expect(body.state).toEqual({
      todos: {
        nextId: 3,
        items: [
          { id: 1, title: "Read", isComplete: false },
          { id: 2, title: "Write", isComplete: false },
        ],
      },
      mode: { current: "execute", seen: "execute" },
    });
    const sent = JSON.stringify(provider.requests.at(-1)?.body);
    expect(sent.split("Your todo list:")).toHaveLength(2);
    expect(sent).toContain("- 1 [open] Read");
    expect(sent).toContain("You are in mode 'execute'");
    expect(JSON.stringify(body.messages)).not.toContain("Your todo list");
    expect(provider.refusals).toEqual([]);
  });

  it("leaves a conversation as it was before the turn in which it died", async () => {
    const sessionId = "killed";
    provider.enqueue({ text: "Hello." });
    await server.api.run("openai", { message: "Hi.", sessionId });
    const before = (await server.api.json("GET", `/api/sessions/${sessionId}`)).body;

    provider.enqueue({ toolCalls: [{ name: "slow", arguments: {} }] });
    await runUntilTool(server.api, "openai", sessionId);
    await server.killAndStart();

    expect((await server.api.json("GET", `/api/sessions/${sessionId}`)).body).toEqual(before);
    provider.enqueue({ text: "Still here." });
    expect(await server.api.run("openai", { message: "And now?", sessionId })).toMatchObject({
      status: "Completed",
    });
    expect(provider.refusals).toEqual([]);
  });

  it.each(KINDS)("closes what was open when a turn was cancelled, on %s", async (agent) => {
    const sessionId = `canceled-${agent}`;
    provider.enqueue({
      toolCalls: [
        { name: "slow", arguments: {} },
        { name: "count", arguments: { n: 7 } },
        { name: "slow", arguments: {} },
      ],
    });
    const runId = await runUntilTool(server.api, agent, sessionId);
    await server.api.json("POST", `/api/runs/${runId}/cancel`);
    await allFrames(await server.api.events(runId));

    provider.enqueue({ text: "I see." });
    const next = await server.api.run(agent, { message: "What happened?", sessionId });

    expect(next.status).toBe("Completed");
    expect(provider.refusals).toEqual([]);
    expect(await textsOf(server.api, sessionId)).toEqual([
      "user: Hi",
      "assistant: slow count slow",
      "tool: canceled before it had a result counted 7 canceled before it had a result",
      "user: What happened?",
      "assistant: I see.",
    ]);
  });
});

describe.each(persistent)("two processes on $engine and one session", (store) => {
  let servers: readonly CliProcess[];
  let apis: readonly [Api, Api];

  beforeAll(async () => {
    const env = environment(await store.newUrl());
    servers = [1, 2].map(() => startCli(["serve", "--port", "0"], { cwd: folder, env }));
    const [one = "", other = ""] = await Promise.all(servers.map((it) => it.url()));
    apis = [tracon(one), tracon(other)];
  });
  afterAll(async () => {
    for (const it of servers) it.kill("SIGTERM");
    await Promise.all(servers.map(({ exited }) => exited));
    expect(servers.map((it) => it.err())).toEqual(["", ""]);
  });

  it("saves each turn that says it was saved, and tells the others to send theirs again", async () => {
    const sessionId = "contested";
    const saved: string[] = [];
    for (let round = 0; round < 3; round++) {
      provider.enqueue(...Array.from({ length: TURNS_AT_ONCE }, () => ({ text: "Noted." })));
      const turns = Array.from({ length: TURNS_AT_ONCE }, async (_, index) => {
        const message = `round ${round} turn ${index}`;
        const path = "/api/agents/openai/run";
        const answer = await apis[index % 2]!.json("POST", path, { message, sessionId });
        return { message, ...answer };
      });
      const answers = await Promise.all(turns);
      const [won, lost] = [200, 409].map((status) => answers.filter((it) => it.status === status));

      expect((won?.length ?? 0) + (lost?.length ?? 0)).toBe(TURNS_AT_ONCE);
      expect(won?.length).toBeGreaterThan(0);
      for (const { body } of lost ?? []) await expectConflict(apis[0], body);
      saved.push(...(won ?? []).map(({ message }) => message));
    }

    const { body } = await apis[1].json("GET", `/api/sessions/${sessionId}`);
    expect(body.version).toBe(saved.length);
    expect(body.messages).toHaveLength(2 * saved.length);
    const texts = await textsOf(apis[0], sessionId);
    expect(texts.filter((it) => it.startsWith("user")).sort()).toEqual(
      saved.map((it) => `user: ${it}`).sort(),
    );
  });

  it("continues in one what was said in the other", async () => {
    const sessionId = "shared";
    for (let turn = 0; turn < 6; turn++) {
      provider.enqueue({ text: `Answer ${turn}.` });
      const { status } = await apis[turn % 2]!.run("local", { message: `${turn}`, sessionId });
      expect(status).toBe("Completed");
    }

    const body = provider.requests.at(-1)?.body as { readonly messages: unknown[] } | undefined;
    expect(body?.messages).toHaveLength(12);
    expect(provider.refusals).toEqual([]);
  });
});

describe("the command line", () => {
  let env: Readonly<Record<string, string>>;
  beforeEach(() => {
    env = environment(`sqlite:${join(mkdtempSync(join(tmpdir(), "tracon-cli-")), "t.db")}`);
  });

  it("continues a conversation with --session", async () => {
    provider.enqueue({ text: "Hello." }, { text: "You said Hi." });
    const run = (message: string) =>
      runCliProcess(["run", "openai", message, "--session", "chat", "--json"], {
        cwd: folder,
        env,
      });

    await run("Hi.");
    const { code, out } = await run("What did I say?");

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ output: "You said Hi.", sessionId: "chat" });
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain("Hello.");
  });
});

const counting = (n: number): FakeOpenAiStep => ({
  toolCalls: [{ name: "count", arguments: { n }, id: "call_same" }],
});

const environment = (databaseUrl: string) => ({
  FAKE_OPENAI_URL: provider.url,
  KEY,
  DATABASE_URL: databaseUrl,
});

/** One server on one database, which is killed and started again. */
function restartable(store: StoreEngine) {
  let url = "";
  let child: CliProcess | undefined;
  const server = {
    api: tracon(""),
    async open() {
      url = await store.newUrl();
      await start();
    },
    async killAndStart() {
      child?.kill("SIGKILL");
      await child?.exited;
      await start();
    },
    async close() {
      child?.kill("SIGTERM");
      await child?.exited;
    },
  };
  async function start(): Promise<void> {
    child = startCli(["serve", "--port", "0"], { cwd: folder, env: environment(url) });
    server.api = tracon(await child.url());
  }
  return server;
}

/** Starts a run and leaves it once a tool of it is at work. Answers with its id. */
async function runUntilTool(api: Api, agent: string, sessionId: string): Promise<string> {
  const frames = await framesUntil(
    (signal) => api.stream(agent, { sessionId, signal }),
    ({ data }) => data.includes('"kind":"toolResult"') || data.includes('"toolName":"slow"'),
  );
  const runId = String(dataOf(frames[0]).runId);
  expect(dataOf(frames[0])).toMatchObject({ sessionId });
  return runId;
}

async function expectConflict(api: Api, problem: { readonly runId: string }): Promise<void> {
  expect(problem).toMatchObject({ code: "session_conflict" });
  const events = await api.recorded(problem.runId);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["SessionWriteConflicted", "RunFailed"]);
  expect(events.filter(({ type }) => /^Run(Completed|Failed)$/.test(type))).toHaveLength(1);
  const { body } = await api.json("GET", `/api/runs/${problem.runId}`);
  expect(body).toMatchObject({ status: "Failed", eventCount: events.length });
}

async function textsOf(api: Api, sessionId: string): Promise<readonly string[]> {
  const { body } = await api.json("GET", `/api/sessions/${sessionId}`);
  return body.messages.map(
    ({ role, contents }: { role: string; contents: Record<string, unknown>[] }) =>
      `${role}: ${contents.map(({ text, name, result }) => text ?? result ?? name).join(" ")}`,
  );
}
