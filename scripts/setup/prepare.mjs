/** What must be there before a command runs. Everything present already costs milliseconds. */

import { buildConsole, isConsoleBuilt } from "./console.mjs";
import { installDebianPackages, missingTestPackages } from "./debian.mjs";
import { SetupFailure } from "./failure.mjs";
import { faultOfInstallation, install } from "./install.mjs";
import { exclusively } from "./lock.mjs";
import { faultOfSourceNode } from "./node.mjs";

/**
 * @param {{ readonly console?: boolean, readonly testPrograms?: boolean }} needs besides packages
 */
export async function prepare(needs = {}) {
  if (isPrepared(needs)) return;
  await exclusively(async () => {
    const fault = faultOfInstallation();
    if (fault !== undefined) await install(fault);
    if (faultOfSourceNode() !== undefined) await repairSourceNode();
    if (needs.console && !isConsoleBuilt()) await buildConsole();
    const missing = needs.testPrograms ? missingTestPackages() : [];
    if (missing.length > 0) await installDebianPackages(missing);
  });
}

/** @param {{ readonly console?: boolean, readonly testPrograms?: boolean }} needs */
function isPrepared(needs) {
  return (
    faultOfInstallation() === undefined &&
    faultOfSourceNode() === undefined &&
    (!needs.console || isConsoleBuilt()) &&
    (!needs.testPrograms || missingTestPackages().length === 0)
  );
}

async function repairSourceNode() {
  if (faultOfSourceNode()?.includes("libatomic")) await installDebianPackages(["libatomic1"]);
  const fault = faultOfSourceNode();
  if (fault !== undefined) throw new SetupFailure(`the installed Node does not start: ${fault}`);
}
