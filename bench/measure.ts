/** Times work inside a job's process. CPU is of the whole process: every thread and the collector. */

import { quantile } from "./statistics.ts";

/** Times are microseconds. */
export type Latency = {
  readonly samples: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly cpuUs: number;
};

export type Rate = {
  readonly runsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuUs: number;
};

type Work = () => Promise<unknown>;

/** User and system time of the process so far, in microseconds. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** How often works that are compared take turns. */
const TURNS = 5;

/** One call after the other for `budgetMs`, after a warm-up of half of it. */
export async function latencyOf(work: Work, budgetMs: number): Promise<Latency> {
  const { work: latency } = await latenciesOf({ work }, budgetMs);
  return latency;
}

/** The same for each of several works, which take turns so that what changes meets all of them. */
export async function latenciesOf<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  budgetMs: number,
): Promise<Readonly<Record<Name, Latency>>> {
  const measured = Object.entries<Work>(works).map(([name, work]) => ({
    name,
    work,
    times: [] as number[],
    cpuUs: 0,
  }));
  for (const { work } of measured) await repeat(work, budgetMs / 2);
  globalThis.gc?.();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const it of measured) {
      const cpu = cpuNow();
      for (const time of await repeat(it.work, budgetMs / TURNS)) it.times.push(time);
      it.cpuUs += cpuNow() - cpu;
    }
  }
  const entries = measured.map(({ name, times, cpuUs }) => [name, latencyFrom(times, cpuUs)]);
  return Object.fromEntries(entries) as Record<Name, Latency>;
}

function latencyFrom(times: number[], cpuUs: number): Latency {
  times.sort((a, b) => a - b);
  return {
    samples: times.length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    cpuUs: cpuUs / times.length,
  };
}

/** At least once. */
async function repeat(work: Work, budgetMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  while (times.length === 0 || performance.now() < end) {
    const start = performance.now();
    await work();
    times.push((performance.now() - start) * 1_000);
  }
  return times;
}

/** `inFlight` calls at any time for `budgetMs`, after a warm-up of the same kind. */
export async function rateOf(work: Work, inFlight: number, budgetMs: number): Promise<Rate> {
  await crowd(work, inFlight, budgetMs);
  globalThis.gc?.();
  const measured = { work, times: [] as number[], cpuUs: 0, seconds: 0 };
  await measureCrowd(measured, inFlight, budgetMs);
  return rateFrom(measured);
}

/** The same for each of several works, which take turns so that what changes meets all of them. */
export async function ratesOf<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  inFlight: number,
  budgetMs: number,
): Promise<Readonly<Record<Name, Rate>>> {
  const measured = Object.entries<Work>(works).map(([name, work]) => ({
    ...{ name, work, cpuUs: 0, seconds: 0 },
    times: [] as number[],
  }));
  for (const { work } of measured) await crowd(work, inFlight, budgetMs / 2);
  globalThis.gc?.();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const it of measured) await measureCrowd(it, inFlight, budgetMs / TURNS);
  }
  return Object.fromEntries(measured.map((it) => [it.name, rateFrom(it)])) as Record<Name, Rate>;
}

type MeasuredCrowd = {
  readonly work: Work;
  readonly times: number[];
  cpuUs: number;
  seconds: number;
};

async function measureCrowd(it: MeasuredCrowd, inFlight: number, budgetMs: number): Promise<void> {
  const cpu = cpuNow();
  const start = performance.now();
  it.times.push(...(await crowd(it.work, inFlight, budgetMs)));
  it.seconds += (performance.now() - start) / 1_000;
  it.cpuUs += cpuNow() - cpu;
}

function rateFrom({ times, cpuUs, seconds }: MeasuredCrowd): Rate {
  times.sort((a, b) => a - b);
  return {
    runsPerSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpuUs: cpuUs / times.length,
  };
}

async function crowd(work: Work, inFlight: number, budgetMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  const member = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      await work();
      times.push((performance.now() - start) * 1_000);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, member));
  return times;
}

/** Calls of something quick that are timed together. */
const BATCH = 2_000;

/** Nanoseconds of one call of something quick, as the median of batches. */
export function nanosecondsOf(work: (index: number) => void, budgetMs: number): number {
  const times: number[] = [];
  for (let index = 0; index < BATCH * 20; index++) work(index);
  const end = performance.now() + budgetMs;
  while (performance.now() < end) {
    const start = performance.now();
    for (let index = 0; index < BATCH; index++) work(index);
    times.push(((performance.now() - start) * 1e6) / BATCH);
  }
  return medianOf(times);
}

/** The same of something that is waited for, one call after the other. */
export async function nanosecondsOfWaiting(
  work: (index: number) => Promise<void>,
  budgetMs: number,
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < BATCH * 20; index++) await work(index);
  const end = performance.now() + budgetMs;
  while (performance.now() < end) {
    const start = performance.now();
    for (let index = 0; index < BATCH; index++) await work(index);
    times.push(((performance.now() - start) * 1e6) / BATCH);
  }
  return medianOf(times);
}

const medianOf = (times: number[]): number =>
  quantile(
    times.sort((a, b) => a - b),
    0.5,
  );
