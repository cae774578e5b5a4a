/** Runs one job in a fresh process of the repository's own Node. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PostgresServer } from "@tracon/testing";
import { flat, RESULT_MARK, type Values } from "./job.ts";
import type { Job } from "./plan.ts";

export type JobPlace = {
  readonly runFolder: string;
  readonly budgetMs: number;
  readonly postgres: PostgresServer | undefined;
  /** A database that all jobs of the run see. */
  readonly runPostgresUrl: string | undefined;
};

/** What a job measured, or why it did not. */
export type Outcome =
  | { readonly ok: true; readonly values: Readonly<Record<string, number>> }
  | { readonly ok: false; readonly error: string };

const TIME_LIMIT_MS = 180_000;
const ERROR_LENGTH = 600;
/** What of our own environment would change what is measured. */
const HIDDEN = /^(DATABASE_URL$|TRACON_|NODE_OPTIONS$)/;

export async function runJob(job: Job, place: JobPlace): Promise<Outcome> {
  const { runFolder, budgetMs, postgres, runPostgresUrl = "" } = place;
  const folder = mkdtempSync(`${runFolder}/job-`);
  const url = job.needs.has("postgres") ? await postgres?.createDatabase() : undefined;
  try {
    return await spawned(job, {
      BENCH_BUDGET_MS: String(budgetMs),
      BENCH_FOLDER: folder,
      BENCH_RUN_FOLDER: runFolder,
      BENCH_POSTGRES_URL: url ?? "",
      BENCH_RUN_POSTGRES_URL: runPostgresUrl,
      NODE_ENV: "production",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawned(job: Job, env: Readonly<Record<string, string>>): Promise<Outcome> {
  const file = fileURLToPath(new URL(job.file, import.meta.url));
  const visible = Object.entries(process.env).filter(([name]) => !HIDDEN.test(name));
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--conditions=@tracon/source", file, ...job.args],
    { env: { ...Object.fromEntries(visible), ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-ERROR_LENGTH);
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), TIME_LIMIT_MS);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(limit);
      const line = output.split("\n").find((it) => it.startsWith(RESULT_MARK));
      if (line === undefined) resolve({ ok: false, error: `exit ${code}: ${complaint}` });
      else resolve({ ok: true, values: valuesOf(line.slice(RESULT_MARK.length)) });
    });
  });
}

const valuesOf = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(flat(JSON.parse(text) as Values));
