import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { SetupFailure } from "./failure.mjs";
import { inRepository } from "./repository.mjs";

const bundledNode = inRepository("node_modules/.bin/node");
const OLDEST_NODE = [22, 19];

/**
 * The Node that runs the sources: the one that `npm ci` brought, or this one when it is new enough
 * and the platform has no bundled one.
 *
 * @returns {string | undefined}
 */
export function sourceNode() {
  if (existsSync(bundledNode)) return bundledNode;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isNewEnough ? process.execPath : undefined;
}

/**
 * Why the Node for the sources does not start, or `undefined` when it does. Node 26 needs
 * libatomic, which the smallest Debian systems do not have.
 *
 * @returns {string | undefined}
 */
export function faultOfSourceNode() {
  const { status, stderr, error } = spawnSync(requireSourceNode(), ["--version"], {
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  return error?.message ?? stderr;
}

export function requireSourceNode() {
  const node = sourceNode();
  if (node !== undefined) return node;
  throw new SetupFailure(
    `npm has no Node 26 for ${process.platform} on ${process.arch}; install Node 22.19 or newer and try again`,
  );
}
