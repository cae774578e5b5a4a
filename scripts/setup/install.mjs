/**
 * Brings `node_modules` to what `package-lock.json` says.
 *
 * npm writes `node_modules/.package-lock.json` as its last act, so comparing the two tells a
 * complete installation from a missing, outdated or interrupted one, whoever made it.
 */

import { existsSync, readFileSync } from "node:fs";
import { SetupFailure } from "./failure.mjs";
import { sourceNode } from "./node.mjs";
import { capture } from "./process.mjs";
import { inRepository } from "./repository.mjs";
import { say, step } from "./say.mjs";

const WANTED = inRepository("package-lock.json");
const INSTALLED = inRepository("node_modules/.package-lock.json");
const NPM_ARGS = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];

/** @typedef {{ readonly version?: string, readonly optional?: boolean }} Entry */

/**
 * Why packages must be installed, or `undefined` when they are.
 *
 * @returns {string | undefined}
 */
export function faultOfInstallation() {
  if (!existsSync(INSTALLED)) return "node_modules is missing or was left half made";
  const installed = entriesOf(INSTALLED);
  for (const [path, { version, optional }] of Object.entries(entriesOf(WANTED))) {
    if (!path.includes("node_modules/")) continue;
    const found = installed[path];
    // An optional package of another platform is rightly absent.
    if (found === undefined && optional) continue;
    if (found === undefined) return `${path} is missing`;
    if (found.version !== version) {
      return `${path} is version ${found.version}, package-lock.json says ${version}`;
    }
  }
  return sourceNode() === undefined ? "there is no Node that runs the sources" : undefined;
}

/** @param {string} reason */
export async function install(reason) {
  say(reason);
  const { code, output } = await step("installing packages with npm ci (20 s to a minute)", npmCi);
  if (code !== 0) throw new SetupFailure(`npm ci failed:\n${output}`);
}

function npmCi() {
  const npm = process.env.npm_execpath;
  const args = [...NPM_ARGS, "--loglevel=error"];
  return npm === undefined ? capture("npm", args) : capture(process.execPath, [npm, ...args]);
}

/** @param {string} file */
function entriesOf(file) {
  const lock = /** @type {{ readonly packages: Record<string, Entry> }} */ (
    JSON.parse(readFileSync(file, "utf8"))
  );
  return lock.packages;
}
