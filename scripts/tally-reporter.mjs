/**
 * A vitest reporter that writes how many tests passed and failed to the file named by
 * `TRACON_TALLY`. A test file that could not run, and an error outside every test, counts as one
 * failure: zero failures mean that nothing went wrong.
 */

import { writeFileSync } from "node:fs";

/** @typedef {import("vitest/node").TestModule} TestModule */

// vitest takes a reporter from a file by its default export.
export default class TallyReporter {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TRACON_TALLY;
    if (file === undefined) throw new Error("TRACON_TALLY names no file");

    const tallies = modules.map(tallyOf);
    const passed = sum(tallies.map((tally) => tally.passed));
    const failed = sum(tallies.map((tally) => tally.failed)) + unhandledErrors.length;
    writeFileSync(file, JSON.stringify({ passed, failed }));
  }
}

/** @param {TestModule} module */
function tallyOf(module) {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const passed = states.filter((state) => state === "passed").length;
  const failed = states.filter((state) => state === "failed").length;
  const brokenWithoutTest = failed === 0 && !module.ok() ? 1 : 0;
  return { passed, failed: failed + brokenWithoutTest };
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
