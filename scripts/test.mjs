/**
 * `npm test`: everything. The static checks, then every test on every store and in the browser.
 * With arguments only the tests they name: `npm test -- packages/core`.
 */

import { main } from "./setup/failure.mjs";
import { prepare } from "./setup/prepare.mjs";
import { runStaticChecks } from "./setup/static-checks.mjs";
import { conclude, runTests } from "./setup/tests.mjs";

await main(async () => {
  const args = process.argv.slice(2);
  await prepare({ console: true, testPrograms: true });
  if (args.length > 0) return conclude([await runTests(args)]);
  return conclude([await runStaticChecks({ fromScratch: true }), await runTests([])]);
});
