import assert from "node:assert/strict";
import type { RunCost, RunRecord } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import { newTenant, openRuns, runIds, runRecord, tally, writeEnded } from "./fixtures.ts";

/** What `RunStore.tree` and `treeTotals` promise. */
export const runTreeContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...memberCases(subject),
  ...totalCases(subject),
];

const memberCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "reads a tree by its root, the root first and then the oldest, whatever else there is",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", second = "", other = ""] = runIds(5);
      const family = [root, child, grandchild, second] as const;
      await openRuns(stores, tenant, [runRecord(other), ...treeOf(family).toReversed()]);

      assert.deepEqual(await treeIds(stores, tenant, root), family);
      assert.deepEqual(await treeIds(stores, tenant, other), [other]);
      assert.deepEqual(await treeIds(stores, tenant, child), [child]);
    },
  },
  {
    name: "puts the root first also where its id is not the smallest",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [child = "", grandchild = "", second = "", root = ""] = runIds(4);
      await openRuns(stores, tenant, treeOf([root, child, grandchild, second]));

      assert.deepEqual(await treeIds(stores, tenant, root), [root, child, grandchild, second]);
      assert.deepEqual(await treeIds(stores, tenant, root, 2), [root, child]);
    },
  },
  {
    name: "reads at most as many runs of a tree as are asked for",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", ...below] = runIds(7);
      const children = below.map((id) =>
        runRecord(id, { parentRunId: root, rootRunId: root, depth: 1 }),
      );
      await openRuns(stores, tenant, [runRecord(root), ...children]);

      for (const take of [0, 1, 4, 7, 200]) {
        assert.deepEqual(
          await treeIds(stores, tenant, root, take),
          [root, ...below].slice(0, take),
          `take ${take}`,
        );
      }
    },
  },
  {
    name: "gives a tree the same records as a read of each run",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", second = ""] = runIds(4);
      await openRuns(stores, tenant, treeOf([root, child, grandchild, second]));

      const tree = await stores.runs.tree(tenant, root, 200);

      assert.deepEqual(tree, await Promise.all(tree.map(({ id }) => stores.runs.get(tenant, id))));
      assert.deepEqual(
        tree.map(({ childRunCount }) => childRunCount),
        [2, 1, 0, 0],
      );
    },
  },
  {
    name: "reads no tree of another tenant, and no member of one under an equal root",
    async run() {
      const stores = await subject.stores();
      const [mine, theirs] = [newTenant(), newTenant()];
      const [root = "", child = "", grandchild = "", second = "", own = ""] = runIds(5);
      await openRuns(stores, theirs, treeOf([root, child, grandchild, second]));
      await openRuns(stores, mine, [runRecord(own)]);

      assert.deepEqual(await treeIds(stores, mine, root), []);
      assert.deepEqual(await stores.runs.treeTotals(mine, root), NOTHING);
      await openRuns(stores, mine, [runRecord(root)]);
      assert.deepEqual(await treeIds(stores, mine, root), [root]);
    },
  },
];

const totalCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "adds up the usage and cost of a tree, each row once, whatever became of it",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", second = "", other = ""] = runIds(5);
      const [own, called, below, reviewer] = treeOf([root, child, grandchild, second]);
      await writeTree(stores, tenant, [
        spent(own, 15, 6),
        spent(called, 20, 2, { status: "Failed" }),
        spent(below, 40, 4, { status: "Canceled" }),
        spent(reviewer, 8, 8),
        spent(runRecord(other), 1_000, 1_000),
      ]);

      const totals = await stores.runs.treeTotals(tenant, root);

      assert.deepEqual(totals, {
        usage: { inputTokens: 83, outputTokens: 20 },
        cost: {
          inputCost: 83,
          outputCost: 20,
          totalCost: 103,
          currency: "USD",
          costs: [{ currency: "USD", totalCost: 103 }],
          runsWithUnknownPricing: 0,
        },
      });
    },
  },
  {
    name: "shows in the cost of a tree that some runs are unpriced, until their cost is known",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = "", child = "", grandchild = "", second = ""] = runIds(4);
      const [own, called, below, goesOn] = treeOf([root, child, grandchild, second]);
      const unpriced = spent(below, 5, 1, { cost: { source: "Unknown" } });
      await writeTree(stores, tenant, [spent(own, 1, 1), spent(called, 2, 2), unpriced]);
      await openRuns(stores, tenant, [goesOn]);

      const before = await stores.runs.treeTotals(tenant, root);
      await stores.statistics.correctCosts(tenant, [
        { record: unpriced, cost: { ...costOf(5, 1), pricedAt: AT } },
      ]);
      const after = await stores.runs.treeTotals(tenant, root);

      assert.deepEqual(before.usage, { inputTokens: 8, outputTokens: 4 });
      assert.deepEqual([before.cost.totalCost, before.cost.runsWithUnknownPricing], [6, 1]);
      assert.deepEqual([after.cost.totalCost, after.cost.runsWithUnknownPricing], [12, 0]);
    },
  },
];

const AT = "2026-01-01T00:00:01.000Z";
const NOTHING = { cost: { costs: [], runsWithUnknownPricing: 0 } };

/** A root with a child that has one, and a second child. */
function treeOf([root, child, grandchild, second]: readonly [string, string, string, string]) {
  const below = (parentRunId: string, depth: number) => ({ parentRunId, rootRunId: root, depth });
  return [
    runRecord(root),
    runRecord(child, below(root, 1)),
    runRecord(grandchild, below(child, 2)),
    runRecord(second, below(root, 1)),
  ] as const;
}

const costOf = (inputCost: number, outputCost: number): RunCost => ({
  inputCost,
  outputCost,
  totalCost: inputCost + outputCost,
  currency: "USD",
  source: "Catalog",
});

const spent = (
  record: RunRecord,
  inputTokens: number,
  outputTokens: number,
  over: Partial<RunRecord> = {},
): RunRecord => ({
  ...record,
  status: "Completed",
  completedAt: AT,
  usage: { inputTokens, outputTokens },
  cost: costOf(inputTokens, outputTokens),
  ...over,
});

const writeTree = (stores: ContractStores, tenant: string, records: readonly RunRecord[]) =>
  writeEnded(
    stores,
    tenant,
    records.map((record) => tally(record)),
  );

async function treeIds(
  { runs }: ContractStores,
  tenant: string,
  rootRunId: string,
  take = 100,
): Promise<readonly string[]> {
  return (await runs.tree(tenant, rootRunId, take)).map(({ id }) => id);
}
