import assert from "node:assert/strict";
import type { RunFilter, RunPage, RunRecord } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import { newTenant, openRuns, runIds, runRecord, STARTED_AT } from "./fixtures.ts";

/** What `RunStore.list` promises. */
export const runListContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...pageCases(subject),
  ...filterCases(subject),
  ...familyCases(subject),
];

const pageCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "lists runs newest first by id, whatever order they were written in",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(5);
      const shuffled = [3, 0, 4, 1, 2].map((index) => runRecord(ids[index] ?? ""));
      for (const record of shuffled) await openRuns(stores, tenant, [record]);

      assert.deepEqual(await listed(stores, tenant, {}), ids.toReversed());
      assert.deepEqual(await listed(stores, newTenant(), {}), []);
    },
  },
  {
    name: "skips and takes",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(5);
      await openRuns(
        stores,
        tenant,
        ids.map((id) => runRecord(id)),
      );
      const newest = ids.toReversed();

      for (const [skip, take] of [
        [0, 0],
        [0, 2],
        [1, 2],
        [4, 2],
        [5, 2],
        [0, 1_000],
      ] as const) {
        const page = await listed(stores, tenant, {}, { skip, take });
        assert.deepEqual(page, newest.slice(skip, skip + take));
      }
    },
  },
  {
    name: "continues after a cursor, also while newer runs arrive and after a run that is gone",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(7);
      const [absent = "", ...present] = [ids[3], ...ids.filter((_, index) => index !== 3)];
      await openRuns(
        stores,
        tenant,
        present.slice(0, 5).map((id) => runRecord(id ?? "")),
      );

      const first = await listed(stores, tenant, {}, { skip: 0, take: 2 });
      await openRuns(stores, tenant, [runRecord(ids[6] ?? "")]);
      const second = await listed(stores, tenant, {}, { skip: 0, take: 2, before: first[1] ?? "" });
      const afterAbsent = await listed(stores, tenant, {}, { skip: 1, take: 9, before: absent });
      const last = await listed(stores, tenant, {}, { skip: 0, take: 2, before: ids[0] ?? "" });

      assert.deepEqual(first, [ids[5], ids[4]]);
      assert.deepEqual(second, [ids[2], ids[1]]);
      assert.deepEqual(afterAbsent, [ids[1], ids[0]]);
      assert.deepEqual(last, []);
    },
  },
];

const filterCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "filters by each member of a run, and by all that are given",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [plain = "", odd = "", both = ""] = runIds(3);
      const unusual = {
        agentName: "writer",
        status: "Failed",
        kind: "Eval",
        sessionId: "session-1",
        userId: "user-1",
        error: { type: "timeout", message: "took too long" },
      } as const satisfies Partial<RunRecord>;
      await openRuns(stores, tenant, [
        runRecord(plain),
        runRecord(odd, unusual),
        runRecord(both, { ...unusual, userId: "user-2" }),
      ]);
      const matching: readonly RunFilter[] = [
        { agentName: "writer" },
        { status: "Failed" },
        { kind: "Eval" },
        { sessionId: "session-1" },
        { errorType: "timeout" },
        { agentName: "writer", status: "Failed", kind: "Eval", errorType: "timeout" },
      ];

      for (const filter of matching) {
        assert.deepEqual(await listed(stores, tenant, filter), [both, odd], JSON.stringify(filter));
      }
      assert.deepEqual(await listed(stores, tenant, { status: "Running" }), [plain]);
      assert.deepEqual(await listed(stores, tenant, { kind: "Agent" }), [plain]);
      assert.deepEqual(await listed(stores, tenant, { userId: "user-1" }), [odd]);
      const noMatch: RunFilter = { userId: "user-1", agentName: "support" };
      assert.deepEqual(await listed(stores, tenant, noMatch), []);
      const page = { skip: 0, take: 9, before: both };
      assert.deepEqual(await listed(stores, tenant, { agentName: "writer" }, page), [odd]);
    },
  },
  {
    name: "filters by a time of start, that time included, however it is written",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [early = "", late = ""] = runIds(2);
      await openRuns(stores, tenant, [
        runRecord(early),
        runRecord(late, { startedAt: "2026-01-01T00:00:00.001Z" }),
      ]);

      assert.deepEqual(await listed(stores, tenant, { startedAfter: STARTED_AT }), [late, early]);
      const short = "2026-01-01T00:00:00Z";
      assert.deepEqual(await listed(stores, tenant, { startedAfter: short }), [late, early]);
      const between = "2026-01-01T00:00:00.0005Z";
      const after = await listed(stores, tenant, { startedAfter: "2026-01-01T00:00:00.001Z" });
      assert.deepEqual(after, [late]);
      assert.ok((await listed(stores, tenant, { startedAfter: between })).includes(late));
      assert.deepEqual(await listed(stores, tenant, { startedAfter: "2026-01-02T00:00:00Z" }), []);
    },
  },
];

const familyCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "leaves child runs out unless they are asked for",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", other = ""] = runIds(4);
      await openFamily(stores, tenant, [root, child, grandchild]);
      await openRuns(stores, tenant, [runRecord(other)]);

      assert.deepEqual(await listed(stores, tenant, {}), [other, root]);
      assert.deepEqual(await listed(stores, tenant, { agentName: "support" }), [other, root]);
      const all = [other, grandchild, child, root];
      assert.deepEqual(await listed(stores, tenant, { includeChildren: true }), all);
      assert.deepEqual(await listed(stores, tenant, { parentRunId: root }), [child]);
      assert.deepEqual(await listed(stores, tenant, { rootRunId: root }), [grandchild, child]);
    },
  },
  {
    name: "counts the direct children of a run, in a list and alone",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", second = ""] = runIds(4);
      await openFamily(stores, tenant, [root, child, grandchild]);
      const record = runRecord(second, { parentRunId: root, rootRunId: root, depth: 1 });
      await openRuns(stores, tenant, [{ ...record, childRunCount: 9 }]);

      const all = await stores.runs.list(tenant, { includeChildren: true }, { skip: 0, take: 9 });

      const counts = all.map((it) => it.childRunCount);
      assert.deepEqual(counts, [0, 0, 1, 2]);
      assert.equal((await stores.runs.get(tenant, root))?.childRunCount, 2);
    },
  },
  {
    name: "gives a list the same records as a read of each run",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = ""] = runIds(3);
      await openFamily(stores, tenant, [root, child, grandchild]);

      const all = await stores.runs.list(tenant, { includeChildren: true }, { skip: 0, take: 9 });

      const read = await Promise.all(all.map(({ id }) => stores.runs.get(tenant, id)));
      assert.deepEqual(all, read);
    },
  },
];

async function listed(
  { runs }: ContractStores,
  tenant: string,
  filter: RunFilter,
  page: RunPage = { skip: 0, take: 100 },
): Promise<readonly string[]> {
  return (await runs.list(tenant, filter, page)).map(({ id }) => id);
}

/** A root, its child and the child of that. */
async function openFamily(
  stores: ContractStores,
  tenant: string,
  [root, child, grandchild]: readonly [string, string, string],
): Promise<void> {
  await openRuns(stores, tenant, [
    runRecord(root),
    runRecord(child, { parentRunId: root, rootRunId: root, depth: 1 }),
    runRecord(grandchild, { parentRunId: child, rootRunId: root, depth: 2 }),
  ]);
}
