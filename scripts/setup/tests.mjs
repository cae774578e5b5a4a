import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";
import { runNode } from "./source.mjs";

/** @typedef {{ readonly passed: number, readonly failed: number }} Tally */

/**
 * Runs tests and counts them. vitest's own exit code is part of the count: whatever it calls a
 * failure is at least one.
 *
 * @param {readonly string[]} args of `vitest run`
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<Tally>}
 */
export async function runTests(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tracon-tally-"));
  const file = join(folder, "tally.json");
  const reporters = [
    "--reporter=default",
    `--reporter=${inRepository("scripts/tally-reporter.mjs")}`,
  ];
  const vitest = inRepository("node_modules/vitest/vitest.mjs");

  try {
    const code = await runNode([vitest, "run", ...reporters, ...args], {
      ...env,
      TRACON_TALLY: file,
    });
    const tally = readTally(file);
    return code === 0 ? tally : { ...tally, failed: Math.max(tally.failed, 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * No file means that vitest did not come to its end, which its exit code says too.
 *
 * @param {string} file
 * @returns {Tally}
 */
function readTally(file) {
  try {
    return /** @type {Tally} */ (JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { passed: 0, failed: 1 };
    }
    throw error;
  }
}

/**
 * Prints the last line of a run and gives its exit code. Continuous integration reads the line.
 *
 * @param {readonly Tally[]} tallies
 */
export function conclude(tallies) {
  const passed = tallies.reduce((total, tally) => total + tally.passed, 0);
  const failed = tallies.reduce((total, tally) => total + tally.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}
