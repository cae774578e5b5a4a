import assert from "node:assert/strict";
import { TraconError } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import {
  baseOf,
  entry,
  events,
  messagesOf,
  newTenant,
  openRuns,
  runIds,
  runRecord,
  STARTED_AT,
  said,
  sessionWrite,
  turn,
} from "./fixtures.ts";

const LATER = "2026-01-01T00:00:05.000Z";
const WRITERS = 20;
const ROUNDS = 3;

/** What `RunJournal` promises of the sessions it writes. */
export const sessionWriteContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...appendingCases(subject),
  ...stateCases(subject),
  ...conflictCases(subject),
  ...concurrencyCases(subject),
];

const appendingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "creates a session with the entry that ends its first run",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const items = [said("Hi"), said("Hello.", "assistant")];

      await stores.journal.commit([turn(tenant, id, sessionWrite("s", items, { savedAt: LATER }))]);

      assert.deepEqual(await stores.sessions.get(tenant, "s"), {
        id: "s",
        agentName: "support",
        tenantId: tenant,
        createdAt: STARTED_AT,
        updatedAt: LATER,
        version: 1,
        itemCount: 2,
        state: {},
        stateSchemaVersion: 1,
      });
      assert.deepEqual(await messagesOf(stores, tenant, "s"), items);
      assert.equal((await stores.runs.get(tenant, id))?.status, "Completed");
    },
  },
  {
    name: "appends to a session that is what the run began with",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = ""] = runIds(2);
      await stores.journal.commit([turn(tenant, first, sessionWrite("s", [said("one")]))]);

      const base = await baseOf(stores, tenant, "s");
      await stores.journal.commit([
        turn(
          tenant,
          second,
          sessionWrite("s", [said("two"), said("three")], { base, savedAt: LATER }),
        ),
      ]);

      const record = await stores.sessions.get(tenant, "s");
      assert.equal(record?.version, 2);
      assert.equal(record?.itemCount, 3);
      assert.equal(record?.createdAt, STARTED_AT);
      assert.equal(record?.updatedAt, LATER);
      const history = await stores.sessions.history(tenant, "s", { after: -1, take: 10 });
      assert.deepEqual(
        history.map(({ sequence, runId }) => [sequence, runId]),
        [
          [0, first],
          [1, second],
          [2, second],
        ],
      );
    },
  },
  {
    name: "keeps messages of every kind as they are",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const items = [
        said("nul \u0000, half \ud800, escape \u0010"),
        {
          role: "assistant" as const,
          contents: [
            { $type: "reasoning" as const, text: "hm", providerOptions: { p: { signature: "x" } } },
            { $type: "functionCall" as const, callId: "1", name: "t", arguments: { a: [1, null] } },
          ],
        },
        {
          role: "tool" as const,
          contents: [{ $type: "functionResult" as const, callId: "1", name: "t", result: null }],
        },
      ];

      await stores.journal.commit([turn(tenant, id, sessionWrite("s", items))]);

      assert.deepEqual(await messagesOf(stores, tenant, "s"), items);
    },
  },
  {
    name: "keeps sessions of one id in two tenants apart",
    async run() {
      const stores = await subject.stores();
      const [tenant, other] = [newTenant(), newTenant()];
      const [id = ""] = runIds(1);
      await stores.journal.commit([
        turn(tenant, id, sessionWrite("s", [said("mine")])),
        turn(other, id, sessionWrite("s", [said("yours")])),
      ]);

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("mine")]);
      assert.deepEqual(await messagesOf(stores, other, "s"), [said("yours")]);
    },
  },
];

const stateCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps the state of a session as the last write that had one left it",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const states = [
        {
          list: { nextId: 3, items: [{ title: "nul \u0000, half \ud800, \u0010, \ud83d\ude00" }] },
        },
        undefined,
        { other: null, nested: { empty: {}, numbers: [0, -1.5, 1e300] } },
        {},
      ];

      const kept: unknown[] = [];
      for (const [index, id] of runIds(states.length).entries()) {
        const base = index === 0 ? {} : { base: await baseOf(stores, tenant, "s") };
        const state = states[index];
        const write = sessionWrite("s", [said(id)], {
          ...base,
          ...(state === undefined ? {} : { state }),
        });
        await stores.journal.commit([turn(tenant, id, write)]);
        kept.push((await stores.sessions.get(tenant, "s"))?.state);
      }

      assert.deepEqual(kept, [states[0], states[0], states[2], states[3]]);
    },
  },
  {
    name: "keeps the states of sessions apart that one batch writes",
    async run() {
      const stores = await subject.stores();
      const [tenant, other] = [newTenant(), newTenant()];
      const [first = "", second = "", third = ""] = runIds(3);

      await stores.journal.commit([
        turn(tenant, first, sessionWrite("s", [said("one")], { state: { of: "s" } })),
        turn(tenant, second, sessionWrite("t", [said("two")])),
        turn(other, third, sessionWrite("s", [said("three")], { state: { of: "other" } })),
      ]);

      assert.deepEqual((await stores.sessions.get(tenant, "s"))?.state, { of: "s" });
      assert.deepEqual((await stores.sessions.get(tenant, "t"))?.state, {});
      assert.deepEqual((await stores.sessions.get(other, "s"))?.state, { of: "other" });
    },
  },
  {
    name: "leaves the state as it was when the write is refused",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = "", third = ""] = runIds(3);
      const before = sessionWrite("s", [said("one")], { state: { by: "first" } });
      await stores.journal.commit([turn(tenant, first, before)]);
      const base = await baseOf(stores, tenant, "s");
      await stores.journal.commit([
        turn(tenant, second, sessionWrite("s", [said("two")], { base, state: { by: "second" } })),
      ]);
      await openRuns(stores, tenant, [runRecord(third)]);

      const late = sessionWrite("s", [said("late")], { base, state: { by: "third" } });
      await assertConflict(stores, tenant, third, late);

      assert.deepEqual((await stores.sessions.get(tenant, "s"))?.state, { by: "second" });
    },
  },
];

const conflictCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "refuses to create a session that is there, and writes nothing of the entry",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = ""] = runIds(2);
      await stores.journal.commit([turn(tenant, first, sessionWrite("s", [said("one")]))]);
      await openRuns(stores, tenant, [runRecord(second)]);

      await assertConflict(stores, tenant, second, sessionWrite("s", [said("two")]));

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("one")]);
      assert.equal((await stores.runs.get(tenant, second))?.status, "Running");
      assert.equal((await stores.runs.get(tenant, second))?.eventCount, 0);
    },
  },
  {
    name: "refuses a write on a version that has passed",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = "", third = ""] = runIds(3);
      await stores.journal.commit([turn(tenant, first, sessionWrite("s", [said("one")]))]);
      const base = await baseOf(stores, tenant, "s");
      await stores.journal.commit([
        turn(tenant, second, sessionWrite("s", [said("two")], { base })),
      ]);
      await openRuns(stores, tenant, [runRecord(third)]);

      await assertConflict(stores, tenant, third, sessionWrite("s", [said("late")], { base }));

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("one"), said("two")]);
    },
  },
  {
    name: "refuses a write on a session that is gone, or was begun anew",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = "", third = ""] = runIds(3);
      await stores.journal.commit([turn(tenant, first, sessionWrite("s", [said("one")]))]);
      const base = await baseOf(stores, tenant, "s");
      await stores.sessions.delete(tenant, "s");
      await openRuns(stores, tenant, [runRecord(third)]);
      const late = sessionWrite("s", [said("late")], { base });

      await assertConflict(stores, tenant, third, late);
      await stores.journal.commit([
        turn(
          tenant,
          second,
          sessionWrite("s", [said("anew")], { openedAt: LATER, savedAt: LATER }),
        ),
      ]);
      await assertConflict(stores, tenant, third, late);

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("anew")]);
    },
  },
  {
    name: "refuses the session write of a run that has ended",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await stores.journal.commit([turn(tenant, id, sessionWrite("s", [said("one")]))]);
      const base = await baseOf(stores, tenant, "s");

      const again = entry(tenant, id, {
        events: events(2, "more"),
        session: sessionWrite("s", [said("two")], { base }),
      });
      await assert.rejects(stores.journal.commit([again]));

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("one")]);
    },
  },
];

const concurrencyCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: `lets exactly one of ${WRITERS} writers have each version of a session`,
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(WRITERS * ROUNDS);
      const winners: string[] = [];

      for (let round = 0; round < ROUNDS; round++) {
        const base = round === 0 ? {} : { base: await baseOf(stores, tenant, "s") };
        const writers = ids.slice(round * WRITERS, (round + 1) * WRITERS);
        const outcomes = await Promise.all(
          writers.map((id) =>
            outcomeOf(stores, turn(tenant, id, sessionWrite("s", [said(id)], base))),
          ),
        );
        const won = writers.filter((_, index) => outcomes[index] === "written");
        assert.equal(won.length, 1, `round ${round}`);
        winners.push(...won);
        assert.equal((await stores.sessions.get(tenant, "s"))?.version, round + 1);
      }

      assert.deepEqual(
        await messagesOf(stores, tenant, "s"),
        winners.map((id) => said(id)),
      );
    },
  },
  {
    name: "refuses two writes to one session in one batch as a whole",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = "", other = ""] = runIds(3);
      const batch = [
        turn(tenant, first, sessionWrite("s", [said("one")])),
        turn(tenant, second, sessionWrite("s", [said("two")])),
        turn(tenant, other, sessionWrite("other", [said("three")])),
      ];

      assert.equal(await outcomeOf(stores, ...batch), "conflict");

      assert.equal(await stores.sessions.get(tenant, "s"), undefined);
      assert.equal(await stores.sessions.get(tenant, "other"), undefined);
      assert.equal(await stores.runs.get(tenant, other), undefined);
    },
  },
];

async function outcomeOf(
  { journal }: ContractStores,
  ...batch: Parameters<ContractStores["journal"]["commit"]>[0]
): Promise<"written" | "conflict"> {
  try {
    await journal.commit(batch);
    return "written";
  } catch (error) {
    if (TraconError.is(error, "session_conflict")) return "conflict";
    throw error;
  }
}

async function assertConflict(
  stores: ContractStores,
  tenantId: string,
  runId: string,
  session: ReturnType<typeof sessionWrite>,
): Promise<void> {
  const last = entry(tenantId, runId, {
    events: events(0, "start", "end"),
    changed: { status: "Completed", eventCount: 2, completedAt: session.savedAt },
    session,
  });
  assert.equal(await outcomeOf(stores, last), "conflict");
}
