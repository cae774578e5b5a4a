/** Many cancellations at any moment: one end each, nothing left behind, nothing rejected unheard. */

import { getEventListeners } from "node:events";
import { type JournalEntry, type RunEvent, type Stores, terminalEventTypes } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedModelTurn, scriptedModel, startTestEngine } from "@tracon/testing";
import { tool } from "ai";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { seededRandom } from "../kit/random.ts";

const AT_ONCE = 100;
const SEED = 20_260_101;

it("ends each of 10,000 runs once and for good, whatever races with its cancellation", async () => {
  const RACES = 10_000;
  const { engine, ends, random } = await crowd();
  const statuses = new Map<string, number>();

  await together(RACES, async () => {
    const { runs } = engine;
    const run = await runs.start("default", "agent", { message: "Go." });
    await turns(Math.floor(random() * 12));
    await runs.cancel("default", run.runId).catch(expectEnded);
    if (random() < 0.3) await runs.cancel("default", run.runId).catch(expectEnded);
    const { status } = await run.result;
    await runs.cancel("default", run.runId).then(expectNever, expectEnded);

    expect(ends.get(run.runId)).toEqual([`Run${status}`]);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });

  // Races that all end alike would show nothing.
  expect(statuses.get("Canceled")).toBeGreaterThan(RACES / 20);
  expect(statuses.get("Completed")).toBeGreaterThan(RACES / 20);
  expect(ends.size).toBe(RACES);
}, 120_000);

it("leaves no listener and no timer of 10,000 runs behind on a signal they share", async () => {
  const RUNS = 10_000;
  const { engine } = await crowd([{ text: "Hi." }]);
  const { signal } = new AbortController();
  const start = () => engine.runs.start("default", "agent", { message: "Go." }, { signal });
  await (await start()).result;
  const before = process.getActiveResourcesInfo().length;
  let mostListeners = 0;

  await together(RUNS, async () => {
    const run = await start();
    mostListeners = Math.max(mostListeners, getEventListeners(signal, "abort").length);
    await run.result;
  });

  expect(mostListeners).toBeLessThanOrEqual(AT_ONCE);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 2);
}, 120_000);

it("leaves no rejection unheard in 1,000 aborts at random moments", async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown) => void unheard.push(reason);
  process.on("unhandledRejection", note);
  process.on("warning", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    process.off("warning", note);
  });
  const { engine, random } = await crowd();

  await together(1_000, async () => {
    const caller = new AbortController();
    const options = { signal: caller.signal, isStreaming: random() < 0.5 };
    const run = await engine.runs.start("default", "agent", { message: "Go." }, options);
    const reading = read(run.frames());
    await turns(Math.floor(random() * 20));
    caller.abort(random() < 0.5 ? undefined : "no error object");
    await run.result;
    await reading;
  });
  await turns(20);

  expect(unheard).toEqual([]);
}, 120_000);

async function read(frames: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of frames);
}

async function together(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const member = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, member));
}

function expectEnded(error: unknown): void {
  expect(error).toMatchObject({ code: "run_not_cancelable" });
}

function expectNever(): never {
  throw new Error("a run that had ended was cancelled");
}

/** Lets the event loop turn a number of times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const ways: readonly ScriptedModelTurn[] = [
  { text: ["a", "b", "c"] },
  { text: "a", ends: { streamError: new Error("reset") } },
  { text: "a", ends: { errorPart: new Error("overloaded") } },
  { text: "a", ends: "cut" },
  { text: "a", ends: "hang" },
  { throws: new Error("refused") },
  { toolCalls: [{ name: "work" }, { name: "deaf" }] },
];

/** An engine whose model does something else with every call, and what it wrote as ends of runs. */
async function crowd(turnsOfModel: readonly ScriptedModelTurn[] = ways) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  const random = seededRandom(SEED).next;
  const ends = new Map<string, string[]>();
  const stores: Stores = {
    ...opened,
    journal: {
      async commit(batch) {
        const outcome = await opened.journal.commit(batch);
        for (const entry of batch) noteEnd(ends, entry);
        return outcome;
      },
    },
  };
  const any = () => turnsOfModel[Math.floor(random() * turnsOfModel.length)] ?? "";
  const model = scriptedModel(Array(25_000).fill(any));
  const inputSchema = z.object({});
  const { engine } = await startTestEngine({
    stores,
    model,
    tools: {
      work: tool({ inputSchema, execute: () => turns(Math.floor(random() * 4)) }),
      deaf: tool({ inputSchema, execute: () => turns(3) }),
    },
  });
  return { engine, ends, random };
}

function noteEnd(ends: Map<string, string[]>, { runId, events }: JournalEntry): void {
  if (events === undefined) return;
  for (const line of events.lines.split("\n")) {
    const { type } = JSON.parse(line) as RunEvent;
    if (terminalEventTypes.has(type)) ends.set(runId, [...(ends.get(runId) ?? []), type]);
  }
}
