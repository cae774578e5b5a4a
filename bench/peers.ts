/** The frameworks we compare with: a package of their own, installed when first needed. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./peers", import.meta.url));

/** Installs them by their lockfile, unless they are there. False when that failed. */
export async function installPeers(say: (line: string) => void): Promise<boolean> {
  if (existsSync(`${folder}/node_modules`)) return true;
  say("installing the frameworks to compare with (about 180 MB, once)");
  // npm must run on our Node: the system's may be older than what the frameworks ask for.
  const path = `${dirname(process.execPath)}:${process.env.PATH ?? ""}`;
  const npm = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => {
    npm.on("close", resolve);
    npm.on("error", () => resolve(undefined));
  });
  return code === 0;
}

/** The versions a result is about. */
export function peerVersions(): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return manifest.dependencies;
}
