import assert from "node:assert/strict";
import type { SessionBranch } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import {
  baseOf,
  messagesOf,
  newTenant,
  runIds,
  STARTED_AT,
  said,
  sessionWrite,
  turn,
} from "./fixtures.ts";

const BRANCHED_AT = "2026-01-02T00:00:00.000Z";

/** What `SessionStore` promises. */
export const sessionStoreContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...listCases(subject),
  ...historyCases(subject),
  ...branchCases(subject),
  ...deleteCases(subject),
];

const listCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "lists sessions with the most recently updated first, of one agent when asked",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [
        ["a", 3, "support"],
        ["b", 1, "other"],
        ["c", 2, "support"],
      ]);
      const page = { skip: 0, take: 10 };

      assert.deepEqual(await listed(stores, tenant, {}, page), ["a", "c", "b"]);
      assert.deepEqual(await listed(stores, tenant, { agentName: "support" }, page), ["a", "c"]);
      assert.deepEqual(await listed(stores, newTenant(), {}, page), []);
    },
  },
  {
    name: "pages a list by number and by cursor, also among equal times",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [
        ["a", 1],
        ["b", 1],
        ["c", 1],
        ["d", 0],
      ]);

      assert.deepEqual(await listed(stores, tenant, {}, { skip: 1, take: 2 }), ["b", "a"]);
      const before = { updatedAt: time(1), id: "b" };
      assert.deepEqual(await listed(stores, tenant, {}, { skip: 0, take: 5, before }), ["a", "d"]);
      assert.deepEqual(await listed(stores, tenant, {}, { skip: 0, take: 0 }), []);
    },
  },
  {
    name: "moves a session to the front of the list with its next turn",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [
        ["a", 1],
        ["b", 2],
      ]);
      const [, , id = ""] = runIds(3);
      const base = await baseOf(stores, tenant, "a");

      await stores.journal.commit([
        turn(tenant, id, sessionWrite("a", [said("more")], { base, savedAt: time(3) })),
      ]);

      assert.deepEqual(await listed(stores, tenant, {}, { skip: 0, take: 5 }), ["a", "b"]);
    },
  },
];

const historyCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "reads the wanted part of a history, in order",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const items = Array.from({ length: 100 }, (_, index) => said(`${index}`));
      await stores.journal.commit([turn(tenant, id, sessionWrite("s", items))]);
      const sequences = async (after: number, take: number) =>
        (await stores.sessions.history(tenant, "s", { after, take })).map((it) => it.sequence);

      assert.deepEqual(
        await sequences(89, 10),
        Array.from({ length: 10 }, (_, index) => 90 + index),
      );
      assert.deepEqual(await sequences(-1, 2), [0, 1]);
      assert.deepEqual(await sequences(97, 10), [98, 99]);
      assert.deepEqual(await sequences(99, 10), []);
      assert.deepEqual(await sequences(0, 0), []);
    },
  },
  {
    name: "reads any part of a history that grew in turns, and branches at any message of it",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const texts = await sayInTurns(stores, tenant, [1, 4, 2]);

      for (let after = -1; after < texts.length; after++) {
        for (let take = 1; take <= texts.length; take++) {
          const items = await stores.sessions.history(tenant, "s", { after, take });
          assert.deepEqual(
            items.map(({ sequence, json }) => [sequence, JSON.parse(json).contents[0].text]),
            texts.map((text, sequence) => [sequence, text]).slice(after + 1, after + 1 + take),
          );
        }
      }
      for (let itemCount = 0; itemCount <= texts.length; itemCount++) {
        const copy = `copy-${itemCount}`;
        const closing = [said("closed", "tool")];
        await stores.sessions.branch(branchOf(tenant, "s", copy, { itemCount, closing }));
        assert.deepEqual(await messagesOf(stores, tenant, copy), [
          ...texts.slice(0, itemCount).map((text) => said(text)),
          ...closing,
        ]);
      }
    },
  },
  {
    name: "knows no session of another tenant, and none that was never saved",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [["s", 1]]);
      const { sessions } = stores;

      assert.equal(await sessions.get(newTenant(), "s"), undefined);
      assert.deepEqual(await sessions.history(newTenant(), "s", { after: -1, take: 5 }), []);
      assert.equal(await sessions.get(tenant, "S"), undefined);
    },
  },
  {
    name: "has what was acknowledged when it is opened anew",
    async run() {
      if (subject.reopened === undefined) return;
      const tenant = newTenant();
      await begin(await subject.stores(), tenant, [["s", 1]]);

      const stores = await subject.reopened();

      assert.equal((await stores.sessions.get(tenant, "s"))?.version, 1);
      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("s")]);
    },
  },
];

const branchCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "branches a session without touching it",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const items = ["one", "two", "three"].map((text) => said(text));
      const state = { todos: { nextId: 2, items: [{ id: 1, title: "Write" }] } };
      await stores.journal.commit([turn(tenant, id, sessionWrite("s", items, { state }))]);
      const source = await stores.sessions.get(tenant, "s");
      const closing = [said("closed", "tool")];

      const outcome = await stores.sessions.branch(
        branchOf(tenant, "s", "copy", { itemCount: 2, closing }),
      );

      assert.equal(outcome, "branched");
      assert.deepEqual(source?.state, state);
      const copied = [said("one"), said("two"), ...closing];
      assert.deepEqual(await messagesOf(stores, tenant, "copy"), copied);
      assert.deepEqual(await stores.sessions.get(tenant, "copy"), {
        ...source,
        id: "copy",
        parentSessionId: "s",
        branchFromSequence: 1,
        createdAt: BRANCHED_AT,
        updatedAt: BRANCHED_AT,
        version: 1,
        itemCount: 3,
      });
      assert.deepEqual(await stores.sessions.get(tenant, "s"), source);
      assert.deepEqual(await messagesOf(stores, tenant, "s"), items);
    },
  },
  {
    name: "lets a branch and its source go on apart",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [["s", 1]]);
      await stores.sessions.branch(branchOf(tenant, "s", "copy", { itemCount: 1 }));
      const [, first = "", second = ""] = runIds(3);

      await stores.journal.commit([
        turn(
          tenant,
          first,
          sessionWrite("s", [said("source")], { base: await baseOf(stores, tenant, "s") }),
        ),
        turn(
          tenant,
          second,
          sessionWrite("copy", [said("copy")], { base: await baseOf(stores, tenant, "copy") }),
        ),
      ]);

      assert.deepEqual(await messagesOf(stores, tenant, "s"), [said("s"), said("source")]);
      assert.deepEqual(await messagesOf(stores, tenant, "copy"), [said("s"), said("copy")]);
    },
  },
  {
    name: "says when there is nothing to branch, or the new id is taken",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [
        ["s", 1],
        ["taken", 1],
      ]);
      const { sessions } = stores;

      assert.equal(await sessions.branch(branchOf(tenant, "none", "copy")), "missing");
      assert.equal(
        await sessions.branch(branchOf(tenant, "s", "copy", { itemCount: 2 })),
        "missing",
      );
      assert.equal(await sessions.branch(branchOf(newTenant(), "s", "copy")), "missing");
      assert.equal(await sessions.branch(branchOf(tenant, "s", "taken")), "exists");
      assert.deepEqual(await messagesOf(stores, tenant, "taken"), [said("taken")]);
      assert.equal(await sessions.get(tenant, "copy"), undefined);
    },
  },
];

const deleteCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "deletes a session with its messages, once, and keeps its runs and its branches",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await begin(stores, tenant, [["s", 1]]);
      await stores.sessions.branch(branchOf(tenant, "s", "copy", { itemCount: 1 }));
      const [id = ""] = runIds(1);

      assert.equal(await stores.sessions.delete(newTenant(), "s"), false);
      assert.equal(await stores.sessions.delete(tenant, "s"), true);
      assert.equal(await stores.sessions.delete(tenant, "s"), false);

      assert.equal(await stores.sessions.get(tenant, "s"), undefined);
      assert.deepEqual(await messagesOf(stores, tenant, "s"), []);
      assert.equal((await stores.runs.get(tenant, id))?.sessionId, "s");
      assert.deepEqual(await messagesOf(stores, tenant, "copy"), [said("s")]);
    },
  },
];

const time = (second: number): string =>
  new Date(Date.parse(STARTED_AT) + second * 1_000).toISOString();

/** One run and one message for each session, saved so many seconds after the start. */
async function begin(
  { journal }: ContractStores,
  tenant: string,
  sessions: readonly (readonly [id: string, savedAt: number, agentName?: string])[],
): Promise<void> {
  const ids = runIds(sessions.length);
  await journal.commit(
    sessions.map(([id, savedAt, agentName = "support"], index) =>
      turn(
        tenant,
        ids[index] ?? "",
        sessionWrite(id, [said(id)], { agentName, savedAt: time(savedAt) }),
      ),
    ),
  );
}

/** A session `s` of so many messages in each of its turns. Answers with their texts. */
async function sayInTurns(
  stores: ContractStores,
  tenant: string,
  sizes: readonly number[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const [index, id] of runIds(sizes.length).entries()) {
    const size = sizes[index] ?? 0;
    const added = Array.from({ length: size }, (_, item) => `turn ${index} item ${item}`);
    const base = index === 0 ? {} : { base: await baseOf(stores, tenant, "s") };
    const items = added.map((text) => said(text));
    await stores.journal.commit([turn(tenant, id, sessionWrite("s", items, base))]);
    texts.push(...added);
  }
  return texts;
}

async function listed(
  { sessions }: ContractStores,
  ...parameters: Parameters<ContractStores["sessions"]["list"]>
): Promise<readonly string[]> {
  return (await sessions.list(...parameters)).map(({ id }) => id);
}

const branchOf = (
  tenantId: string,
  sourceId: string,
  newSessionId: string,
  over: Partial<SessionBranch> = {},
): SessionBranch => ({
  tenantId,
  sourceId,
  newSessionId,
  itemCount: 0,
  closing: [],
  branchedAt: BRANCHED_AT,
  ...over,
});
