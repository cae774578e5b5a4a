import { requireSourceNode } from "./node.mjs";
import { run } from "./process.mjs";

/**
 * Runs a TypeScript file of this repository as it is.
 *
 * @param {string} file relative to the repository
 * @param {readonly string[]} args
 */
export function runSource(file, args) {
  return runNode(["--conditions=@tracon/source", file, ...args]);
}

/**
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env]
 */
export function runNode(args, env = {}) {
  return run(requireSourceNode(), args, { env });
}
