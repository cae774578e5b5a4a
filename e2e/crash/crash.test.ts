/**
 * kill -9 at random moments under load: nothing a client was told is lost, nothing happens that was
 * not announced on disk before. `TRACON_CRASH_ROUNDS` sets the number of kills on each store, and
 * `TRACON_CRASH_SEED` the moments: `TRACON_CRASH_ROUNDS=200 npm test -- e2e/crash`.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeMatrix } from "@tracon/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../kit/random.ts";
import { faultsAfter } from "./after-crashes.ts";
import { type BundledChild, bundleChild, processSource } from "./crash-processes.ts";
import { crashRounds } from "./crash-rounds.ts";
import { postgresReader, sqliteReader } from "./stored-runs.ts";

const ROUNDS = Number(process.env.TRACON_CRASH_ROUNDS ?? 20);
const SEED = Number(process.env.TRACON_CRASH_SEED ?? Date.now() % 1_000_000);
/** One fault shows up in every run it touches. */
const MOST_SHOWN = 5;
/** Generous: on a machine with nothing else to do a round takes a quarter of a second. */
const ROUND_TIMEOUT_MS = 5_000;

let folder: string;
let child: BundledChild;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tracon-crash-"));
  child = await bundleChild();
});
afterAll(() => {
  child.remove();
  rmSync(folder, { recursive: true });
});

const persistent = storeMatrix().filter(({ engine }) => engine !== "memory");

it.for(persistent)(
  `loses nothing on $engine in ${ROUNDS} kills (seed ${SEED})`,
  {
    timeout: 30_000 + ROUNDS * ROUND_TIMEOUT_MS,
  },
  async ({ engine, newUrl }, { annotate }) => {
    const storage = await newUrl();
    const processes = processSource(child.file, join(folder, "compiled"));
    const reader =
      engine === "postgres"
        ? await postgresReader(storage)
        : sqliteReader(storage.slice("sqlite:".length));
    const ledger = join(folder, `${engine}.ledger`);
    const trial = { processes, reader, storage, ledger, random: seededRandom(SEED) };

    const { violations, left, ...tally } = await crashRounds(trial, ROUNDS);
    const faults = await faultsAfter(processes, { storage, ledger }, left);
    await processes.close();
    await reader.close();

    await annotate(JSON.stringify({ ...tally, violations: violations.length }));
    expect(violations.slice(0, MOST_SHOWN)).toEqual([]);
    expect(faults.slice(0, MOST_SHOWN)).toEqual([]);
    // Kills that hit nothing would show nothing.
    expect(tally.cutOff).toBeGreaterThan(ROUNDS / 2);
    expect(tally.childrenCutOff).toBeGreaterThan(0);
    expect(tally.callersCutOff).toBeGreaterThan(0);
    expect(tally.iterations).toBeGreaterThan(0);
    expect(tally.ended).toBeGreaterThan(0);
    expect(tally.eventsSeen).toBeGreaterThan(ROUNDS);
    expect(tally.toolBodies).toBeGreaterThan(ROUNDS / 2);
    expect(tally.versionsSaved).toBeGreaterThan(0);
  },
);
