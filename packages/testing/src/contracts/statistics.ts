import assert from "node:assert/strict";
import type {
  RunStatistics,
  RunTally,
  StatisticsFilter,
  TimeSeriesPoint,
  TimeSeriesQuery,
} from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import {
  newTenant,
  openRuns,
  runIds,
  runRecord,
  STARTED_AT,
  tally,
  writeEnded,
} from "./fixtures.ts";
import { foldStatistics, foldTimeSeries } from "./statistics-fold.ts";
import { randomTallies } from "./statistics-runs.ts";

/** Runs of the random cases; their batches end many runs of one key at once. */
const RUNS = 400;
const MAX_ROWS = 200;
/** More users than an hour counts apart. */
const CROWD = 1_100;

/** What `StatisticsStore` promises. */
export const statisticsContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...foldCases(subject),
  ...countingCases(subject),
  ...errorCases(subject),
];

const filters: readonly StatisticsFilter[] = [
  {},
  { agentName: "agent-1" },
  { userId: "user-2" },
  { label: { key: "team" } },
  { label: { key: "team", value: "north" } },
  { agentName: "agent-0", label: { key: "channel", value: "mail" } },
  { startedAfter: "2026-01-01T20:59:00.000Z" },
  { agentName: "nobody" },
];

const series: readonly Omit<TimeSeriesQuery, "kind">[] = [
  { from: "2026-01-01T00:30:00.000Z", to: "2026-01-03T00:00:00.000Z", bucket: "Hour" },
  { from: "2025-12-30T05:00:00.000Z", to: "2026-01-04T00:00:00.001Z", bucket: "Day" },
  {
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-01-02T12:30:00.000Z",
    bucket: "Hour",
    agentName: "agent-1",
    modelId: "model-0",
  },
];

const foldCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "counts random runs as a look at each of them would",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const tallies = randomTallies(RUNS, 17);
      await writeEnded(stores, tenant, tallies);
      await writeEnded(stores, newTenant(), randomTallies(20, 18));

      for (const filter of filters) {
        const counted = await stores.statistics.statistics(tenant, filter, { maxRows: MAX_ROWS });
        assert.deepEqual(
          comparable(counted),
          foldStatistics(tallies, filter),
          JSON.stringify(filter),
        );
      }
    },
  },
  {
    name: "counts random runs by the hour and the day, those of no run too",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const tallies = randomTallies(RUNS, 19);
      await writeEnded(stores, tenant, tallies);

      for (const range of series) {
        for (const kind of ["Agent", "Workflow"] as const) {
          const points = await stores.statistics.timeSeries(tenant, { ...range, kind });
          assert.deepEqual(
            points.map(rounded),
            foldTimeSeries(tallies, { ...range, kind }).map(rounded),
            JSON.stringify(range),
          );
        }
      }
    },
  },
];

const countingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "counts nothing as nothing, and nothing measured as absent",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const before = await stores.statistics.statistics(tenant, {}, { maxRows: 5 });
      const [id = ""] = runIds(1);

      await writeEnded(stores, tenant, [tally(runRecord(id, { status: "Canceled" }))]);

      const after = await stores.statistics.statistics(tenant, {}, { maxRows: 5 });
      assert.equal(before.totalTokens, 0);
      assert.equal(before.totalCost, undefined);
      assert.deepEqual(before.costs, []);
      assert.equal(before.errorRate, undefined);
      assert.deepEqual([after.canceledRuns, after.errorRate, after.totalTokens], [1, 0, undefined]);
    },
  },
  {
    name: "counts runs that go on apart, and each filter counts them too",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [queued = "", running = "", ended = "", evaluation = ""] = runIds(4);
      const labels = { team: "north" };
      await openRuns(stores, tenant, [
        runRecord(queued, { status: "Queued" }),
        runRecord(running, { userId: "user-1", labels }),
        runRecord(evaluation, { kind: "Eval" }),
      ]);
      await writeEnded(stores, tenant, [tally(runRecord(ended, { status: "Completed" }))]);

      const runningOf = async (filter: StatisticsFilter) => {
        const { runningRuns, totalRuns } = await stores.statistics.statistics(tenant, filter, {
          maxRows: 5,
        });
        return [runningRuns, totalRuns];
      };

      assert.deepEqual(await runningOf({}), [2, 3]);
      assert.deepEqual(await runningOf({ userId: "user-1" }), [1, 1]);
      assert.deepEqual(await runningOf({ label: { key: "team", value: "north" } }), [1, 1]);
      assert.deepEqual(await runningOf({ label: { key: "team", value: "south" } }), [0, 0]);
      assert.deepEqual(await runningOf({ startedAfter: "2026-01-01T01:00:00.000Z" }), [0, 0]);
    },
  },
  {
    name: "adds no two currencies, and says what is known of each",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const costs = [
        [1.5, "USD"],
        [2, "EUR"],
        [0.25, "USD"],
      ] as const;
      const ids = runIds(costs.length);
      await writeEnded(
        stores,
        tenant,
        costs.map(([totalCost, currency], index) =>
          tally(
            runRecord(ids[index] ?? "", {
              status: "Completed",
              userId: currency === "EUR" ? "in-euro" : "in-dollars",
              cost: { source: "Catalog", totalCost, currency },
            }),
          ),
        ),
      );

      const counted = await stores.statistics.statistics(tenant, {}, { maxRows: 5 });

      assert.equal(counted.totalCost, undefined);
      assert.deepEqual(counted.costs, [
        { currency: "EUR", totalCost: 2 },
        { currency: "USD", totalCost: 1.75 },
      ]);
      assert.deepEqual(
        counted.byUser.map(({ userId, totalCost, currency }) => [userId, totalCost, currency]),
        [
          ["in-dollars", 1.75, "USD"],
          ["in-euro", 2, "EUR"],
        ],
      );
    },
  },
  {
    name: "counts users that are too many for an hour together, and loses no run",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(CROWD);
      const crowd = ids.map((id, index) =>
        tally(runRecord(id, { status: "Completed", userId: `user-${index}` })),
      );
      await writeEnded(stores, tenant, crowd);

      const counted = await stores.statistics.statistics(tenant, {}, { maxRows: CROWD });

      assert.equal(counted.totalRuns, CROWD);
      assert.equal(
        counted.byUser.reduce((sum, { totalRuns }) => sum + totalRuns, 0),
        CROWD,
      );
      const [other] = counted.byUser;
      assert.equal(other?.isOther, true);
      assert.equal(counted.byUser.length, CROWD - (other?.totalRuns ?? 0) + 1);
      assert.deepEqual(
        counted.byAgent.map(({ agentName, totalRuns }) => [agentName, totalRuns]),
        [["support", CROWD]],
      );
    },
  },
  {
    name: "answers with as many rows as are asked for, the largest first",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const names = ["b", "a", "c", "c", "c", "b"];
      const ids = runIds(names.length);
      await writeEnded(
        stores,
        tenant,
        names.map((agentName, index) =>
          tally(runRecord(ids[index] ?? "", { agentName, status: "Completed" })),
        ),
      );

      const { byAgent } = await stores.statistics.statistics(tenant, {}, { maxRows: 2 });

      assert.deepEqual(
        byAgent.map(({ agentName, totalRuns }) => [agentName, totalRuns]),
        [
          ["c", 3],
          ["b", 2],
        ],
      );
    },
  },
];

const failure = (id: string, fingerprint: string, minute: number): RunTally =>
  tally(
    runRecord(id, {
      status: "Failed",
      completedAt: `2026-01-01T0${minute % 3}:0${minute}:00.000Z`,
      startedAt: `2026-01-01T0${minute % 3}:00:00.000Z`,
      error: { type: "t", class: "ToolError", fingerprint, message: `${fingerprint} ${minute}` },
    }),
  );

const errorCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "shows the three most frequent failures of each error class, with the last of each",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const fingerprints = ["a", "b", "b", "c", "c", "c", "d", "d", "d"];
      const ids = runIds(fingerprints.length + 1);
      const last = ids.at(-1) ?? "";
      await writeEnded(stores, tenant, [
        ...fingerprints.map((fingerprint, index) => failure(ids[index] ?? "", fingerprint, index)),
        tally(runRecord(last, { status: "Failed", error: { type: "odd", message: "no class" } })),
      ]);

      const since = { startedAfter: STARTED_AT };
      const [tools, unknown] = await stores.statistics.errors(tenant, since);

      assert.deepEqual([tools?.class, tools?.totalRuns], ["ToolError", fingerprints.length]);
      assert.deepEqual(tools?.topClusters, [
        cluster("c", 3, ids[5], 5),
        cluster("d", 3, ids[8], 8),
        cluster("b", 2, ids[2], 2),
      ]);
      assert.deepEqual([unknown?.class, unknown?.topClusters[0]?.fingerprint], ["Unknown", "odd"]);
      const later = { startedAfter: "2026-01-01T02:30:00.000Z" };
      const [recent] = await stores.statistics.errors(tenant, later);
      assert.equal(recent?.totalRuns, 3);
      assert.deepEqual(await stores.statistics.errors(newTenant(), since), []);
    },
  },
];

const cluster = (
  fingerprint: string,
  count: number,
  sampleRunId: string | undefined,
  at: number,
) => ({
  fingerprint,
  count,
  sampleMessage: `${fingerprint} ${at}`,
  sampleRunId,
  lastSeenAt: `2026-01-01T0${at % 3}:0${at}:00.000Z`,
});

const rounded = (point: TimeSeriesPoint): TimeSeriesPoint =>
  point.cost === undefined ? point : { ...point, cost: Number(point.cost.toFixed(9)) };

/** Without what the fold does not say, with breakdowns in the order of their names. */
function comparable(statistics: RunStatistics) {
  const { runningRuns: _, costs: __, byErrorClass: ___, ...rest } = statistics;
  const members = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(rounded9).sort(byName) : value,
  ]);
  return rounded9(Object.fromEntries(members));
}

function rounded9(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { totalCost } = row;
  return typeof totalCost === "number" ? { ...row, totalCost: Number(totalCost.toFixed(9)) } : row;
}

const NAMES = ["agentName", "version", "modelId", "modelProvider", "userId", "key", "value"];

function byName(left: Record<string, unknown>, right: Record<string, unknown>): number {
  return nameOf(left) < nameOf(right) ? -1 : 1;
}

const nameOf = (row: Record<string, unknown>): string =>
  JSON.stringify(
    Object.fromEntries(NAMES.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
  );
