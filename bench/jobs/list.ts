/**
 * `list.ts STORE`: the newest 50 runs of 200 and of 100,000, through the store and through the
 * driver alone with the same columns. The four take turns, so that noise meets all of them.
 */

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { RunStore } from "@tracon/core";
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

/** What the store asks of the database for an unfiltered list. */
const RAW_SQL = `select ${RECORD_COLUMNS.join(", ")}, (select count(*) from tracon_runs child
    where child.tenant_id = run.tenant_id and child.parent_run_id = run.id) as child_run_count
  from tracon_runs run where run.tenant_id = $1 and run.parent_run_id is null
  order by run.id desc limit $2`;

type Work = () => Promise<{ readonly length: number }>;

async function open(runs: number): Promise<{ readonly listed: Work; readonly raw: Work }> {
  const place = await placeOf(runs);
  const stores = await openStores(place.url);
  if (place.isEmpty) await writeRuns(stores.journal, runs);
  return { listed: () => list(stores.runs), raw: await place.raw() };
}

const list = (runs: RunStore) => runs.list(TENANT, {}, { skip: 0, take: TAKE });

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
const works = { few: few.listed, many: many.listed, rawFew: few.raw, rawMany: many.raw };
const times: Record<keyof typeof works, number[]> = { few: [], many: [], rawFew: [], rawMany: [] };
const warmUntil = performance.now() + setting.budgetMs;
const end = warmUntil + setting.budgetMs * 2;
while (performance.now() < end) {
  for (const [name, work] of Object.entries(works)) {
    const start = performance.now();
    const rows = await work();
    const us = (performance.now() - start) * 1_000;
    if (rows.length !== TAKE) throw new Error(`${name} lists ${rows.length} runs`);
    if (start > warmUntil) times[name as keyof typeof works].push(us);
  }
}

const summary = (name: keyof typeof works) => {
  const sorted = times[name].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};
finish({
  few: summary("few"),
  many: summary("many"),
  rawFew: summary("rawFew"),
  rawMany: summary("rawMany"),
});
