/** `npm start`: the server with its console and the demo agents, on embedded SQLite. */

import { main } from "./setup/failure.mjs";
import { prepare } from "./setup/prepare.mjs";
import { runSource } from "./setup/source.mjs";

const DEMO = ["serve", "--config", "examples/demo/tracon.config.ts"];

await main(async () => {
  await prepare({ console: true });
  return runSource("packages/tracon/src/cli/main.ts", [...DEMO, ...process.argv.slice(2)]);
});
