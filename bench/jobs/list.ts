/**
 * `list.ts STORE`: the newest 50 runs of 200 and of 100,000, through the store and through the
 * driver alone with the same columns; and the statistics of both, over the same day. All take turns,
 * so that noise meets all of them.
 */

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { RunStore, StatisticsStore } from "@tracon/core";
import { openStores } from "@tracon/store";
import { RECORD_COLUMNS } from "../../packages/store/src/run-row.ts";
import { finish, setting } from "../job.ts";
import { connectPostgres } from "../postgres-client.ts";
import { writeRuns } from "../servers/recorded-run.ts";
import { quantile } from "../statistics.ts";

const TENANT = "default";
const FEW = 200;
const MANY = 100_000;
const TAKE = 50;

const [store = ""] = process.argv.slice(2);

/** What the store asks of the database for an unfiltered list, but for costs that became known later. */
const RAW_SQL = `select ${RECORD_COLUMNS.join(", ")}, (select count(*) from tracon_runs child
    where child.tenant_id = run.tenant_id and child.parent_run_id = run.id) as child_run_count
  from tracon_runs run where run.tenant_id = $1 and run.parent_run_id is null
  order by run.id desc limit $2`;

type Work = () => Promise<{ readonly length: number }>;

type Opened = { readonly listed: Work; readonly counted: Work; readonly raw: Work };

async function open(runs: number): Promise<Opened> {
  const place = await placeOf(runs);
  const stores = await openStores(place.url);
  if (place.isEmpty) await writeRuns(stores.journal, runs);
  const counted = () => count(stores.statistics);
  return { listed: () => list(stores.runs), counted, raw: await place.raw() };
}

const list = (runs: RunStore) => runs.list(TENANT, {}, { skip: 0, take: TAKE });

/** A breakdown by the one agent there is. */
const count = async (statistics: StatisticsStore) =>
  (await statistics.statistics(TENANT, {}, { maxRows: TAKE })).byAgent;

/** A database of the whole benchmark: filling one with 100,000 runs takes longer than all of this. */
async function placeOf(runs: number) {
  if (store === "postgres") return postgresPlace(runs);
  const file = `${setting.runFolder}/list-${runs}.db`;
  return {
    url: `sqlite:${file}`,
    isEmpty: !existsSync(file),
    async raw(): Promise<Work> {
      const database = new DatabaseSync(file, { readOnly: true });
      const statement = database.prepare(RAW_SQL.replaceAll(/\$(\d)/g, "?$1"));
      return async () => statement.all(TENANT, TAKE);
    },
  };
}

async function postgresPlace(runs: number) {
  const name = `bench_list_${runs}`;
  const server = await connectPostgres(setting.runPostgresUrl);
  const found = await server.query(`select 1 from pg_database where datname = '${name}'`);
  const isEmpty = found.rows.length === 0;
  if (isEmpty) await server.query(`create database ${name}`);
  await server.end();
  const url = setting.runPostgresUrl.replace(/\/[^/]*$/, `/${name}`);
  return {
    url,
    isEmpty,
    async raw(): Promise<Work> {
      const client = await connectPostgres(url);
      if (isEmpty) await client.query("vacuum analyze");
      const query = { name: "list", text: RAW_SQL, values: [TENANT, TAKE] };
      return async () => (await client.query(query)).rows;
    },
  };
}

const few = await open(FEW);
const many = await open(MANY);
const works = {
  few: few.listed,
  many: many.listed,
  rawFew: few.raw,
  rawMany: many.raw,
  statisticsFew: few.counted,
  statisticsMany: many.counted,
};
type Name = keyof typeof works;
const names = Object.keys(works) as readonly Name[];
const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
  Name,
  number[]
>;
const warmUntil = performance.now() + setting.budgetMs;
const end = warmUntil + setting.budgetMs * 2;
while (performance.now() < end) {
  for (const name of names) {
    const start = performance.now();
    const rows = await works[name]();
    const us = (performance.now() - start) * 1_000;
    const expected = name.startsWith("statistics") ? 1 : TAKE;
    if (rows.length !== expected) throw new Error(`${name} answers ${rows.length} rows`);
    if (start > warmUntil) times[name].push(us);
  }
}

const summary = (name: Name) => {
  const sorted = times[name].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};
finish(Object.fromEntries(names.map((name) => [name, summary(name)])));
