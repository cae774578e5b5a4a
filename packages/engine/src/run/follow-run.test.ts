import { getEventListeners } from "node:events";
import type { RunEvent, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import type { RecordedEvent } from "./recorded-event.ts";

const PLAIN_RUN: readonly ScriptedStep[] = [
  { text: "Let me see.", toolCalls: [{ name: "missing" }] },
  { text: "Done." },
];

it("gives a follower of a past run exactly the rest, from every place", async () => {
  const { run, follow } = await engine(PLAIN_RUN);
  const { runId, events } = await run();

  for (let after = -1; after < events.length; after++) {
    const rest = await follow(runId, after);

    expect(rest).toEqual(events.slice(after + 1));
  }
});

it("gives a follower of a live run exactly the rest, from every place it has reached", async () => {
  const gate = Promise.withResolvers<void>();
  const script = [...PLAIN_RUN.slice(0, 1), () => gate.promise.then(() => "Done.")];
  const { start, follow, events, reached } = await engine(script);
  const { runId, result } = await start();
  const soFar = await reached(runId, "ToolFailed");

  const followers = soFar.map(({ sequence }) => follow(runId, sequence));
  const fromStart = follow(runId, -1);
  gate.resolve();
  await result;

  const all = await events(runId);
  expect(await fromStart).toEqual(all);
  for (const [index, rest] of (await Promise.all(followers)).entries()) {
    expect(rest).toEqual(all.slice(index + 1));
  }
});

it("shows a late follower what an early one saw", async () => {
  const { start, follow, events } = await engine([
    { text: Array(50).fill("chunk "), chunkDelayMs: 1 },
  ]);
  const { runId, result } = await start();

  const early = await follow(runId, -1);
  await result;
  const late = await follow(runId, -1);

  expect(early).toEqual(late);
  expect(early).toEqual(await events(runId));
});

it("takes a follower that falls behind to the store, without loss and without holding the run", async () => {
  const chunks = Array.from({ length: 600 }, (_, index) => `${index} ${"x".repeat(4_000)}`);
  const { start, events, engine: it } = await engine([{ text: chunks }]);
  const { runId, result } = await start();
  const batches = await it.runs.events("default", runId, { after: -1, signal: never() });
  const reader = batches[Symbol.asyncIterator]();
  const seen: RecordedEvent[] = [...(await reader.next()).value];

  await result;
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    seen.push(...next.value);
  }

  expect(seen.map(({ json }) => JSON.parse(json))).toEqual(await events(runId));
});

it("leaves a run when its signal fires, live or not, and leaves nothing behind", async () => {
  const { start, engine: it } = await engine([{ text: "Hel", ends: "hang" }]);
  const { runId, result } = await start();
  const leave = new AbortController();
  const batches = await it.runs.events("default", runId, { after: -1, signal: leave.signal });
  const seen: RecordedEvent[] = [];

  for await (const batch of batches) {
    seen.push(...batch);
    leave.abort();
  }
  await it.runs.cancel("default", runId);
  await result;

  expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => index));
  expect(getEventListeners(leave.signal, "abort")).toEqual([]);
});

it("follows a run of another process to its end", async () => {
  const gate = Promise.withResolvers<void>();
  const stores = await memory();
  const one = await engine([() => gate.promise.then(() => "Done.")], stores);
  const other = await engine([], stores);
  const { runId, result } = await one.start();
  await one.reached(runId, "RunStarted");

  const following = other.follow(runId, -1);
  gate.resolve();
  await result;

  expect(await following).toEqual(await one.events(runId));
});

it("reads a past run once for all who follow it, and gives them the same events", async () => {
  const stores = await memory();
  const chunks = Array.from({ length: 700 }, (_, index) => `${index} ${"x".repeat(2_050)}`);
  const { run, engine: it } = await engine([{ text: chunks }], stores);
  const { runId, events } = await run();
  const read = vi.spyOn(stores.runs, "events");
  const all = async () => {
    const seen: RecordedEvent[] = [];
    const batches = await it.runs.events("default", runId, { after: -1, signal: never() });
    for await (const batch of batches) seen.push(...batch);
    return seen;
  };

  const [first, ...others] = await Promise.all([all(), all(), all()]);
  const reads = read.mock.calls.length;
  const later = await all();

  expect(first?.map(({ json }) => JSON.parse(json))).toEqual(events);
  for (const seen of [...others, later]) expect(seen[0]).toBe(first?.[0]);
  expect(read.mock.calls.length).toBe(reads);
});

it.each([-2, 99, 1.5])("refuses %d, which is no place in the run", async (after) => {
  const { run, follow } = await engine(PLAIN_RUN);
  const { runId } = await run();

  await expect(follow(runId, after)).rejects.toMatchObject({ code: "cursor_invalid" });
});

it("knows the runs of its own tenant only", async () => {
  const { run, engine: it } = await engine(PLAIN_RUN);
  const { runId } = await run();

  const foreign = it.runs.events("other", runId, { after: -1, signal: never() });

  await expect(foreign).rejects.toMatchObject({ code: "run_not_found" });
});

it("ends a follower of a run that cannot be recorded together with the run", async () => {
  const { start, engine: it } = await engine(["Done."], await unwritable());
  const { runId, result } = await start();

  const batches = await it.runs.events("default", runId, { after: -1, signal: never() });
  const seen = await Array.fromAsync(batches);

  expect(seen).toEqual([]);
  expect(await result).toMatchObject({ status: "Completed", output: "Done." });
});

const never = () => new AbortController().signal;

async function memory(): Promise<Stores> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return stores;
}

/** Stores that can be read but not written. */
async function unwritable(): Promise<Stores> {
  const commit = () => Promise.reject(new Error("disk full"));
  return { ...(await memory()), journal: { commit } };
}

async function engine(script: readonly ScriptedStep[], given?: Stores) {
  const stores = given ?? (await memory());
  const started = await startTestEngine({ stores, model: scriptedModel(script) });
  const { runs } = started.engine;

  async function follow(runId: string, after: number): Promise<RunEvent[]> {
    const batches = await runs.events("default", runId, { after, signal: never() });
    const events = (await Array.fromAsync(batches)).flat();
    return events.map(({ json }) => JSON.parse(json) as RunEvent);
  }

  /** The events so far, once one of `type` is committed. */
  async function reached(runId: string, type: RunEvent["type"]): Promise<RunEvent[]> {
    const seen: RunEvent[] = [];
    const leave = new AbortController();
    const options = { after: -1, signal: leave.signal };
    for await (const batch of await runs.events("default", runId, options)) {
      seen.push(...batch.map(({ json }) => JSON.parse(json) as RunEvent));
      if (seen.some((event) => event.type === type)) leave.abort();
    }
    return seen;
  }

  const start = () => runs.start("default", "agent", { message: "Go." }, { isStreaming: true });
  return { ...started, follow, reached, start };
}
