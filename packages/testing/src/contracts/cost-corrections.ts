import assert from "node:assert/strict";
import type { RunRecord, RunTally } from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import { newTenant, runIds, runRecord, tally, writeEnded } from "./fixtures.ts";

/** What `StatisticsStore` promises of costs that become known later. */
export const costCorrectionContract = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "prices a run later once, in its record and in the sums, and touches nothing else",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [first = "", second = "", unmeasured = "", priced = ""] = runIds(4);
      const known = { source: "Catalog" as const, totalCost: 1, currency: "USD" };
      await writeEnded(stores, tenant, [
        unpriced(first),
        unpriced(second),
        tally(runRecord(unmeasured, { status: "Completed", cost: { source: "Unknown" } })),
        tally(runRecord(priced, { status: "Completed", usage: { inputTokens: 1 }, cost: known })),
      ]);
      const cost = { source: "Configuration" as const, totalCost: 0.5, currency: "USD" };
      const [record, other] = await stores.statistics.unpricedRuns(tenant, { take: 10 });
      assert.ok(record !== undefined && other !== undefined);

      const corrected = await Promise.all([
        stores.statistics.correctCosts(tenant, [{ record, cost }]),
        stores.statistics.correctCosts(tenant, [{ record, cost: { ...cost, totalCost: 9 } }]),
      ]);

      assert.deepEqual(corrected.flat(), [first]);
      const held = (await stores.runs.get(tenant, first))?.cost;
      assert.ok(held?.totalCost === 0.5 || held?.totalCost === 9);
      const [listed] = await stores.runs.list(tenant, {}, { skip: 3, take: 1 });
      assert.deepEqual(listed?.cost, held);
      const left = await stores.statistics.unpricedRuns(tenant, { take: 10 });
      assert.deepEqual(left, [other]);
      const counted = await stores.statistics.statistics(tenant, {}, { maxRows: 5 });
      assert.equal(counted.totalRuns, 4);
      assert.equal(counted.totalCost, 1 + (held.totalCost ?? 0));
      assert.equal(counted.runsWithUnknownPricing, 1);
      assert.equal(counted.byUser[0]?.totalCost, held.totalCost);
    },
  },
  {
    name: "lists runs without a cost in pages, oldest first",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(5);
      await writeEnded(
        stores,
        tenant,
        ids.map((id) => unpriced(id)),
      );

      const page = await stores.statistics.unpricedRuns(tenant, { take: 2 });
      const rest = await stores.statistics.unpricedRuns(tenant, { after: ids[1] ?? "", take: 9 });

      assert.deepEqual(
        page.map(({ id }) => id),
        ids.slice(0, 2),
      );
      assert.deepEqual(
        rest.map(({ id }) => id),
        ids.slice(2),
      );
      assert.deepEqual(await stores.statistics.correctCosts(tenant, []), []);
    },
  },
];

const unpriced = (id: string, over: Partial<RunRecord> = {}): RunTally =>
  tally(
    runRecord(id, {
      status: "Completed",
      userId: "user-1",
      usage: { inputTokens: 7 },
      cost: { source: "Unknown" },
      ...over,
    }),
    { isUnpriced: true },
  );
