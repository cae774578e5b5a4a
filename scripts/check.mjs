/**
 * `npm run check`: what to run before every commit. The static checks, the unit tests on SQLite
 * and the tests of the repository itself; no PostgreSQL, no browser, no end-to-end test.
 */

import { main } from "./setup/failure.mjs";
import { prepare } from "./setup/prepare.mjs";
import { runStaticChecks } from "./setup/static-checks.mjs";
import { conclude, runTests } from "./setup/tests.mjs";

/** Files share a process here, which takes less than half the time; `npm test` keeps them apart. */
const UNIT_TESTS = ["packages/", "tests/", "--no-isolate"];

await main(async () => {
  await prepare();
  const checks = await runStaticChecks();
  return conclude([checks, await runTests(UNIT_TESTS, { STORES: "sqlite" })]);
});
