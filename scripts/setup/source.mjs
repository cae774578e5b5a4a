import { SetupFailure } from "./failure.mjs";
import { run } from "./process.mjs";
import { sourceNode } from "./repository.mjs";

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
  const node = sourceNode();
  if (node === undefined) throw new SetupFailure("no Node that runs the sources is installed");
  return run(node, args, { env });
}
