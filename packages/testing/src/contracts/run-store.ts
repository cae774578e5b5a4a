import assert from "node:assert/strict";
import type { RunStore, ToolCallTally } from "@tracon/core";
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

/** What `RunStore` promises, lists left out. */
export const runStoreContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...eventCases(subject),
  ...toolCases(subject),
  ...isolationCases(subject),
  ...(subject.reopened === undefined ? [] : reopeningCases(subject, subject.reopened)),
];

const eventCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "reads any range of events, wherever the commits ended",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await writeInChunks(stores, tenant, id, [1, 4, 1, 2]);

      for (let after = -1; after <= 9; after++) {
        for (const take of [0, 1, 2, 3, 8, 100, Number.MAX_SAFE_INTEGER]) {
          const read = await stores.runs.events(tenant, id, { after, take });
          const expected = [0, 1, 2, 3, 4, 5, 6, 7].slice(after + 1).slice(0, take);
          assert.deepEqual(
            read,
            expected.map((sequence) => ({ sequence, json: eventJson(`event ${sequence}`) })),
            `after ${after}, take ${take}`,
          );
        }
      }
    },
  },
  {
    name: "reads no events of a run that has none or is not there",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = "", unknown = ""] = runIds(2);
      await openRuns(stores, tenant, [runRecord(id)]);

      assert.deepEqual(await stores.runs.events(tenant, id, { after: -1, take: 10 }), []);
      assert.deepEqual(await stores.runs.events(tenant, unknown, { after: -1, take: 10 }), []);
      assert.equal(await stores.runs.get(tenant, unknown), undefined);
      assert.equal(await stores.runs.input(tenant, unknown), undefined);
    },
  },
];

const toolCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "sums up how often tools were called and how that went, the most called first",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await writeToolCalls(stores, tenant);

      const usage = await stores.runs.toolUsage(tenant, { maxTools: 10 });

      assert.deepEqual(usage, [
        {
          toolName: "look_up",
          totalCalls: 4,
          failedCalls: 1,
          averageDurationMs: 2,
          lastCalledAt: "2026-01-04T00:00:00.000Z",
          errorRate: 0.25,
        },
        {
          toolName: "send",
          totalCalls: 1,
          failedCalls: 0,
          averageDurationMs: 1,
          lastCalledAt: "2026-01-02T00:00:00.000Z",
          errorRate: 0,
        },
      ]);
      assert.deepEqual(await stores.runs.toolUsage(tenant, { maxTools: 1 }), usage.slice(0, 1));
      assert.deepEqual(await stores.runs.toolUsage(newTenant(), { maxTools: 10 }), []);
    },
  },
  {
    name: "sums up tool calls from the hour of a time on, that hour included",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await writeToolCalls(stores, tenant);

      const totals = async (startedAfter: string) => {
        const usage = await stores.runs.toolUsage(tenant, { startedAfter, maxTools: 10 });
        return usage.map(({ toolName, totalCalls }) => [toolName, totalCalls]);
      };

      assert.deepEqual(await totals("2026-01-03T00:00:00Z"), [["look_up", 2]]);
      assert.deepEqual(await totals("2026-01-03T00:59:59.999Z"), [["look_up", 2]]);
      assert.deepEqual(await totals("2026-01-03T01:00:00.000Z"), [["look_up", 1]]);
      assert.deepEqual(await totals("2027-01-01T00:00:00.000Z"), []);
    },
  },
];

const isolationCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps the runs of two tenants apart in both directions, also under equal ids",
    async run() {
      const stores = await subject.stores();
      const tenants = [newTenant(), newTenant()] as const;
      const [shared = "", ...own] = runIds(3);
      for (const [index, tenant] of tenants.entries()) {
        await writeEverything(stores, tenant, shared);
        await writeEverything(stores, tenant, own[index] ?? "");
      }

      for (const [index, tenant] of tenants.entries()) {
        const foreign = own[1 - index] ?? "";
        const listed = await stores.runs.list(tenant, {}, { skip: 0, take: 10 });
        assert.deepEqual(
          listed.map((it) => it.id),
          [own[index], shared],
        );
        assert.deepEqual(await readEverything(stores.runs, tenant, foreign), NOTHING);
        const mine = await readEverything(stores.runs, tenant, shared);
        assert.equal(mine.record?.agentName, tenant);
        assert.deepEqual(mine.events, [{ sequence: 0, json: eventJson(tenant) }]);
        const [usage] = await stores.runs.toolUsage(tenant, { maxTools: 10 });
        assert.equal(usage?.totalCalls, 2);
      }
    },
  },
  {
    name: "counts no child of another tenant",
    async run() {
      const stores = await subject.stores();
      const [mine, theirs] = [newTenant(), newTenant()];
      const [parent = "", child = ""] = runIds(2);
      const childRecord = runRecord(child, { parentRunId: parent, rootRunId: parent, depth: 1 });
      await openRuns(stores, mine, [runRecord(parent)]);
      await openRuns(stores, theirs, [runRecord(parent), childRecord]);

      assert.equal((await stores.runs.get(mine, parent))?.childRunCount, 0);
      assert.equal((await stores.runs.get(theirs, parent))?.childRunCount, 1);
      const children = await stores.runs.list(mine, { parentRunId: parent }, { skip: 0, take: 9 });
      assert.deepEqual(children, []);
    },
  },
];

const reopeningCases = (
  subject: ContractSubject,
  reopened: NonNullable<ContractSubject["reopened"]>,
): readonly ContractCase[] => [
  {
    name: "keeps runs as they were when it is opened again, and goes on with them",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await writeEverything(stores, tenant, id);
      const before = await readEverything(stores.runs, tenant, id);

      const again = await reopened();

      assert.deepEqual(await readEverything(again.runs, tenant, id), before);
      await assert.rejects(again.journal.commit([entry(tenant, id, { events: events(0, "x") })]));
      await again.journal.commit([entry(tenant, id, { events: events(1, "next") })]);
      assert.equal((await again.runs.get(tenant, id))?.eventCount, 2);
    },
  },
];

/** A run whose events are committed in chunks of the given sizes. */
async function writeInChunks(
  stores: ContractStores,
  tenant: string,
  id: string,
  sizes: readonly number[],
): Promise<void> {
  await openRuns(stores, tenant, [runRecord(id)]);
  let first = 0;
  for (const size of sizes) {
    const texts = Array.from({ length: size }, (_, index) => `event ${first + index}`);
    await stores.journal.commit([entry(tenant, id, { events: events(first, ...texts) })]);
    first += size;
  }
}

/** `look_up` on January 1 to 4, the last one failed; `send` on January 2. */
async function writeToolCalls(stores: ContractStores, tenant: string): Promise<void> {
  const [id = "", other = ""] = runIds(2);
  const lookUp = (day: number, over: Partial<ToolCallTally> = {}) =>
    toolCalls({ lastCalledAt: `2026-01-0${day}T00:00:00.000Z`, durationMs: day - 0.5, ...over });
  const send = toolCalls({ toolName: "send", lastCalledAt: "2026-01-02T00:00:00.000Z" });
  const ended = (runId: string, calls: readonly ToolCallTally[]) =>
    opening(tenant, runRecord(runId), {
      changed: { status: "Completed", eventCount: 0 },
      tally: tally(runRecord(runId, { status: "Completed" }), { toolCalls: calls }),
    });
  await stores.journal.commit([
    ended(id, [lookUp(1), lookUp(2), lookUp(3), lookUp(4, { failedCalls: 1 })]),
    ended(other, [send]),
  ]);
}

const writeEverything = ({ journal }: ContractStores, tenant: string, id: string) =>
  journal.commit([
    opening(tenant, runRecord(id, { agentName: tenant }), {
      opened: { record: runRecord(id, { agentName: tenant }), input: { messages: [] } },
      events: events(0, tenant),
      tally: tally(runRecord(id, { agentName: tenant }), { toolCalls: [toolCalls()] }),
    }),
  ]);

const readEverything = async (runs: RunStore, tenant: string, id: string) => ({
  record: await runs.get(tenant, id),
  input: await runs.input(tenant, id),
  events: await runs.events(tenant, id, { after: -1, take: 10 }),
});

const NOTHING = { record: undefined, input: undefined, events: [] };
