/**
 * Everything a provider and the network to it can do wrong, over real HTTP through the vendors' own
 * packages: the run ends with the right status, its caller is answered, nothing is run by half.
 */

import {
  type FakeFaults,
  type FakeOpenAi,
  type FakeOpenAiStep,
  type MemoryLog,
  memoryLog,
  startFakeOpenAi,
  startTestHost,
  type TestHost,
} from "@tracon/testing";
import { tool } from "ai";
import { createTracon, type Tracon } from "tracon";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { allFrames, dataOf, type SseFrame } from "../kit/sse.ts";
import { type Api, tracon } from "../kit/tracon-api.ts";

const KINDS = ["openai", "openai-responses", "local"] as const;
const SECRET_TEXT = "the provider's own words";

let provider: FakeOpenAi;
let host: TestHost<Tracon>;
let api: Api;
let log: MemoryLog;
/** Tool bodies that ran. */
const ledger: string[] = [];

beforeAll(async () => {
  provider = await startFakeOpenAi();
  log = memoryLog();
  const connection = { apiKey: { env: "KEY" }, baseURL: provider.url };
  host = await startTestHost(() =>
    createTracon(
      {
        storage: "memory:",
        log,
        // Each fault by itself: nothing is repeated, and no fault closes the way for the next.
        modelRetry: { maxRetries: 0 },
        circuitBreaker: { enabled: false },
        providers: {
          openai: { kind: "openai", ...connection },
          local: { kind: "openai-compatible", ...connection },
        },
        tools: {
          count: tool({
            inputSchema: z.object({ n: z.number() }),
            execute: ({ n }) => {
              ledger.push(String(n));
              return "counted";
            },
          }),
        },
        agents: KINDS.map((name) => ({
          name,
          model: { provider: name, model: "gpt-5.4-mini" },
          toolNames: ["count"],
        })),
      },
      { env: { KEY: "sk-test" } },
    ),
  );
  api = tracon(host.url);
});
afterAll(async () => {
  await host.close();
  await provider.close();
});
beforeEach(() => {
  ledger.length = 0;
});

describe.each(KINDS)("on %s", (agent) => {
  it.each([
    [400, "provider_error", "ProviderError", 502],
    [401, "provider_error", "ProviderError", 502],
    [403, "provider_error", "ProviderError", 502],
    [404, "provider_error", "ProviderError", 502],
    [408, "timeout", "Timeout", 504],
    [409, "provider_error", "ProviderError", 502],
    [413, "provider_error", "ProviderError", 502],
    [422, "provider_error", "ProviderError", 502],
    [429, "rate_limited", "RateLimited", 429],
    [500, "provider_unavailable", "ProviderUnavailable", 502],
    [502, "provider_unavailable", "ProviderUnavailable", 502],
    [503, "provider_unavailable", "ProviderUnavailable", 502],
    [504, "timeout", "Timeout", 504],
    [529, "provider_unavailable", "ProviderUnavailable", 502],
  ])("fails with the class of HTTP %i: %s", async (status, code, errorClass, problemStatus) => {
    const body = { error: { message: SECRET_TEXT, type: "t", code: null, param: null } };
    const turn: FakeOpenAiStep = { http: { status, body } };

    const { result, frames } = await bothForms(agent, [turn], [turn]);

    expect(result).toMatchObject({
      status: "Failed",
      output: "",
      error: { type: code, class: errorClass },
    });
    expectOneError(frames, { code, status: problemStatus });
    expect(JSON.stringify([result, frames])).not.toContain(SECRET_TEXT);
  });

  it.each([
    ["an empty body", ""],
    ["a page of a proxy", "<html>Bad gateway</html>"],
    ["JSON of another shape", '{"unexpected": true}'],
    ["half a JSON body", '{"error": {"mess'],
  ])("fails for an error with %s", async (_what, body) => {
    const turn: FakeOpenAiStep = { http: { status: 502, body } };

    const { result, frames } = await bothForms(agent, [turn], [turn]);

    expect(result).toMatchObject({ status: "Failed", error: { class: "ProviderUnavailable" } });
    expectOneError(frames, { code: "provider_unavailable" });
  });

  it.each<[string, number, string]>([
    ["a 200 of another kind", 200, "<html>Welcome</html>"],
    ["a 200 that is empty", 200, ""],
  ])("fails for %s", async (_what, status, body) => {
    const turn: FakeOpenAiStep = { http: { status, body } };

    const { result, frames } = await bothForms(agent, [turn], [turn]);

    expect(result).toMatchObject({ status: "Failed", error: { class: "ProviderError" } });
    expectOneError(frames, { code: "provider_error" });
  });

  it("gives the same answer however its bytes are split", async () => {
    for (const splitEveryBytes of [1, 2, 3, 7, 64]) {
      provider.enqueue(...answer({ splitEveryBytes }));

      const result = await api.run(agent);

      expect(result).toMatchObject({
        status: "Completed",
        output: "Grüße 💥 done",
        usage: { inputTokens: 20, outputTokens: 10 },
      });
    }
    expect(ledger).toHaveLength(5);
  });

  it("fails and runs no tool when a stream is cut at any byte", async () => {
    const length = await streamLength(agent);
    const step = Math.ceil(length / 25);
    for (let cutAfterBytes = 1; cutAfterBytes < length - 120; cutAfterBytes += step) {
      provider.enqueue({ ...toolTurn, faults: { cutAfterBytes } });

      const result = await api.run(agent);

      expect([cutAfterBytes, result.status]).toEqual([cutAfterBytes, "Failed"]);
      expect(result.error).toMatchObject({
        class: expect.stringMatching(/^Provider(Error|Unavailable)$/),
      });
    }
    expect(ledger).toEqual([]);
  });

  it.each(["end", "cut"] as const)(
    "fails, keeps the text and runs no tool when a stream has its %s after any event",
    async (by) => {
      for (let afterEvents = 0; afterEvents < 5; afterEvents++) {
        provider.enqueue({ ...toolTurn, faults: { breaks: { afterEvents, by } } });

        const frames = await allFrames(await api.stream(agent));
        const recorded = await api.recorded(runIdOf(frames));

        expectOneError(frames);
        expect(recorded.at(-1)).toMatchObject({ type: "RunFailed" });
        expect(textOf(frames)).toBe(recorded.map(({ text, type }) => delta(type, text)).join(""));
      }
      expect(ledger).toEqual([]);
    },
  );

  it("does not take a malformed event for an answer", async () => {
    const broken = {
      ...toolTurn,
      faults: { breaks: { afterEvents: 2, by: "malformed" as const } },
    };

    const { result, frames } = await bothForms(agent, [broken], [broken]);

    expect(result).toMatchObject({ status: "Failed", error: { class: "ProviderError" } });
    expectOneError(frames, { code: "provider_error" });
    expect(ledger).toEqual([]);
  });

  it.each([
    ["rate_limit_exceeded", "RateLimited"],
    ["insufficient_quota", "RateLimited"],
    ["server_error", "ProviderUnavailable"],
    ["context_length_exceeded", "ProviderError"],
    ["content_filter", "ContentFiltered"],
  ])("keeps the class of the error '%s' inside a stream", async (code, errorClass) => {
    const by = { error: { message: SECRET_TEXT, code, param: null } };
    const turn = { ...toolTurn, faults: { breaks: { afterEvents: 2, by } } };

    const { result, frames } = await bothForms(agent, [turn], [turn]);

    expect(result).toMatchObject({ status: "Failed", error: { class: errorClass } });
    expectOneError(frames);
    expect(JSON.stringify([result, frames])).not.toContain(SECRET_TEXT);
    expect(ledger).toEqual([]);
  });

  it("closes the connection to the provider when a run is cancelled, whatever it waits for", async () => {
    const waits: FakeFaults[] = [
      { hangsBeforeHeaders: true },
      { breaks: { afterEvents: 0, by: "hang" } },
      { breaks: { afterEvents: 2, by: "hang" } },
      { delayMs: 60_000 },
      { chunkDelayMs: 60_000 },
    ];
    for (const faults of waits) {
      const count = provider.requests.length + 1;
      provider.enqueue({ ...toolTurn, faults });
      const streaming = api.stream(agent).then(allFrames);
      const request = await provider.received(count);
      const { body: running } = await api.json("GET", "/api/runs?status=Running");

      await api.json("POST", `/api/runs/${running[0].id}/cancel`);
      const frames = await streaming;
      await request.aborted;

      expect(dataOf(frames.at(-1))).toMatchObject({ code: "canceled" });
      expect(request.state).toBe("aborted");
    }
    expect(ledger).toEqual([]);
  });

  it("closes the connection to the provider when the client leaves and asked for that", async () => {
    const count = provider.requests.length + 1;
    provider.enqueue({ ...toolTurn, faults: { breaks: { afterEvents: 2, by: "hang" } } });

    const leaving = new AbortController();
    const options = { query: "?abortOnDisconnect=true", signal: leaving.signal };
    const streaming = api.stream(agent, options);
    const request = await provider.received(count);
    const { body: running } = await api.json("GET", "/api/runs?status=Running");
    const response = await streaming;
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await request.aborted;
    const frames = await allFrames(await api.events(running[0].id));

    expect(frames.at(-1)?.event).toBe("run.canceled");
  });

  it("answers cut at its length run no tool, and a text cut at its length is an answer", async () => {
    const withTool = { ...toolTurn, finishReason: "length" } as const;
    const textOnly = { text: "half an", finishReason: "length" } as const;
    provider.enqueue(withTool, textOnly);

    const cut = await api.run(agent);
    const short = await api.run(agent);

    expect(cut).toMatchObject({ status: "Failed", error: { type: "response_truncated" } });
    expect(short).toMatchObject({ status: "Completed", output: "half an" });
    expect(ledger).toEqual([]);
  });

  it("knows of no usage when the provider reported none", async () => {
    provider.enqueue({ text: "done", usage: null });

    const result = await api.run(agent);

    expect(result).toMatchObject({ status: "Completed", output: "done" });
    expect(result.usage).toBeUndefined();
    expect((result.cost as object | undefined) ?? {}).not.toMatchObject({ totalCost: 0 });
  });
});

it("fails with a provider that is not there", async () => {
  const gone = await startFakeOpenAi();
  await gone.close();
  const other = await startTestHost(() =>
    createTracon(
      {
        storage: "memory:",
        log: memoryLog(),
        providers: { local: { kind: "openai-compatible", baseURL: gone.url } },
        agents: [{ name: "lonely", model: { provider: "local", model: "m" } }],
      },
      { env: {} },
    ),
  );

  const result = await tracon(other.url).run("lonely");
  await other.close();

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "provider_unavailable", class: "ProviderUnavailable" },
  });
});

it("has logged what providers said, and no fault of our own", () => {
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([]);
  expect(log.entries.filter(({ level }) => level === "warn").length).toBeGreaterThan(0);
});

const toolTurn = {
  text: ["Grü", "ße 💥 "],
  toolCalls: [{ name: "count", arguments: ['{"n"', ":1}"] }],
} as const;

const answer = (faults: FakeFaults): readonly FakeOpenAiStep[] => [
  { ...toolTurn, faults },
  { text: ["Grüße ", "💥 done"], faults },
];

async function bothForms(
  agent: string,
  first: readonly FakeOpenAiStep[],
  second: readonly FakeOpenAiStep[],
) {
  provider.enqueue(...first);
  const result = await api.run(agent);
  provider.enqueue(...second);
  const frames = await allFrames(await api.stream(agent));
  return { result, frames };
}

/** Bytes of the stream that `toolTurn` makes, as the provider's surface sends it. */
async function streamLength(agent: string): Promise<number> {
  const path = agent === "openai-responses" ? "/responses" : "/chat/completions";
  const question = { role: "user", content: "Hi" };
  provider.enqueue(toolTurn);
  const response = await fetch(provider.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-test" },
    body: JSON.stringify({
      model: "gpt-5.4-mini",
      stream: true,
      stream_options: { include_usage: true },
      ...(path === "/responses" ? { input: [question] } : { messages: [question] }),
    }),
  });
  return (await response.bytes()).length;
}

function expectOneError(frames: readonly SseFrame[], problem: object = {}): void {
  expect(frames.filter(({ event }) => event === "error" || event === "done")).toHaveLength(1);
  expect(frames.at(-1)?.event).toBe("error");
  expect(dataOf(frames.at(-1))).toMatchObject({ runId: runIdOf(frames), ...problem });
}

const runIdOf = (frames: readonly SseFrame[]): string => String(dataOf(frames[0]).runId);

const textOf = (frames: readonly SseFrame[]): string =>
  frames
    .filter(({ event }) => event === "update")
    .map(dataOf)
    .filter(({ kind }) => kind === "text")
    .map(({ text }) => text)
    .join("");

const delta = (type: string, text: string | undefined): string =>
  type === "MessageDelta" ? (text ?? "") : "";
