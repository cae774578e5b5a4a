/** `commit.ts STORE`: a row of 1 KB a commit, on disk, through the driver alone. */

import { DatabaseSync } from "node:sqlite";
import { finish, setting } from "../job.ts";
import { latencyOf } from "../measure.ts";
import { connectPostgres } from "../postgres-client.ts";

const [store = ""] = process.argv.slice(2);
const PAYLOAD = "x".repeat(1_000);
const TABLE = `create table bench_commits (run_id text not null, sequence integer not null,
  type text not null, at bigint not null, data text not null, primary key (run_id, sequence))`;

let sequence = 0;
const row = (): [string, number, string, number, string] => {
  sequence += 1;
  return [`run-${Math.floor(sequence / 30)}`, sequence, "MessageDelta", Date.now(), PAYLOAD];
};

async function sqliteCommit(): Promise<() => Promise<void>> {
  const database = new DatabaseSync(`${setting.folder}/commits.db`);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(TABLE);
  const insert = database.prepare("insert into bench_commits values (?, ?, ?, ?, ?)");
  return async () => {
    insert.run(...row());
  };
}

async function postgresCommit(): Promise<() => Promise<void>> {
  const client = await connectPostgres(setting.postgresUrl);
  await client.query(TABLE);
  const text = "insert into bench_commits values ($1, $2, $3, $4, $5)";
  return async () => {
    await client.query({ name: "commit", text, values: row() });
  };
}

const commit = await (store === "postgres" ? postgresCommit() : sqliteCommit());

finish({ commit: await latencyOf(commit, setting.budgetMs) });
