/**
 * The checks that run none of our code: types, format and lint, the lint rules that need types,
 * unused files, exports and dependencies.
 */

import { requireSourceNode } from "./node.mjs";
import { capture } from "./process.mjs";
import { inRepository } from "./repository.mjs";
import { say, step } from "./say.mjs";

/** @typedef {{ readonly name: string, readonly tool: string, readonly args: readonly string[] }} Check */

/** @type {readonly Check[]} */
const CHECKS = [
  // --force: after a change of the base configuration an incremental build keeps old errors.
  { name: "types", tool: "typescript/bin/tsc", args: ["-b", "--force"] },
  {
    name: "format and lint",
    tool: "@biomejs/biome/bin/biome",
    args: ["check", "--error-on-warnings"],
  },
  { name: "lint with types", tool: "oxlint/bin/oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "unused code", tool: "knip/bin/knip.js", args: [] },
];

/** @returns {Promise<{ readonly passed: number, readonly failed: number }>} */
export async function runStaticChecks() {
  let failed = 0;
  for (const check of CHECKS) {
    const { code, output } = await step(`checking ${check.name}`, () => runTool(check));
    if (code === 0) continue;
    failed += 1;
    process.stdout.write(output);
    say(`checking ${check.name}: FAILED`);
  }
  return { passed: CHECKS.length - failed, failed };
}

/** @param {Check} check */
function runTool({ tool, args }) {
  return capture(requireSourceNode(), [inRepository(`node_modules/${tool}`), ...args]);
}
