/**
 * `npm run bench`: the product, its peers and the references in one interleaved run.
 *
 * Every job is a process of its own; a round runs all of them once, and each round begins with
 * another, so that what the machine does meanwhile meets everybody. Gates are judged by ratios of
 * one round.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type PostgresServer, startPostgres } from "@tracon/testing";
import { gates, judge } from "./gates.ts";
import { installPeers, peerVersions } from "./peers.ts";
import { groups, type Job, plan } from "./plan.ts";
import { publish } from "./publish.ts";
import { gateLines, gateTable, valueTables } from "./report.ts";
import { type JobPlace, runJob } from "./run-job.ts";
import type { Samples } from "./samples.ts";
import { spreadOf } from "./statistics.ts";

const USAGE = `npm run bench -- [options]

  --only GROUPS    of ${groups.join(",")} (default: all)
  --match REGEXP   only jobs whose name matches
  --rounds N       default 3
  --budget MS      for one scenario of a job, default 1000
  --out FILE       default bench/results/latest.json
  --publish        keep the run as bench/results/<date>.json and in bench/README.md
`;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: groups.join(",") },
    match: { type: "string", default: "." },
    rounds: { type: "string", default: "3" },
    budget: { type: "string", default: "1000" },
    out: { type: "string", default: "bench/results/latest.json" },
    publish: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** How far a round begins from where the one before it began. */
const ROTATION = 5;

async function main(): Promise<void> {
  const runFolder = mkdtempSync(`${tmpdir()}/tracon-bench-`);
  let postgres: PostgresServer | undefined;
  try {
    const jobs = await available(chosenJobs());
    if (jobs.some(({ needs }) => needs.has("postgres"))) postgres = await startPostgres();
    const startedAt = new Date().toISOString();
    const samples = await measure(jobs, {
      runFolder,
      budgetMs: Number(options.budget),
      postgres,
      runPostgresUrl: await postgres?.createDatabase(),
    });
    conclude(samples, startedAt);
  } finally {
    await postgres?.stop();
    rmSync(runFolder, { recursive: true, force: true });
  }
}

function chosenJobs(): readonly Job[] {
  const wanted = new Set(options.only.split(","));
  const pattern = new RegExp(options.match);
  return plan.filter(({ group, name }) => wanted.has(group) && pattern.test(name));
}

/** Leaves out what this machine cannot run, and says so. */
async function available(jobs: readonly Job[]): Promise<readonly Job[]> {
  const needsPeers = jobs.some(({ needs }) => needs.has("peers"));
  if (!needsPeers || (await installPeers(say))) return jobs;
  say("the frameworks could not be installed: they are left out");
  return jobs.filter(({ needs }) => !needs.has("peers"));
}

async function measure(jobs: readonly Job[], place: JobPlace): Promise<Samples> {
  const rounds = Number(options.rounds);
  const samples: Record<string, (Readonly<Record<string, number>> | undefined)[]> =
    Object.fromEntries(jobs.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < jobs.length; index++) {
      const job = jobs[(index + round * ROTATION) % jobs.length];
      if (job === undefined) continue;
      const load = loadavg()[0] ?? 0;
      const start = performance.now();
      const outcome = await runJob(job, place);
      samples[job.name]?.push(outcome.ok ? { ...outcome.values, load } : undefined);
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      const failure = outcome.ok ? "" : `  FAILED ${outcome.error}`;
      say(
        `${round + 1}/${rounds}  ${job.name.padEnd(30)} ${seconds} s, load ${load.toFixed(1)}${failure}`,
      );
    }
  }
  return samples;
}

function conclude(samples: Samples, startedAt: string): void {
  const measuredGroups = new Set(Object.keys(samples).map((name) => name.split("/")[0]));
  const verdicts = judge(
    samples,
    gates.filter(({ group }) => measuredGroups.has(group)),
  );
  const tables = `### Gates\n\n${gateTable(verdicts)}\n\n${valueTables(samples)}`;
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
  const endedAt = new Date().toISOString();
  const { rounds, budget } = options;
  const load = spreadOf(
    Object.values(samples).flatMap((it) => it.map((round) => round?.load ?? Number.NaN)),
  );
  const result = { startedAt, endedAt, machine, load, rounds, budget, peers: peerVersions() };
  mkdirSync(new URL("./results", import.meta.url), { recursive: true });
  const all = { ...result, verdicts: verdicts.map(verdictOf), samples };
  const json = `${JSON.stringify(all, undefined, 2)}\n`;
  writeFileSync(options.out, json);
  if (options.publish) publish(result, json, tables);
  say(`\n${tables}\n\n${gateLines(verdicts).join("\n")}\n`);
  const missed = verdicts.filter(({ passes }) => passes === false).length;
  say(`${verdicts.length - missed} of ${verdicts.length} gates kept; written to ${options.out}`);
}

const verdictOf = ({ gate, measured, passes }: ReturnType<typeof judge>[number]) => ({
  title: gate.title,
  bound: gate.bound,
  limit: gate.limit,
  unit: gate.unit,
  measured,
  passes,
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (options.help) process.stdout.write(USAGE);
else await main();
