import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** @param {string} path relative to the repository */
export const inRepository = (path) => `${root}/${path}`;

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
