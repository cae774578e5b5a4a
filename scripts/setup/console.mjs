/**
 * Builds the web console when its sources are newer than its built files.
 *
 * The built folder carries the hash of what it was made from and takes the old one's place whole,
 * so that a server never serves half a build.
 */

import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { SetupFailure } from "./failure.mjs";
import { requireSourceNode } from "./node.mjs";
import { capture } from "./process.mjs";
import { inRepository } from "./repository.mjs";
import { step } from "./say.mjs";

const CONSOLE = inRepository("packages/console");
const BUILT = `${CONSOLE}/dist`;
const STAMP = "build-hash.txt";
/** What the built files depend on; the lock file stands for the versions of every library. */
const INPUTS = [
  "packages/console",
  "packages/client/src",
  "packages/core/src",
  "package-lock.json",
];
const NO_INPUT = /(^|\/)(node_modules|dist|dist\.\w+)$|\.test\.tsx?$|\.md$/;

export function isConsoleBuilt() {
  if (!existsSync(`${BUILT}/index.html`) || !existsSync(`${BUILT}/${STAMP}`)) return false;
  return readFileSync(`${BUILT}/${STAMP}`, "utf8") === inputHash();
}

export async function buildConsole() {
  const hash = inputHash();
  const next = `${CONSOLE}/dist.next`;
  const { code, output } = await step("building the console (about 5 s)", () => vite(next));
  if (code !== 0) throw new SetupFailure(`building the console failed:\n${output}`);

  writeFileSync(`${next}/${STAMP}`, hash);
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(next, BUILT);
}

/** @param {string} outDir */
function vite(outDir) {
  const args = [inRepository("node_modules/vite/bin/vite.js"), "build", CONSOLE];
  return capture(requireSourceNode(), [...args, "--outDir", outDir, "--emptyOutDir"]);
}

function inputHash() {
  const hash = createHash("sha256");
  for (const path of INPUTS.flatMap((input) => filesBelow(input))) {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(inRepository(path)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (NO_INPUT.test(path)) return [];
  if (statSync(inRepository(path)).isFile()) return [path];
  const names = readdirSync(inRepository(path)).sort();
  return names.flatMap((name) => filesBelow(`${path}/${name}`));
}
