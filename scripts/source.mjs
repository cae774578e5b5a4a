/** `node scripts/source.mjs FILE …`: runs a TypeScript file of this repository from source. */

import { main } from "./setup/failure.mjs";
import { prepare } from "./setup/prepare.mjs";
import { runSource } from "./setup/source.mjs";

await main(async () => {
  const [file = "", ...args] = process.argv.slice(2);
  await prepare();
  return runSource(file, args);
});
