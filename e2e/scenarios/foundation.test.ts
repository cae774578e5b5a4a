/**
 * The product from end to end: a server process on a SQLite file, an agent with a tool, a provider
 * reached over HTTP through the vendor's own package.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FakeOpenAi, type FakeOpenAiStep, startFakeOpenAi } from "@tracon/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliProcess, startCli } from "../kit/cli-process.ts";
import { allFrames, dataOf, framesUntil, type SseFrame, sseFrames } from "../kit/sse.ts";
import { type Api, type RecordedEvent, tracon } from "../kit/tracon-api.ts";
import { covers } from "../requirements/covers.ts";

const CONFIG = fileURLToPath(new URL("../foundation/tracon.config.ts", import.meta.url));
const KEY = "sk-canary-of-the-foundation";
const ANSWER = ["Order ORD-3", " is on", " its way", ", Grüße 💥."];
const TERMINAL = /^(RunCompleted|RunFailed|RunCanceled|RunAwaitingInput)$/;

let folder: string;
let provider: FakeOpenAi;
let server: CliProcess;
let api: Api;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tracon-foundation-"));
  provider = await startFakeOpenAi({ apiKey: KEY });
  await start();
});

afterAll(async () => {
  server.kill("SIGTERM");
  const { code } = await server.exited;
  await provider.close();
  rmSync(folder, { recursive: true });
  expect(code).toBe(0);
});

describe.each(["openai", "openai-responses", "local"])("on the provider %s", (name) => {
  const agent = `support-${name}`;

  it("runs two model calls and one tool call, streamed and recorded as one sequence", {
    ...covers("compile.resolves-model", "compile.resolves-tools", "definition.compiles-to-agent"),
  }, async () => {
    provider.enqueue(...conversation());

    const frames = await allFrames(await api.stream(agent, { message: "Where is ORD-3?" }));
    const runId = String(dataOf(frames[0]).runId);
    const events = await api.recorded(runId);

    expectFrames(frames);
    expectEvents(events);
    expect(dataOf(frames.at(-1))).toMatchObject({
      status: "Completed",
      output: ANSWER.join(""),
      usage: { inputTokens: 100, outputTokens: 15, totalTokens: 115 },
      cost: { totalCost: 0.00025, currency: "USD" },
      modelProvider: name,
    });
    provider.assertDone();
  });

  it("sends the key, the instructions, the tool and its result to the provider", async () => {
    provider.enqueue(...conversation());
    const before = provider.requests.length;

    await api.run(agent, { message: "Where is ORD-3?" });

    const [first, second] = provider.requests.slice(before);
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(first?.body)).toContain("Help with orders.");
    expect(JSON.stringify(first?.body)).toContain("get_order_status");
    expect(JSON.stringify(second?.body)).toContain("on its way");
  });

  it("answers a caller who does not stream with the same result", async () => {
    provider.enqueue(...conversation());

    const result = await api.run(agent, { message: "Where is ORD-3?" });

    expect(result).toMatchObject({
      status: "Completed",
      output: ANSWER.join(""),
      usage: { inputTokens: 100, outputTokens: 15 },
    });
    expectEvents(await api.recorded(result.runId));
  });
});

describe("a client that drops its connection", () => {
  it("continues a finished run after every index, to the byte", async () => {
    const { runId, frames } = await finishedRun();

    for (let after = -1; after < frames.length; after++) {
      const cursor = after < 0 ? {} : { after };
      const rest = await allFrames(await api.events(runId, cursor));

      // Behind the last event the stream is empty, and it ends all the same.
      expect(rest.map(({ raw }) => raw)).toEqual(frames.slice(after + 1).map(({ raw }) => raw));
    }
  });

  it("continues the native stream after every frame of it", async () => {
    const whole = await nativeFrames(slowConversation(25));
    const count = whole.filter(({ id }) => id !== undefined).length;

    expect(count).toBeGreaterThan(6);
    for (let index = 0; index < count - 1; index++) {
      provider.enqueue(...slowConversation(2));
      let seen = -1;
      const head = await framesUntil(
        (signal) => api.stream("support-openai", { signal }),
        () => ++seen === index,
      );
      const runId = String(dataOf(head[0]).runId);
      const last = Number(head.at(-1)?.id);
      const rest = await allFrames(await api.events(runId, { after: last }));

      expect(idsOf(rest)).toEqual(range(last + 1, last + 1 + rest.length));
      expectEvents(await api.recorded(runId));
      expect(rest.map(({ data }) => JSON.parse(data))).toEqual(
        (await api.recorded(runId)).slice(last + 1),
      );
    }
  });

  it("continues the stream of events of a running run after every index", async () => {
    provider.enqueue(...slowConversation(15));
    const started = await framesUntil(
      (signal) => api.stream("support-openai", { signal }),
      ({ event }) => event === "run",
    );
    const runId = String(dataOf(started[0]).runId);

    const whole: SseFrame[] = [];
    const rests: Promise<SseFrame[]>[] = [];
    for await (const frame of sseFrames((await api.events(runId)).body)) {
      whole.push(frame);
      rests.push(api.events(runId, { after: frame.id ?? "" }).then(allFrames));
    }

    expect(idsOf(whole)).toEqual(range(0, whole.length));
    for (const [index, rest] of (await Promise.all(rests)).entries()) {
      expect(rest.map(({ raw }) => raw)).toEqual(whole.slice(index + 1).map(({ raw }) => raw));
    }
  });

  it("finds a finished run as it was after the server was killed and started again", async () => {
    const { runId, frames } = await finishedRun();

    server.kill("SIGKILL");
    await server.exited;
    await start();

    for (let after = 0; after < frames.length; after++) {
      const rest = await allFrames(await api.events(runId, { after }));
      expect(rest.map(({ raw }) => raw)).toEqual(frames.slice(after + 1).map(({ raw }) => raw));
    }
  });

  it("is told when its cursor is no sequence of the run", async () => {
    const { runId, frames } = await finishedRun();

    for (const after of [frames.length, 1_000_000, "x", "-1", "1.5", "01"]) {
      const response = await api.events(runId, { after });

      expect([after, response.status]).toEqual([after, 400]);
      expect(await response.json()).toMatchObject({ code: "cursor_invalid" });
    }
  });
});

async function start(): Promise<void> {
  server = startCli(["serve", "--config", CONFIG, "--port", "0"], {
    env: {
      FAKE_OPENAI_URL: provider.url,
      FAKE_OPENAI_KEY: KEY,
      DATABASE_URL: `sqlite:${join(folder, "tracon.db")}`,
    },
  });
  api = tracon(await server.url());
}

/** A tool call, then an answer in pieces; usage 40/6 and 60/9. */
const conversation = (): readonly FakeOpenAiStep[] => slowConversation(0);

const slowConversation = (chunkDelayMs: number): readonly FakeOpenAiStep[] => [
  {
    text: ["Let me ", "look."],
    toolCalls: [{ name: "get_order_status", arguments: ['{"order', 'Id":"ORD-3"}'] }],
    usage: { inputTokens: 40, outputTokens: 6 },
    faults: { chunkDelayMs },
  },
  {
    text: ANSWER,
    usage: { inputTokens: 60, outputTokens: 9 },
    faults: { chunkDelayMs },
  },
];

async function nativeFrames(turns: readonly FakeOpenAiStep[]): Promise<SseFrame[]> {
  provider.enqueue(...turns);
  return allFrames(await api.stream("support-openai"));
}

async function finishedRun() {
  const frames = await nativeFrames(conversation());
  const runId = String(dataOf(frames[0]).runId);
  return { runId, frames: await allFrames(await api.events(runId)) };
}

function expectFrames(frames: readonly SseFrame[]): void {
  const updates = frames.filter(({ event }) => event === "update").map(dataOf);
  expect(frames.map(({ event }) => event)).toEqual(["run", ...updates.map(() => "update"), "done"]);
  expect(updates.filter(({ kind }) => kind === "toolCall")).toMatchObject([
    { iteration: 1, toolName: "get_order_status", arguments: '{"orderId":"ORD-3"}' },
  ]);
  expect(updates.filter(({ kind }) => kind === "toolResult")).toMatchObject([
    { toolName: "get_order_status", result: '{"orderId":"ORD-3","status":"on its way"}' },
  ]);
  const text = updates.filter(({ kind }) => kind === "text").map((update) => update.text);
  expect(text.join("")).toBe(`Let me look.${ANSWER.join("")}`);
}

function expectEvents(events: readonly RecordedEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(range(0, events.length));
  expect(events.filter(({ type }) => TERMINAL.test(type))).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "RunCompleted" });
  expect(events.map(({ type }) => type).filter((type) => type !== "MessageDelta")).toEqual([
    "RunStarted",
    "MessageCompleted",
    "ToolInvoking",
    "ToolInvoked",
    "MessageCompleted",
    "RunCompleted",
  ]);
}

const idsOf = (frames: readonly SseFrame[]): number[] => frames.map(({ id }) => Number(id));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
