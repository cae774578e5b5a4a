import assert from "node:assert/strict";
import type { JournalEntry, RunRecord, RunStatus } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import {
  entry,
  eventJson,
  events,
  newTenant,
  opening,
  openRuns,
  runIds,
  runRecord,
  tally,
  toolCalls,
} from "./fixtures.ts";

const COMPLETED_AT = "2026-01-01T00:00:01.234Z";
const FINAL_STATUSES: readonly RunStatus[] = [
  "Completed",
  "Failed",
  "Canceled",
  "AwaitingApproval",
  "AwaitingInput",
];
const CONCURRENT_RUNS = 32;

/** What `RunJournal` promises. */
export const runJournalContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...writingCases(subject),
  ...refusalCases(subject),
  ...atomicityCases(subject),
];

const writingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "makes a run with its input and first events readable once the commit resolves",
    async run() {
      const { journal, runs } = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const messages = [
        { role: "user" as const, contents: [{ $type: "text" as const, text: "Hi" }] },
      ];
      const input = { messages, parameters: { tone: "formal", empty: "" } };

      const opened = { record: runRecord(id), input };

      await journal.commit([entry(tenant, id, { opened, events: events(0, "a", "b") })]);

      const record = { ...opened.record, tenantId: tenant, eventCount: 2 };
      assert.deepEqual(await runs.get(tenant, id), record);
      const { startedAt: createdAt } = record;
      assert.deepEqual(await runs.input(tenant, id), { runId: id, createdAt, ...input });
      assert.deepEqual(await runs.events(tenant, id, { after: -1, take: 10 }), [
        { sequence: 0, json: eventJson("a") },
        { sequence: 1, json: eventJson("b") },
      ]);
    },
  },
  {
    name: "keeps every member of a record",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = "", parent = "", other = ""] = runIds(3);
      const record = fullRecord(id, parent, other);

      await openRuns(stores, tenant, [record]);

      assert.deepEqual(await stores.runs.get(tenant, id), { ...record, tenantId: tenant });
    },
  },
  {
    name: "tells an input of no messages from one that was not recorded",
    async run() {
      const { journal, runs } = await subject.stores();
      const tenant = newTenant();
      const [empty = "", unrecorded = ""] = runIds(2);

      await journal.commit([
        entry(tenant, empty, { opened: { record: runRecord(empty), input: { messages: [] } } }),
        opening(tenant, runRecord(unrecorded)),
      ]);

      const { startedAt: createdAt } = runRecord(empty);
      assert.deepEqual(await runs.input(tenant, empty), { runId: empty, createdAt, messages: [] });
      assert.equal(await runs.input(tenant, unrecorded), undefined);
    },
  },
  {
    name: "changes the members of a row that are given and keeps the others",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openRuns(stores, tenant, [runRecord(id, { modelId: "planned", status: "Queued" })]);

      await stores.journal.commit([
        entry(tenant, id, { changed: { status: "Running", eventCount: 0, modelProvider: "p" } }),
      ]);
      const running = await stores.runs.get(tenant, id);
      const result = {
        completedAt: COMPLETED_AT,
        modelId: "answered",
        usage: { inputTokens: 3, outputTokens: 0 },
        cost: { source: "Catalog" as const, totalCost: 0.000_001_5, currency: "USD" },
        error: { type: "tool_failed", message: "a tool failed", class: "ToolError" as const },
      };
      await stores.journal.commit([
        entry(tenant, id, {
          events: events(0, "end"),
          changed: { status: "Failed", eventCount: 1, ...result },
        }),
      ]);

      const opened = { ...runRecord(id), tenantId: tenant, modelProvider: "p" };
      const ended = { ...opened, status: "Failed", eventCount: 1, ...result };
      assert.deepEqual(running, { ...opened, modelId: "planned" });
      assert.deepEqual(await stores.runs.get(tenant, id), ended);
    },
  },
  {
    name: "opens and ends a run in one entry",
    async run() {
      const { journal, runs } = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);

      await journal.commit([
        opening(tenant, runRecord(id), {
          events: events(0, "start", "end"),
          changed: { status: "Completed", eventCount: 2, completedAt: COMPLETED_AT },
        }),
      ]);

      const { status, eventCount, completedAt } = (await runs.get(tenant, id)) ?? {};
      assert.deepEqual([status, eventCount, completedAt], ["Completed", 2, COMPLETED_AT]);
    },
  },
  {
    name: "counts the events of a run with every commit",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openRuns(stores, tenant, [runRecord(id)]);

      await stores.journal.commit([entry(tenant, id, { events: events(0, "a", "b") })]);
      await stores.journal.commit([entry(tenant, id, { events: events(2, "c") })]);

      assert.equal((await stores.runs.get(tenant, id))?.eventCount, 3);
    },
  },
  {
    name: "takes an empty batch and an entry that adds nothing",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openRuns(stores, tenant, [runRecord(id)]);

      await stores.journal.commit([]);
      await stores.journal.commit([entry(tenant, id)]);
      assert.deepEqual(await stores.runs.get(tenant, id), { ...runRecord(id), tenantId: tenant });
    },
  },
  {
    name: "takes the commits of many runs at once, alone and in batches",
    async run() {
      const { journal, runs } = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(CONCURRENT_RUNS);

      await Promise.all(
        ids.map(async (id) => {
          await journal.commit([opening(tenant, runRecord(id), { events: events(0, "start") })]);
          await journal.commit([entry(tenant, id, { events: events(1, "middle") })]);
        }),
      );
      await journal.commit(
        ids.map((id) =>
          entry(tenant, id, {
            events: events(2, "end"),
            changed: { status: "Completed", eventCount: 3 },
          }),
        ),
      );

      const listed = await runs.list(tenant, {}, { skip: 0, take: 100 });
      assert.deepEqual(
        listed.map((it) => [it.id, it.status, it.eventCount]),
        [...ids].reverse().map((id) => [id, "Completed", 3]),
      );
    },
  },
];

const UNKNOWN = "00000000-0000-7000-8000-00000000ffff";

type Refusal = {
  readonly what: string;
  /** The entry to refuse; the run has two events, committed as one chunk. */
  entryOf(tenant: string, id: string): JournalEntry;
};

const refusals: readonly Refusal[] = [
  {
    what: "a run that is there already",
    entryOf: (tenant, id) => opening(tenant, runRecord(id)),
  },
  {
    what: "a sequence that is there already",
    entryOf: (tenant, id) => entry(tenant, id, { events: events(0, "again") }),
  },
  {
    what: "events that begin inside a chunk",
    entryOf: (tenant, id) => entry(tenant, id, { events: events(1, "again", "new") }),
  },
  {
    what: "events that leave a gap",
    entryOf: (tenant, id) => entry(tenant, id, { events: events(3, "far") }),
  },
  {
    what: "events of a run that was never opened",
    entryOf: (tenant) => entry(tenant, UNKNOWN, { events: events(0, "lost") }),
  },
  {
    what: "a row change of a run that was never opened",
    entryOf: (tenant) => entry(tenant, UNKNOWN, { changed: { status: "Failed", eventCount: 0 } }),
  },
  {
    what: "the tally of a run that was never opened",
    entryOf: (tenant) => entry(tenant, UNKNOWN, { tally: fullTally(UNKNOWN) }),
  },
  {
    what: "an entry of another tenant's run",
    entryOf: (_, id) => entry(newTenant(), id, { events: events(2, "foreign") }),
  },
  {
    what: "a row that counts other events than it has",
    entryOf: (tenant, id) => entry(tenant, id, { changed: { status: "Running", eventCount: 7 } }),
  },
  {
    what: "a row that counts other events than come with it",
    entryOf: (tenant, id) =>
      entry(tenant, id, {
        events: events(2, "c"),
        changed: { status: "Completed", eventCount: 2 },
      }),
  },
  {
    what: "fewer lines than sequences",
    entryOf: (tenant, id) =>
      entry(tenant, id, {
        events: { firstSequence: 2, lastSequence: 3, lines: eventJson("one") },
      }),
  },
];

const refusalCases = (subject: ContractSubject): readonly ContractCase[] => [
  ...refusals.map(({ what, entryOf }) => ({
    name: `refuses ${what}, and the run goes on`,
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openWithTwoEvents(stores, tenant, id);
      const before = await stateOf(stores, tenant, id);

      await assert.rejects(stores.journal.commit([entryOf(tenant, id)]));

      assert.deepEqual(await stateOf(stores, tenant, id), before);
      await stores.journal.commit([entry(tenant, id, { events: events(2, "next") })]);
      assert.equal((await stores.runs.get(tenant, id))?.eventCount, 3);
    },
  })),
  ...FINAL_STATUSES.map((status) => ({
    name: `writes nothing more to a run that is ${status}`,
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openWithTwoEvents(stores, tenant, id);
      const end = { events: events(2, "end"), changed: { status, eventCount: 3 } };
      await stores.journal.commit([entry(tenant, id, end)]);
      const before = await stateOf(stores, tenant, id);

      for (const late of [
        { changed: { status: "Completed", eventCount: 3 } as const },
        { events: events(3, "late") },
        { events: events(3, "late"), changed: { status: "Running", eventCount: 4 } as const },
        { tally: fullTally(id) },
      ]) {
        await assert.rejects(stores.journal.commit([entry(tenant, id, late)]));
      }

      assert.deepEqual(await stateOf(stores, tenant, id), before);
    },
  })),
];

const atomicityCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "writes nothing of a batch when one of its entries is refused, wherever it stands",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [known = "", fresh = "", bad = ""] = runIds(3);
      await openWithTwoEvents(stores, tenant, known);
      const before = await stateOf(stores, tenant, known);
      const good = [
        entry(tenant, known, {
          events: events(2, "end"),
          tally: fullTally(known),
          changed: { status: "Completed", eventCount: 3 },
        }),
        opening(tenant, runRecord(fresh), { events: events(0, "start") }),
      ];
      const refused = entry(tenant, bad, { events: events(0, "unknown run") });

      for (const place of [0, 1, 2]) {
        await assert.rejects(stores.journal.commit(good.toSpliced(place, 0, refused)));
      }

      assert.deepEqual(await stateOf(stores, tenant, known), before);
      assert.equal(await stores.runs.get(tenant, fresh), undefined);
      assert.deepEqual(await stores.runs.events(tenant, fresh, { after: -1, take: 10 }), []);
      await stores.journal.commit(good);
      assert.equal((await stores.runs.get(tenant, known))?.status, "Completed");
    },
  },
  {
    name: "lets one of two writers of the same events win",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await openWithTwoEvents(stores, tenant, id);

      const results = await Promise.allSettled(
        ["one", "two"].map((by) =>
          stores.journal.commit([entry(tenant, id, { events: events(2, by) })]),
        ),
      );

      assert.deepEqual(results.map((it) => it.status).sort(), ["fulfilled", "rejected"]);
      assert.equal((await stores.runs.get(tenant, id))?.eventCount, 3);
      const written = await stores.runs.events(tenant, id, { after: 1, take: 10 });
      assert.equal(written.length, 1);
    },
  },
];

const openWithTwoEvents = ({ journal }: ContractStores, tenant: string, id: string) =>
  journal.commit([opening(tenant, runRecord(id), { events: events(0, "a", "b") })]);

const fullTally = (id: string) =>
  tally(runRecord(id, { status: "Completed" }), { toolCalls: [toolCalls()] });

/** Everything that is stored of a run, and all that is counted. */
async function stateOf({ runs, statistics }: ContractStores, tenant: string, id: string) {
  return {
    record: await runs.get(tenant, id),
    events: await runs.events(tenant, id, { after: -1, take: 100 }),
    tools: await runs.toolUsage(tenant, { maxTools: 10 }),
    statistics: await statistics.statistics(tenant, {}, { maxRows: 10 }),
  };
}

const fullRecord = (id: string, parent: string, other: string): RunRecord => ({
  ...runRecord(id),
  agentVersion: 7,
  kind: "Workflow",
  status: "Failed",
  completedAt: COMPLETED_AT,
  userId: "user-1",
  labels: { team: "north", empty: "" },
  sessionId: "session-1",
  culture: "de-AT",
  modelProvider: "openai",
  modelId: "gpt",
  isStreaming: true,
  usage: {
    inputTokens: 5_000_000_000,
    outputTokens: 0,
    totalTokens: 12,
    cachedInputTokens: 1,
    audioInputTokens: 2,
    reasoningTokens: 3,
    audioOutputTokens: 4,
  },
  cost: { source: "Catalog", totalCost: 0.1, inputCost: 1e-12, currency: "EUR" },
  error: { type: "timeout", message: "took too long", class: "Timeout", fingerprint: "f" },
  parentRunId: parent,
  rootRunId: parent,
  depth: 3,
  replayOfRunId: other,
  continuedFromRunId: other,
  lockfileHash: "ab".repeat(32),
});
