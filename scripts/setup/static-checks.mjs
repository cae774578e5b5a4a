/**
 * The checks that run none of our code: types, format and lint, the lint rules that need types,
 * unused files, exports and dependencies.
 */

import { requireSourceNode } from "./node.mjs";
import { capture } from "./process.mjs";
import { inRepository } from "./repository.mjs";
import { say, step } from "./say.mjs";

/** @typedef {{ readonly name: string, readonly tool: string, readonly args: readonly string[] }} Check */

/**
 * @param {boolean} fromScratch
 * @returns {readonly Check[]}
 */
const checksOf = (fromScratch) => [
  { name: "types", tool: "typescript/bin/tsc", args: fromScratch ? ["-b", "--force"] : ["-b"] },
  {
    name: "format and lint",
    tool: "@biomejs/biome/bin/biome",
    args: ["check", "--error-on-warnings"],
  },
  { name: "lint with types", tool: "oxlint/bin/oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "unused code", tool: "knip/bin/knip.js", args: [] },
];

/**
 * @param {{ readonly fromScratch?: boolean }} [options] whether to distrust what was checked before:
 * after a change of the base configuration an incremental check of types keeps old errors
 * @returns {Promise<{ readonly passed: number, readonly failed: number }>}
 */
export async function runStaticChecks({ fromScratch = false } = {}) {
  const checks = checksOf(fromScratch);
  let failed = 0;
  for (const check of checks) {
    const { code, output } = await step(`checking ${check.name}`, () => runTool(check));
    if (code === 0) continue;
    failed += 1;
    process.stdout.write(output);
    say(`checking ${check.name}: FAILED`);
  }
  return { passed: checks.length - failed, failed };
}

/** @param {Check} check */
function runTool({ tool, args }) {
  return capture(requireSourceNode(), [inRepository(`node_modules/${tool}`), ...args]);
}
