/**
 * What npm cannot bring, from Debian's own packages. The tests need PostgreSQL's server and
 * Chromium; `npm start` needs neither.
 */

import { existsSync, readdirSync } from "node:fs";
import { delimiter } from "node:path";
import { SetupFailure } from "./failure.mjs";
import { capture } from "./process.mjs";
import { step } from "./say.mjs";

const POSTGRES_VERSIONS = "/usr/lib/postgresql";
/** Wait for another installation to finish rather than fail beside it. */
const APT_LOCK_TIMEOUT_S = 300;

/** The tests start servers of their own; Debian's would only hold the port and the memory. */
const NO_DEBIAN_CLUSTER = `
conf=/etc/postgresql-common/createcluster.conf
test -e $conf || { mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > $conf; }`;

/** @returns {readonly string[]} names of Debian packages */
export function missingTestPackages() {
  const missing = [];
  if (process.env.STORES !== "sqlite" && !hasPostgres()) missing.push("postgresql");
  if (!isOnPath("chromium")) missing.push("chromium");
  return missing;
}

/** @param {readonly string[]} packages */
export async function installDebianPackages(packages) {
  const names = packages.join(" ");
  if (!isOnPath("apt-get")) {
    throw new SetupFailure(`needed, and not to be had without apt-get; install by hand: ${names}`);
  }
  const shell = await privilegedShell(names);
  const script = `set -e${packages.includes("postgresql") ? NO_DEBIAN_CLUSTER : ""}
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=${APT_LOCK_TIMEOUT_S} install --no-install-recommends ${names}`;

  const [command = "sh", ...args] = shell;
  const { code, output } = await step(`installing ${names} with apt-get (about 60 s)`, () =>
    capture(command, [...args, "-c", script], { env: { DEBIAN_FRONTEND: "noninteractive" } }),
  );
  if (code !== 0) throw new SetupFailure(`apt-get could not install ${names}:\n${output}`);
}

/** @param {string} names */
async function privilegedShell(names) {
  if (process.getuid?.() === 0) return ["sh"];
  const withSudo = ["sudo", "-n", "--preserve-env=DEBIAN_FRONTEND"];
  if (isOnPath("sudo")) {
    const { code } = await capture("sudo", ["-n", "true"]);
    if (code === 0) return [...withSudo, "sh"];
  }
  throw new SetupFailure(
    `needed, and only root may install it; run: sudo apt-get install --no-install-recommends ${names}`,
  );
}

function hasPostgres() {
  if (!existsSync(POSTGRES_VERSIONS)) return false;
  const versions = readdirSync(POSTGRES_VERSIONS);
  return versions.some((version) => existsSync(`${POSTGRES_VERSIONS}/${version}/bin/initdb`));
}

/** @param {string} program */
function isOnPath(program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(`${folder}/${program}`));
}
