#!/usr/bin/env node
/** The entry point of the command line. */

import { runCli } from "./run-cli.ts";

const interruption = new AbortController();
let asked = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Asked twice, it goes at once: a person at the keyboard must always win.
    if (++asked > 1) process.exit(130);
    interruption.abort(new Error(`interrupted by ${signal}`));
  });
}

// Whoever reads may stop early (`tracon run … | head`): nobody is left to run for.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  interruption.abort(new Error("standard output was closed"));
});

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  hasColors: process.stdout.isTTY === true && process.stdout.hasColors(),
  interrupted: interruption.signal,
});
