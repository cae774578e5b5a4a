import type { JournalEntry, RunEvent, RunEventDraft, RunRecord } from "@tracon/core";
import { manualClock, memoryLog, TEST_EPOCH_MS } from "@tracon/testing";
import { expect, it } from "vitest";
import { DeltaTimer } from "./delta-coalescer.ts";
import { createTimestamps } from "./event-json.ts";
import { JournalWriter } from "./journal-writer.ts";
import type { PublishedEvent } from "./published-event.ts";
import { RunRecorder } from "./recorder.ts";
import type { RecordingOptions } from "./recording-options.ts";

it("shows an event only once it is committed", async () => {
  const { recorder, shown, hold } = record();
  const release = hold();

  recorder.emit(started);
  const committed = recorder.committed();
  await tick();
  const before = shown.length;
  release();
  await committed;

  expect(before).toBe(0);
  expect(shown.map(({ recorded }) => recorded?.sequence)).toEqual([0]);
});

it("shows together what was committed together", async () => {
  const { recorder, batches } = record();

  recorder.emit(started);
  recorder.emit(invoking());
  await recorder.committed();

  expect(batches.map((batch) => batch.length)).toEqual([2]);
});

it("opens the run with its first entry and closes it with its last", async () => {
  const { recorder, entries } = record();

  recorder.emit(started);
  await recorder.committed();
  recorder.emit(completed);
  await recorder.committed();

  expect(entries).toMatchObject([
    {
      opened: { record: { id: "run-1" } },
      events: { firstSequence: 0, lastSequence: 0 },
    },
    {
      events: { firstSequence: 1, lastSequence: 1 },
      changed: { status: "Completed", eventCount: 2 },
      tally: { record: { id: "run-1", status: "Completed", eventCount: 2 } },
    },
  ]);
  // The first event has the text that was asked.
  expect(entries[0]?.opened).not.toHaveProperty("input");
  expect(entries[0]).not.toHaveProperty("changed");
  expect(entries[0]).not.toHaveProperty("tally");
  expect(entries[1]).not.toHaveProperty("opened");
});

it("writes one gapless sequence, one line an event", async () => {
  const { recorder, entries } = record();

  recorder.emit(started);
  await recorder.committed();
  recorder.textDelta(0, "Hel\nlo");
  recorder.emit(invoking());
  recorder.emit(invoked());
  await recorder.committed();
  recorder.emit(completed);
  await recorder.committed();

  expect(eventsOf(entries).map(({ sequence, type }) => [sequence, type])).toEqual([
    [0, "RunStarted"],
    [1, "MessageDelta"],
    [2, "ToolInvoking"],
    [3, "ToolInvoked"],
    [4, "RunCompleted"],
  ]);
});

it("writes what was held back before anything that follows it", async () => {
  const { recorder, entries } = record();

  recorder.textDelta(0, "1");
  recorder.textDelta(0, "2");
  recorder.emit(invoking());
  await recorder.committed();

  expect(eventsOf(entries).map(({ type, text }) => text ?? type)).toEqual([
    "1",
    "2",
    "ToolInvoking",
  ]);
});

it("streams reasoning without recording it, in its place and without a sequence", async () => {
  const { recorder, entries, shown } = record();

  recorder.emit(started);
  recorder.reasoningDelta(0, "Hm.");
  recorder.textDelta(0, "Hi.");
  await recorder.committed();

  expect(shown.map(({ recorded, event }) => [recorded?.sequence, event.type])).toEqual([
    [0, "RunStarted"],
    [undefined, "ReasoningDelta"],
    [1, "MessageDelta"],
  ]);
  expect(JSON.stringify(entries)).not.toContain("Hm.");
});

it("asks the journal for nothing when only what is not recorded waits", async () => {
  const { recorder, entries, shown, hold, writer } = record();
  const release = hold();

  recorder.emit(started);
  const committed = recorder.committed();
  await tick();
  recorder.reasoningDelta(0, "Hm.");
  recorder.reasoningDelta(1, "And.");
  release();
  await committed;
  await recorder.committed();
  await writer.idle();

  expect(entries).toHaveLength(1);
  expect(shown.map(({ event }) => event.text)).toEqual(["Go.", "Hm.", "And."]);
});

it("shows reasoning at once when nothing before it waits for the disk", async () => {
  const { recorder, shown } = record();
  recorder.emit(started);
  await recorder.committed();

  recorder.reasoningDelta(0, "Hm.");

  expect(shown.at(-1)?.event.text).toBe("Hm.");
});

it.each([
  [{ recordReasoningDeltas: true }, ["RunStarted", "MessageDelta", "ReasoningDelta"]],
  [{ recordMessageDeltas: false }, ["RunStarted"]],
] as const)("records deltas as it is told: %j", async (options, recorded) => {
  const { recorder, entries, shown } = record({ options });

  recorder.emit(started);
  recorder.textDelta(0, "Hi.");
  recorder.reasoningDelta(0, "Hm.");
  await recorder.committed();

  expect(eventsOf(entries).map(({ type }) => type)).toEqual(recorded);
  expect(shown).toHaveLength(3);
});

it("records what was asked neither as input nor as text when it is told not to", async () => {
  const { recorder, entries } = record({ options: { recordRunInput: false } });

  recorder.emit(started);
  await recorder.committed();

  expect(JSON.stringify(entries)).not.toContain("Go.");
  expect(entries[0]?.opened).not.toHaveProperty("input");
});

it("records neither arguments nor results of tools when it is told not to", async () => {
  const { recorder, entries } = record({ options: { recordToolPayloads: false } });

  recorder.emit(invoking('{"secret":1}'));
  recorder.emit(invoked("secret"));
  await recorder.committed();

  expect(JSON.stringify(entries)).not.toContain("secret");
  expect(entries[0]?.events?.lines).toContain('"toolName":"look"');
});

it("cuts long arguments and results at the limit, never inside a character", async () => {
  const { recorder, entries } = record({ options: { maxPayloadLength: 5 } });

  recorder.emit(invoking("1234😀6"));
  recorder.emit(invoked("12345"));
  await recorder.committed();

  expect(entries[0]?.events?.lines).toContain('"arguments":"1234… [3 more characters]"');
  expect(entries[0]?.events?.lines).toContain('"result":"12345"');
});

it("cuts nothing when the limit is 0", async () => {
  const { recorder, entries } = record({ options: { maxPayloadLength: 0 } });
  const long = "x".repeat(100_000);

  recorder.emit(invoking(long));
  recorder.emit(invoked("ok"));
  await recorder.committed();

  expect(entries[0]?.events?.lines).toContain(`"arguments":"${long}"`);
});

it("goes on without a record when the store fails, shows everything and says so once", async () => {
  const { recorder, entries, shown, log, writer, fail } = record();
  recorder.emit(started);
  await recorder.committed();
  fail();

  recorder.emit(invoking());
  recorder.textDelta(0, "a");
  await recorder.committed();
  recorder.textDelta(0, "b");
  recorder.emit(completed);
  await recorder.committed();
  await writer.idle();

  expect(shown.map(({ recorded, event }) => [recorded?.sequence, event.type])).toEqual([
    [0, "RunStarted"],
    [undefined, "ToolInvoking"],
    [undefined, "MessageDelta"],
    [undefined, "MessageDelta"],
    [undefined, "RunCompleted"],
  ]);
  expect(entries).toHaveLength(2);
  expect(log.entries).toHaveLength(1);
  expect(recorder.result.status).toBe("Completed");
});

it("asks nothing of the store any more for what was emitted while the failing commit was under way", async () => {
  const { recorder, entries, shown, hold, fail, writer, log } = record();
  const release = hold();
  fail();

  recorder.emit(started);
  const committed = recorder.committed();
  await tick();
  recorder.emit(invoking());
  recorder.emit(completed);
  release();
  await committed;
  await writer.idle();

  expect(entries).toHaveLength(1);
  expect(log.entries).toHaveLength(1);
  expect(shown.map(({ event }) => event.type)).toEqual([
    "RunStarted",
    "ToolInvoking",
    "RunCompleted",
  ]);
});

it("calls back at its end, at once when that is past, and not who took it back", () => {
  const { recorder } = record();
  const called: string[] = [];
  const forget = recorder.onEnd(() => called.push("forgotten"));
  recorder.onEnd(() => called.push("before"));

  forget();
  recorder.end();
  recorder.onEnd(() => called.push("after"));

  expect(called).toEqual(["before", "after"]);
});

it("knows the run's row without the store", async () => {
  const { recorder } = record();

  recorder.emit(started);
  const running = recorder.record;
  await recorder.committed();
  recorder.emit(completed);
  await recorder.committed();

  expect(running).toMatchObject({ status: "Running", eventCount: 0 });
  expect(recorder.record).toMatchObject({ status: "Completed", eventCount: 2 });
});

const started: RunEventDraft = {
  type: "RunStarted",
  text: "Go.",
  payload: { agentName: "agent", isStreaming: true },
};
const completed: RunEventDraft = { type: "RunCompleted", payload: {} };
const place = { iteration: 1, step: 0, position: 0, callId: "c1", toolName: "look" };
const invoking = (value = "{}"): RunEventDraft => ({
  type: "ToolInvoking",
  payload: { ...place, arguments: value },
});
const invoked = (result = "ok"): RunEventDraft => ({
  type: "ToolInvoked",
  payload: { ...place, result, durationMs: 1 },
});

/** Lets a commit that was asked for begin. */
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

const eventsOf = (entries: readonly JournalEntry[]): RunEvent[] =>
  entries.flatMap(({ events }) =>
    (events?.lines ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as RunEvent),
  );

const opened: RunRecord = {
  id: "run-1",
  agentName: "agent",
  kind: "Agent",
  status: "Running",
  startedAt: new Date(TEST_EPOCH_MS).toISOString(),
  isStreaming: true,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
};

function record({ options = {} }: { readonly options?: Partial<RecordingOptions> } = {}) {
  const clock = manualClock();
  const log = memoryLog();
  const entries: JournalEntry[] = [];
  const batches: (readonly PublishedEvent[])[] = [];
  const shown: PublishedEvent[] = [];
  let gate = Promise.resolve();
  let broken = false;
  const commit = async (batch: readonly JournalEntry[]) => {
    entries.push(...batch);
    await gate;
    if (broken) throw new Error("disk full");
    return { refusals: [] };
  };
  const writer = new JournalWriter({ commit }, log);
  const recorder = new RunRecorder(
    {
      writer,
      deltaTimer: new DeltaTimer(),
      timestamp: createTimestamps(clock),
      monotonicMs: clock.monotonicMs,
      metrics: undefined,
      options: {
        recordMessageDeltas: true,
        recordReasoningDeltas: false,
        recordToolPayloads: true,
        recordRunInput: true,
        maxPayloadLength: 8_192,
        ...options,
      },
    },
    {
      tenantId: "default",
      record: opened,
      input: { messages: [{ role: "user", contents: [{ $type: "text", text: "Go." }] }] },
      fold: { priceOf: () => undefined, hasJsonOutput: false },
    },
  );
  recorder.subscribe((events) => {
    batches.push(events);
    shown.push(...events);
  });
  return {
    recorder,
    writer,
    entries,
    batches,
    shown,
    log,
    /** Keeps commits from ending until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    fail: () => {
      broken = true;
    },
  };
}
