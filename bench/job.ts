/**
 * The inside of a job: a process of its own that measures one thing and prints one line of JSON.
 * Arguments: the job's own words; the environment says how long and where.
 */

import { writeSync } from "node:fs";

/** Begins the line that holds a job's result. */
export const RESULT_MARK = "@@";

/** Numbers by name, nested at will. */
export type Values = { readonly [name: string]: number | Values | undefined | null };

/** What a job is told by whoever started it. */
export const setting = {
  /** How long one scenario is measured, in milliseconds. */
  budgetMs: Number(process.env.BENCH_BUDGET_MS ?? 1_000),
  /** A folder of the job's own, removed after it. */
  folder: process.env.BENCH_FOLDER ?? "",
  /** A folder all jobs of the run see. */
  runFolder: process.env.BENCH_RUN_FOLDER ?? "",
  /** An empty PostgreSQL database, when the run has a server. */
  postgresUrl: process.env.BENCH_POSTGRES_URL ?? "",
  /** A PostgreSQL database all jobs of the run see. */
  runPostgresUrl: process.env.BENCH_RUN_POSTGRES_URL ?? "",
} as const;

/** Hands the result over and ends the process, whatever a subject left running. */
export function finish(values: Values): never {
  writeSync(1, `${RESULT_MARK}${JSON.stringify(values)}\n`);
  process.exit(0);
}

/** `{ a: { b: 1 } }` becomes `a.b` with 1. */
export function flat(values: Values, prefix = ""): ReadonlyMap<string, number> {
  const entries = new Map<string, number>();
  for (const [name, value] of Object.entries(values)) {
    // What is not a number has become `null` on the way.
    if (value === undefined || value === null) continue;
    if (typeof value === "number") entries.set(prefix + name, value);
    else for (const [inner, number] of flat(value, `${prefix}${name}.`)) entries.set(inner, number);
  }
  return entries;
}
