/** `npm run build`: what is published: JavaScript and declarations of every package, the console. */

import { buildConsole } from "./setup/console.mjs";
import { main } from "./setup/failure.mjs";
import { prepare } from "./setup/prepare.mjs";
import { inRepository } from "./setup/repository.mjs";
import { step } from "./setup/say.mjs";
import { runNode } from "./setup/source.mjs";

await main(async () => {
  await prepare();
  await buildConsole();
  const tsc = inRepository("node_modules/typescript/bin/tsc");
  return step("compiling the packages", () => runNode([tsc, "-b", "--force"]));
});
