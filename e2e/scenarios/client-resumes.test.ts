/** The client library against a real server, through a proxy that loses connections at random bytes. */

import { createTraconClient } from "@tracon/client";
import type { RunEvent, RunFrame } from "@tracon/core";
import { memoryLog, scriptedModel, startTestHost, type TestHost } from "@tracon/testing";
import { createTracon, type Tracon } from "tracon";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CuttingProxy, startCuttingProxy } from "../kit/cutting-proxy.ts";
import { seededRandom } from "../kit/random.ts";

const ROUNDS = 20;
const SEED = 20_261_201;
/** The head of the answer and the `run` frame: what is lost before it cannot be continued. */
const FIRST_FRAME_BYTES = 900;
const TEXT = Array.from({ length: 30 }, (_, index) => `part ${index}, Grüße 💥; `);

let host: TestHost<Tracon>;
beforeAll(async () => {
  host = await startTestHost(() =>
    createTracon(
      {
        providers: { test: { languageModel: model } },
        agents: [{ name: "writer", model: { provider: "test", model: "m" } }],
        storage: "memory:",
        log: memoryLog(),
      },
      { env: {} },
    ),
  );
});
afterAll(() => host.close());

it(`streams ${ROUNDS} runs to their end over connections that are lost at random`, async () => {
  const random = seededRandom(SEED);
  const proxy = await startCuttingProxy(host.origin, () =>
    // An answer longer than every connection lives would never arrive.
    random.next() < 0.2 ? Number.POSITIVE_INFINITY : random.between(FIRST_FRAME_BYTES, 2_500),
  );

  for (let round = 0; round < ROUNDS; round++) {
    const client = clientOf(proxy);
    const frames = await Array.fromAsync(client.stream("writer", { message: "Write." }));

    expect(frames.map(({ event }) => event)).toEqual(eventsOf(frames));
    expect(textOf(frames)).toBe(TEXT.join(""));
    expect(idsOf(frames)).toEqual([...new Set(idsOf(frames))].sort((a, b) => a - b));
    expect(frames.at(-1)).toMatchObject({
      event: "done",
      data: { status: "Completed", output: TEXT.join("") },
    });
  }
  await proxy.close();

  expect(proxy.cuts()).toBeGreaterThan(ROUNDS / 2);
});

it(`follows the events of ${ROUNDS} runs without a gap, live and past`, async () => {
  const random = seededRandom(SEED + 1);
  const proxy = await startCuttingProxy(host.origin, () => random.between(1, 3_000));

  for (let round = 0; round < ROUNDS; round++) {
    const runId = await startedRun();
    const client = clientOf(proxy);
    const live = await Array.fromAsync(client.runs.events(runId));
    const past = await Array.fromAsync(client.runs.events(runId));
    const stored: RunEvent[] = await Array.fromAsync(host.tracon.runs.events(runId));

    expect(live).toEqual(stored);
    expect(past).toEqual(stored);
  }
  await proxy.close();

  expect(proxy.cuts()).toBeGreaterThan(ROUNDS / 2);
});

const model = () =>
  scriptedModel(Array.from({ length: 2 * ROUNDS }, () => ({ text: TEXT, chunkDelayMs: 1 })));

const clientOf = (proxy: CuttingProxy) =>
  createTraconClient({
    baseUrl: `${proxy.origin}/tracon`,
    // Each connection is one the proxy decides about anew.
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("connection", "close");
      return fetch(input, { ...init, headers });
    },
    delay: (ms, signal) => (ms > 10_000 ? never(signal) : Promise.resolve()),
    reconnectAttempts: 200,
  });

/** The client's watch for silence, which no connection here lives long enough for. */
const never = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

async function startedRun(): Promise<string> {
  for await (const frame of host.tracon.stream("writer", { message: "Write." })) {
    if (frame.event === "run") return frame.data.runId;
  }
  throw new Error("the stream had no run frame");
}

const eventsOf = (frames: readonly RunFrame[]): string[] => [
  "run",
  ...frames.slice(1, -1).map(() => "update"),
  "done",
];

const textOf = (frames: readonly RunFrame[]): string =>
  frames
    .flatMap((frame) =>
      frame.event === "update" && frame.data.kind === "text" ? [frame.data.text] : [],
    )
    .join("");

const idsOf = (frames: readonly RunFrame[]): number[] =>
  frames.flatMap(({ id }) => (id === undefined ? [] : [id]));
