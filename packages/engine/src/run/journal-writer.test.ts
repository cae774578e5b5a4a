import { type JournalEntry, TraconError } from "@tracon/core";
import { memoryLog } from "@tracon/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { type JournalSource, JournalWriter } from "./journal-writer.ts";

it("writes what concurrent runs ask for in one commit", async () => {
  const { writer, commits } = journal();
  const runs = [source("a"), source("b"), source("c")];

  for (const run of runs) writer.request(run, true);
  await writer.idle();

  expect(commits).toEqual([["a", "b", "c"]]);
  expect(runs.map(({ outcomes }) => outcomes)).toEqual(Array(3).fill(["committed"]));
});

it("takes an entry just before its commit, so that it holds all that came meanwhile", async () => {
  const { writer, commits } = journal();
  const run = source("a");

  writer.request(run, true);
  writer.request(run, true);
  await writer.idle();

  expect(commits).toEqual([["a"]]);
});

it("has one commit under way at a time, and writes with the next what arrives meanwhile", async () => {
  const { writer, commits, hold } = journal();
  const release = hold();
  writer.request(source("a"), true);
  await commits.next();

  writer.request(source("b"), true);
  writer.request(source("c"), true);
  const during = commits.length;
  release();
  await writer.idle();

  expect(during).toBe(1);
  expect(commits).toEqual([["a"], ["b", "c"]]);
});

it("lets what nobody waits for wait for company of its own run or of its kind", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { writer, commits } = journal();
  const run = source("run");

  writer.request(run, false);
  writer.request(source("delta"), false);
  writer.request(source("another delta"), false);
  writer.request(run, true);
  await commits.next();
  vi.runAllTimers();
  await writer.idle();

  expect(commits).toEqual([["run"], ["delta", "another delta"]]);
});

it("writes a delta that nobody waits for", async () => {
  const { writer, commits } = journal();

  writer.request(source("delta"), false);
  await writer.idle();

  expect(commits).toEqual([["delta"]]);
});

it("writes a crowd in commits of at most 512 entries, losing none", async () => {
  const { writer, commits } = journal();
  const crowd = Array.from({ length: 1_100 }, (_, index) => source(`run-${index}`));

  for (const run of crowd) writer.request(run, true);
  await writer.idle();

  expect(commits.map((batch) => batch.length)).toEqual([512, 512, 76]);
  expect(crowd.every(({ outcomes }) => outcomes.length === 1)).toBe(true);
});

it("does not let one run's entry take the others with it", async () => {
  const { writer, commits, log } = journal((batch) => {
    if (batch.includes("bad")) throw new TraconError("internal", "no such run");
  });
  const [good, bad, better] = [source("good"), source("bad"), source("better")];

  for (const run of [good, bad, better]) writer.request(run, true);
  await writer.idle();

  expect([good, bad, better].map(({ outcomes }) => outcomes)).toEqual([
    ["committed"],
    ["refused"],
    ["committed"],
  ]);
  expect(commits).toEqual([["good", "bad", "better"], ["good"], ["bad"], ["better"]]);
  expect(log.entries).toMatchObject([{ level: "error", fields: { runId: "bad" } }]);
});

it("asks a store that does not answer once, not once for each run", async () => {
  const { writer, commits, log } = journal(() => {
    throw new TraconError("store_unavailable", "the database is gone");
  });
  const runs = [source("a"), source("b")];

  for (const run of runs) writer.request(run, true);
  await writer.idle();

  expect(commits).toEqual([["a", "b"]]);
  expect(runs.map(({ outcomes }) => outcomes)).toEqual([["refused"], ["refused"]]);
  expect(log.entries.map(({ fields }) => fields.runId)).toEqual(["a", "b"]);
});

it("commits nothing for a run that has nothing to write after all", async () => {
  const { writer, commits } = journal();
  const run = source("a", () => undefined);

  writer.request(run, true);
  await writer.idle();

  expect(commits).toEqual([]);
  expect(run.outcomes).toEqual([]);
});

it("goes on after a store that threw something without a text", async () => {
  const { writer, log } = journal((batch) => {
    if (batch.includes("a")) throw Object.create(null);
  });
  const next = source("b");

  writer.request(source("a"), true);
  await writer.idle();
  writer.request(next, true);
  await writer.idle();

  expect(next.outcomes).toEqual(["committed"]);
  expect(log.entries).toHaveLength(1);
});

it("is idle when nothing was ever asked for", async () => {
  const { writer } = journal();

  await expect(writer.idle()).resolves.toBeUndefined();
});

type Source = JournalSource & { readonly outcomes: string[] };

function source(runId: string, take = () => entryOf(runId) as JournalEntry | undefined): Source {
  const outcomes: string[] = [];
  return { take, settle: (outcome) => void outcomes.push(outcome), outcomes };
}

const entryOf = (runId: string): JournalEntry => ({
  tenantId: "default",
  runId,
});

class Commits extends Array<readonly string[]> {
  #seen: (() => void) | undefined;

  /** Resolves with the next commit. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#seen = resolve;
    });
  }

  add(batch: readonly string[]): void {
    this.push(batch);
    this.#seen?.();
  }
}

function journal(check: (batch: readonly string[]) => void = () => undefined) {
  const commits = new Commits();
  const log = memoryLog();
  let gate = Promise.resolve();
  const writer = new JournalWriter(
    {
      async commit(entries) {
        const batch = entries.map(({ runId }) => runId);
        commits.add(batch);
        await gate;
        check(batch);
        return { refusals: [] };
      },
    },
    log,
  );
  /** Keeps commits from ending until the returned function is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { writer, commits, log, hold };
}
