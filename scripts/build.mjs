/** `npm run build`: what is published, and whether a user's tools can read it. */

import { readdirSync } from "node:fs";
import { buildConsole, isConsoleBuilt } from "./setup/console.mjs";
import { main, SetupFailure } from "./setup/failure.mjs";
import { requireSourceNode } from "./setup/node.mjs";
import { prepare } from "./setup/prepare.mjs";
import { capture } from "./setup/process.mjs";
import { inRepository } from "./setup/repository.mjs";
import { step } from "./setup/say.mjs";

await main(async () => {
  await prepare();
  if (!isConsoleBuilt()) await buildConsole();
  await step("compiling the packages", () => tool("typescript/bin/tsc", ["-b", "--force"]));
  for (const name of readdirSync(inRepository("packages"))) {
    const folder = inRepository(`packages/${name}`);
    await step(`packing ${name}`, () => tool("publint/src/cli.js", [folder, "--strict"]));
  }
  return 0;
});

/**
 * @param {string} path below `node_modules`
 * @param {readonly string[]} args
 */
async function tool(path, args) {
  const program = inRepository(`node_modules/${path}`);
  const { code, output } = await capture(requireSourceNode(), [program, ...args]);
  if (code !== 0) throw new SetupFailure(output);
}
