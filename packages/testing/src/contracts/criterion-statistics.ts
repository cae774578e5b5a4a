import assert from "node:assert/strict";
import type { CriterionStatistics, CriterionTally, RunRecord, RunTally } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import {
  criterion,
  entry,
  newTenant,
  openRuns,
  runIds,
  runRecord,
  tally,
  writeEnded,
} from "./fixtures.ts";

/** More criteria than an hour counts apart. */
const CROWD = 1_050;

/** What `StatisticsStore.criteria` promises. */
export const criterionStatisticsContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...sumCases(subject),
  ...costCases(subject),
  ...boundCases(subject),
];

const sumCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "sums up what each criterion of an agent decided, the most evaluated first",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await write(stores, tenant, [
        [{}, marker({ continued: 2, stopped: 1, decisive: 2 }), judge({ stopped: 1 })],
        [{}, marker({ stopped: 1 }), judge({ continued: 1, failed: 1, decisive: 2 })],
        [{ agentName: "other" }, marker({ continued: 1, stopped: 9, decisive: 1 })],
      ]);

      const read = await all(stores, tenant);

      assert.deepEqual(read.map(inShort), [
        "other/0 completionMarker 1 runs: 1+9+0 of 10, 1 decisive",
        "support/0 completionMarker 2 runs: 2+2+0 of 4, 2 decisive",
        "support/1 aiJudge 2 runs: 1+1+1 of 3, 2 decisive",
      ]);
      assert.equal(read[1]?.decisiveRate, 0.5);
      assert.deepEqual(await all(stores, newTenant()), []);
    },
  },
  {
    name: "tells a criterion from another kind that stood in the same place",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await write(stores, tenant, [
        [{}, marker({ stopped: 2 })],
        [{}, judge({ position: 0, stopped: 1, kind: "has\u0000Citations" })],
      ]);

      assert.deepEqual(
        (await all(stores, tenant)).map(({ kind, position }) => [kind, position]),
        [
          ["completionMarker", 0],
          ["has\u0000Citations", 0],
        ],
      );
    },
  },
  {
    name: "sums up criteria of one agent, and of runs from the hour of a time on",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const at = (hour: number) => ({ startedAt: `2026-01-01T0${hour}:30:00.000Z` });
      await write(stores, tenant, [
        [at(1), marker({ stopped: 1 })],
        [at(2), marker({ stopped: 1 })],
        [{ ...at(3), agentName: "other" }, marker({ stopped: 1 })],
      ]);

      const runsOf = async (filter: Parameters<ContractStores["statistics"]["criteria"]>[1]) =>
        (await all(stores, tenant, filter)).map(({ agentName, runs }) => [agentName, runs]);

      assert.deepEqual(await runsOf({ agentName: "support" }), [["support", 2]]);
      assert.deepEqual(await runsOf({ agentName: "nobody" }), []);
      assert.deepEqual(await runsOf({ startedAfter: "2026-01-01T02:59:59.999Z" }), [
        ["other", 1],
        ["support", 1],
      ]);
      const both = { agentName: "support", startedAfter: "2026-01-01T03:00:00.000Z" };
      assert.deepEqual(await runsOf(both), []);
    },
  },
  {
    name: "counts criteria with the end of a run alone, and those of agent runs alone",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [goesOn = ""] = runIds(1);
      await openRuns(stores, tenant, [runRecord(goesOn)]);

      assert.deepEqual(await all(stores, tenant), []);
      const ended = tally(runRecord(goesOn, { status: "Failed" }), {
        criteria: [marker({ failed: 1, decisive: 1 })],
      });
      const changed = { status: "Failed", eventCount: 0 } as const;
      await stores.journal.commit([entry(tenant, goesOn, { changed, tally: ended })]);
      const once = await all(stores, tenant);
      const again = { changed, tally: ended };
      await assert.rejects(stores.journal.commit([entry(tenant, goesOn, again)]));

      assert.deepEqual(once.map(inShort), [
        "support/0 completionMarker 1 runs: 0+0+1 of 1, 1 decisive",
      ]);
      assert.deepEqual(await all(stores, tenant), once);
      const evaluations = newTenant();
      await write(stores, evaluations, [[{ kind: "Eval" }, marker({ stopped: 1 })]]);
      assert.deepEqual(await all(stores, evaluations), []);
    },
  },
];

const costCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "sums up judge calls, reviewer runs and tokens, and measures nothing as absent",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const usage = { inputTokens: 5, outputTokens: 0 };
      await write(stores, tenant, [
        [{}, judge({ stopped: 1, judgeCalls: 1, usage, costs: [dollars(0.5)] })],
        [{}, judge({ stopped: 1, judgeCalls: 2, usage, costs: [dollars(0.25)], unpricedCalls: 1 })],
        [{}, judge({ stopped: 1, judgeCalls: 1, unpricedCalls: 1 })],
        [{}, review({ continued: 1, stopped: 1, decisive: 1, reviewerRuns: 2 })],
      ]);

      const [judged, reviewed] = await all(stores, tenant);

      assert.deepEqual(judged, {
        ...{ agentName: "support", kind: "aiJudge", position: 1, runs: 3 },
        ...{ evaluations: 3, continued: 0, stopped: 3, failed: 0, decisive: 0, decisiveRate: 0 },
        ...{ reviewerRuns: 0, judgeCalls: 4, inputTokens: 10, outputTokens: 0 },
        ...{ totalCost: 0.75, currency: "USD", costs: [dollars(0.75)], unpricedCalls: 2 },
      });
      assert.deepEqual(reviewed, {
        ...{ agentName: "support", kind: "agentReview", position: 2, runs: 1 },
        ...{ evaluations: 2, continued: 1, stopped: 1, failed: 0, decisive: 1, decisiveRate: 0.5 },
        ...{ reviewerRuns: 2, judgeCalls: 0, costs: [], unpricedCalls: 0 },
      });
    },
  },
  {
    name: "adds no two currencies of judges, and counts what they decided once",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const euros = { currency: "EUR", totalCost: 2 };
      await write(stores, tenant, [
        [{}, judge({ stopped: 1, judgeCalls: 2, costs: [dollars(1), euros] })],
        [{}, judge({ stopped: 1, judgeCalls: 1, costs: [euros] })],
        [{}, judge({ stopped: 1 })],
      ]);

      const [judged, ...others] = await all(stores, tenant);

      assert.deepEqual(others, []);
      assert.deepEqual(judged?.costs, [{ currency: "EUR", totalCost: 4 }, dollars(1)]);
      assert.deepEqual([judged?.totalCost, judged?.currency], [undefined, undefined]);
      assert.deepEqual([judged?.runs, judged?.evaluations, judged?.judgeCalls], [3, 3, 3]);
    },
  },
  {
    name: "knows of a judge that was asked and never decided",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await write(stores, tenant, [[{ status: "Canceled" }, judge({ judgeCalls: 1 })]]);

      const [judged] = await all(stores, tenant);

      assert.deepEqual([judged?.evaluations, judged?.judgeCalls], [0, 1]);
      assert.equal(judged !== undefined && "decisiveRate" in judged, false);
    },
  },
];

const boundCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "answers with as many criteria as are asked for, none of them in part",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const euros = { currency: "EUR", totalCost: 2 };
      await write(stores, tenant, [
        [{ agentName: "a" }, judge({ stopped: 3, costs: [dollars(1), euros] })],
        [{ agentName: "b" }, judge({ stopped: 2, costs: [dollars(1), euros] })],
        [{ agentName: "c" }, judge({ stopped: 1, costs: [dollars(1), euros] })],
      ]);

      const read = await all(stores, tenant, {}, 2);

      assert.deepEqual(
        read.map(({ agentName, costs }) => [agentName, costs.length]),
        [
          ["a", 2],
          ["b", 2],
        ],
      );
      assert.deepEqual(await all(stores, tenant, {}, 0), []);
    },
  },
  {
    name: "counts criteria that are too many for an hour together, and loses none",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const agents = Array.from({ length: CROWD }, (_, index) => `agent-${index}`);
      await write(
        stores,
        tenant,
        agents.map((agentName) => [{ agentName }, marker({ stopped: 1 })]),
      );

      const read = await all(stores, tenant, {}, CROWD);

      const [other] = read;
      assert.equal(
        read.reduce((sum, { evaluations }) => sum + evaluations, 0),
        CROWD,
      );
      assert.deepEqual(
        [other?.isOther, other?.agentName, other?.kind, other?.position],
        [true, "other", "completionMarker", undefined],
      );
    },
  },
];

const counted = (over: Partial<CriterionTally>): CriterionTally =>
  criterion({ stopped: 0, judgeCalls: 0, costs: [], ...over });

const judge = counted;
const marker = (over: Partial<CriterionTally>) =>
  counted({ kind: "completionMarker", position: 0, ...over });
const review = (over: Partial<CriterionTally>) =>
  counted({ kind: "agentReview", position: 2, ...over });
const dollars = (totalCost: number) => ({ currency: "USD", totalCost });

const write = (
  stores: ContractStores,
  tenant: string,
  runs: readonly (readonly [Partial<RunRecord>, ...CriterionTally[]])[],
): Promise<void> => {
  const ids = runIds(runs.length);
  const tallies = runs.map(([over, ...criteria], index): RunTally => {
    const record = runRecord(ids[index] ?? "", { status: "Completed", ...over });
    return tally(record, { criteria });
  });
  return writeEnded(stores, tenant, tallies);
};

const all = (
  { statistics }: ContractStores,
  tenant: string,
  filter: Parameters<ContractStores["statistics"]["criteria"]>[1] = {},
  maxRows = 200,
): Promise<readonly CriterionStatistics[]> => statistics.criteria(tenant, filter, { maxRows });

const inShort = (it: CriterionStatistics): string =>
  `${it.agentName}/${it.position} ${it.kind} ${it.runs} runs: ${it.continued}+${it.stopped}+${it.failed} of ${it.evaluations}, ${it.decisive} decisive`;
