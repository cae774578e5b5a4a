import assert from "node:assert/strict";
import type { BudgetReservation, TreeLimits } from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import { entry, events, newTenant, opening, openRuns, runIds, runRecord } from "./fixtures.ts";
import { changeOf, EXPIRES_AT, openTree, reservation, settlement } from "./tree-budget-fixtures.ts";

const LATER = "2026-01-01T00:10:00.001Z";
const CONCURRENT = 40;

/** What `RunJournal` and `RunStore` promise of the budget of a run tree. */
export const treeBudgetContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...countingCases(subject),
  ...refusalCases(subject),
  ...expiryCases(subject),
  ...rootsCases(subject),
  ...concurrencyCases(subject),
];

const countingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "opens a budget with its first reservation, moves it and books what was used",
    async run() {
      const stores = await subject.stores();
      const tree = await openTree(stores, { maxTokens: 1_000, maxCostNanos: 5_000 }, [
        reservation("a", { tokens: 400, costNanos: 900 }),
      ]);

      assert.deepEqual(await tree.budget(), {
        rootRunId: tree.root,
        usedTokens: 0,
        estimatedTokens: 0,
        reservedTokens: 400,
        maxTokens: 1_000,
        usedCost: 0,
        reservedCost: 900e-9,
        maxCost: 5_000e-9,
        currency: "EUR",
        childRuns: 0,
        toolCalls: 0,
      });
      await tree.change({
        settlements: [settlement("a", { tokens: 350, estimatedTokens: 50, costNanos: 700 })],
        reservations: [reservation("b", { tokens: 650 })],
      });
      const moved = await tree.budget();
      await tree.change({ settlements: [settlement("b", { tokens: 0 })] });

      assert.deepEqual(
        [moved?.usedTokens, moved?.estimatedTokens, moved?.reservedTokens, moved?.usedCost],
        [350, 50, 650, 700e-9],
      );
      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [350, 0]);
    },
  },
  {
    name: "books what is known only after the run's end",
    async run() {
      const stores = await subject.stores();
      const tree = await openTree(stores, { maxTokens: 100 }, [reservation("a", { tokens: 60 })]);
      const changed = { status: "Canceled" as const, eventCount: 1 };
      await stores.journal.commit([
        entry(tree.tenant, tree.root, { events: events(0, "end"), changed }),
      ]);

      await tree.change({ settlements: [settlement("a", { tokens: 60 })] });

      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [60, 0]);
    },
  },
  {
    name: "books also what nobody reserved, and more than was reserved",
    async run() {
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("a", { tokens: 60 }),
      ]);

      await tree.change({
        settlements: [settlement("a", { tokens: 90 }), settlement("unknown", { tokens: 30 })],
      });

      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [120, 0]);
    },
  },
  {
    name: "writes nothing of a budget when its entry is refused",
    async run() {
      const stores = await subject.stores();
      const tree = await openTree(stores, { maxTokens: 100 });
      const budget = changeOf(tree.root, { reservations: [reservation("a", { tokens: 10 })] });

      await assert.rejects(
        stores.journal.commit([
          entry(tree.tenant, tree.root, { events: events(7, "far"), budget }),
        ]),
      );

      assert.equal((await tree.budget())?.reservedTokens, 0);
    },
  },
  {
    name: "keeps budgets of tenants apart, and has none for a run that opened none",
    async run() {
      const stores = await subject.stores();
      const tree = await openTree(stores, { maxTokens: 100 });
      const other = await openTree(stores, { maxTokens: 100 });
      const [, without = ""] = runIds(2);
      await openRuns(stores, tree.tenant, [runRecord(without)]);

      await other.change({ reservations: [reservation("a", { tokens: 10 })] });

      assert.equal(tree.root, other.root);
      assert.equal((await tree.budget())?.reservedTokens, 0);
      assert.equal((await other.budget())?.reservedTokens, 10);
      assert.equal(await stores.runs.budget(tree.tenant, without), undefined);
    },
  },
  {
    name: "lets a tree without a budget reserve what it likes",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = ""] = runIds(1);
      await openRuns(stores, tenant, [runRecord(root)]);
      const budget = changeOf(root, {
        settlements: [settlement("z", { tokens: 5 })],
        reservations: [reservation("a", { tokens: 1e12, childRuns: 9 })],
      });

      const { refusals } = await stores.journal.commit([entry(tenant, root, { budget })]);

      assert.deepEqual(refusals, []);
      assert.equal(await stores.runs.budget(tenant, root), undefined);
    },
  },
];

const refused: readonly {
  readonly limit: string;
  readonly limits: TreeLimits;
  readonly fits: Partial<BudgetReservation>;
  readonly tooMuch: Partial<BudgetReservation>;
}[] = [
  {
    limit: "tokens",
    limits: { maxTokens: 100 },
    fits: { tokens: 100 },
    tooMuch: { tokens: 1 },
  },
  {
    limit: "cost",
    limits: { maxCostNanos: 9_007_199_254_740 },
    fits: { costNanos: 9_007_199_254_740 },
    tooMuch: { tokens: 1, costNanos: 1 },
  },
  {
    limit: "childRuns",
    limits: { maxChildRuns: 2 },
    fits: { childRuns: 2 },
    tooMuch: { childRuns: 1 },
  },
  {
    limit: "toolCalls",
    limits: { maxToolCalls: 3 },
    fits: { toolCalls: 3 },
    tooMuch: { toolCalls: 1 },
  },
];

const refusalCases = (subject: ContractSubject): readonly ContractCase[] => [
  ...refused.map(({ limit, limits, fits, tooMuch }) => ({
    name: `grants ${limit} up to the limit and refuses one more, by name, without refusing the entry`,
    async run() {
      const tree = await openTree(await subject.stores(), limits);

      const granted = await tree.change({ reservations: [reservation("a", fits)] });
      const full = await tree.budget();
      const outcome = await tree.change(
        { reservations: [reservation("b", tooMuch)] },
        { events: events(0, "x") },
      );

      assert.deepEqual(granted.refusals, []);
      assert.deepEqual(outcome.refusals, [{ reservationId: "b", limit }]);
      assert.deepEqual(await tree.budget(), full);
      assert.equal((await tree.record())?.eventCount, 1);
    },
  })),
  {
    name: "refuses a first reservation that is larger than the budget",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [root = ""] = runIds(1);
      const opened = { currency: "USD", limits: { maxTokens: 10 } };
      const reservations = [reservation("a", { tokens: 11 }), reservation("b", { tokens: 10 })];
      const budget = { ...changeOf(root, { reservations }), opened };

      const { refusals } = await stores.journal.commit([
        opening(tenant, runRecord(root), { budget }),
      ]);

      assert.deepEqual(refusals, [{ reservationId: "a", limit: "tokens" }]);
      assert.equal((await stores.runs.budget(tenant, root))?.reservedTokens, 10);
    },
  },
  {
    name: "counts what an entry settles before what it reserves, and grants its reservations singly",
    async run() {
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("a", { tokens: 90 }),
      ]);

      const { refusals } = await tree.change({
        settlements: [settlement("a", { tokens: 20 })],
        reservations: ["b", "c", "d"].map((id) => reservation(id, { tokens: 40 })),
      });

      assert.deepEqual(refusals, [{ reservationId: "d", limit: "tokens" }]);
      assert.equal((await tree.budget())?.reservedTokens, 80);
    },
  },
];

const expiryCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "takes back what has expired before it refuses, and not a moment earlier",
    async run() {
      const limits = { maxTokens: 100, maxCostNanos: 100 };
      const tree = await openTree(await subject.stores(), limits, [
        reservation("lost", { tokens: 80, costNanos: 80 }),
      ]);
      const wanted = { reservations: [reservation("b", { tokens: 90, costNanos: 90 })] };

      const early = await tree.change({ ...wanted, at: "2026-01-01T00:09:59.999Z" });
      const late = await tree.change({ ...wanted, at: EXPIRES_AT });

      assert.equal(early.refusals.length, 1);
      assert.deepEqual(late.refusals, []);
      const { reservedTokens, reservedCost } = (await tree.budget()) ?? {};
      assert.deepEqual([reservedTokens, reservedCost], [90, 90e-9]);
    },
  },
  {
    name: "books what a reservation came to also after it was taken back",
    async run() {
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("late", { tokens: 80 }),
      ]);
      await tree.change({ at: LATER, reservations: [reservation("b", { tokens: 90 })] });

      await tree.change({ at: LATER, settlements: [settlement("late", { tokens: 70 })] });

      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [70, 90]);
    },
  },
];

const rootsCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps the root's own reservation, settles it and takes the next in its place",
    async run() {
      const isRoots = true;
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("a", { tokens: 60, isRoots }),
      ]);

      const others = await tree.change({ reservations: [reservation("x", { tokens: 41 })] });
      const next = await tree.change({
        settlements: [settlement("a", { tokens: 20, isRoots })],
        reservations: [reservation("b", { tokens: 80, isRoots })],
      });
      const moved = await tree.budget();
      await tree.change({ settlements: [settlement("b", { tokens: 30, isRoots })] });

      assert.deepEqual([others.refusals.length, next.refusals.length], [1, 0]);
      assert.deepEqual([moved?.usedTokens, moved?.reservedTokens], [20, 80]);
      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [50, 0]);
    },
  },
  {
    name: "settles the root's own reservation also when the next one finds no room",
    async run() {
      const isRoots = true;
      const tree = await openTree(await subject.stores(), { maxTokens: 100, maxCostNanos: 9 }, [
        reservation("a", { tokens: 60, costNanos: 5, isRoots }),
      ]);

      const { refusals } = await tree.change({
        settlements: [settlement("a", { tokens: 70, costNanos: 5, isRoots })],
        reservations: [reservation("b", { tokens: 40, isRoots })],
      });

      assert.deepEqual(refusals, [{ reservationId: "b", limit: "tokens" }]);
      const { usedTokens, reservedTokens, usedCost, reservedCost } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens, usedCost, reservedCost], [70, 0, 5e-9, 0]);
    },
  },
  {
    name: "takes back the root's own reservation once it has expired, and books it all the same",
    async run() {
      const isRoots = true;
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("a", { tokens: 60, isRoots }),
      ]);

      const late = await tree.change({
        at: EXPIRES_AT,
        reservations: [reservation("b", { tokens: 90, expiresAt: LATER })],
      });
      await tree.change({ at: EXPIRES_AT, settlements: [settlement("a", { tokens: 5, isRoots })] });

      assert.deepEqual(late.refusals, []);
      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [5, 90]);
    },
  },
  {
    name: "lets the root's own reservation be taken after it found no room at first",
    async run() {
      const isRoots = true;
      const tree = await openTree(await subject.stores(), { maxTokens: 100 }, [
        reservation("lost", { tokens: 90 }),
      ]);

      const wanted = {
        reservations: [reservation("b", { tokens: 80, isRoots, expiresAt: LATER })],
      };
      const { refusals } = await tree.change({ ...wanted, at: EXPIRES_AT });
      await tree.change({ settlements: [settlement("b", { tokens: 80, isRoots })] });

      assert.deepEqual(refusals, []);
      const { usedTokens, reservedTokens } = (await tree.budget()) ?? {};
      assert.deepEqual([usedTokens, reservedTokens], [80, 0]);
    },
  },
];

const concurrencyCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "never grants more than the limit to runs that reserve at once, alone and in one batch",
    async run() {
      const stores = await subject.stores();
      const tree = await openTree(stores, { maxTokens: 100, maxChildRuns: 5 });
      const wanted = Array.from({ length: CONCURRENT }, (_, index) =>
        changeOf(tree.root, {
          reservations: [reservation(`r${index}`, { tokens: 15, childRuns: 1 })],
        }),
      );
      const half = CONCURRENT / 2;
      const ids = runIds(CONCURRENT + 1).slice(1);
      await openRuns(
        stores,
        tree.tenant,
        ids.map((id) => runRecord(id)),
      );
      const entries = wanted.map((budget, index) =>
        entry(tree.tenant, ids[index] ?? "", { budget }),
      );

      const outcomes = await Promise.all([
        ...entries.slice(0, half).map((it) => stores.journal.commit([it])),
        stores.journal.commit(entries.slice(half)),
      ]);

      const refusals = outcomes.flatMap((it) => it.refusals);
      assert.equal(CONCURRENT - refusals.length, 5);
      const { reservedTokens, childRuns } = (await tree.budget()) ?? {};
      assert.deepEqual([reservedTokens, childRuns], [75, 5]);
    },
  },
];
