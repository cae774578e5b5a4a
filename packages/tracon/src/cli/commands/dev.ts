import { fileURLToPath } from "node:url";
import { type Command, type CommandInput, EXIT } from "../command.ts";
import { runRestarting } from "../dev/run-restarting.ts";
import { serve } from "./serve.ts";

export const dev: Command = {
  name: "dev",
  summary: "Serve, and start again whenever the configuration or what it imports changes",
  usage: "[options]",
  options: serve.options,
  help: serve.help.map((line) => line.replace("default 30s", "default 0s")),
  examples: ["tracon dev", "tracon dev --config ./config/tracon.config.ts"],
  positionals: [0, 0],

  async run(input, terminal) {
    // Whoever changes the code does not want to wait for the runs of the old one.
    const values: CommandInput["values"] = { grace: "0s", ...input.values };
    const words = Object.entries(values).flatMap(([name, value]) => {
      if (value === true) return [`--${name}`];
      return typeof value === "string" ? [`--${name}=${value}`] : [];
    });
    const hook = new URL(sibling("../dev/report-loaded"), import.meta.url).href;
    const main = fileURLToPath(new URL(sibling("../main"), import.meta.url));
    const program = {
      command: process.execPath,
      args: [...process.execArgv, "--import", hook, main, "serve", ...words],
      cwd: terminal.cwd,
      say: terminal.err,
    };
    await runRestarting(program, terminal.interrupted);
    return EXIT.ok;
  },
};

/** A file of this package, which runs from source and as built. */
const sibling = (path: string): string =>
  `${path}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
