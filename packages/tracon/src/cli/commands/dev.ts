import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Command, type CommandInput, EXIT } from "../command.ts";
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
    const main = fileURLToPath(
      new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js", import.meta.url),
    );
    // Node's own watcher follows every file the server has loaded.
    const args = [...process.execArgv, "--watch", "--watch-preserve-output", main, "serve"];
    // Whoever changes the code does not want to wait for the runs of the old one.
    const values: CommandInput["values"] = { grace: "0s", ...input.values };
    for (const [name, value] of Object.entries(values)) {
      if (value === true) args.push(`--${name}`);
      else if (typeof value === "string") args.push(`--${name}=${value}`);
    }
    const child = spawn(process.execPath, args, { cwd: terminal.cwd, stdio: "inherit" });
    terminal.interrupted.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    return code === 0 || terminal.interrupted.aborted ? EXIT.ok : EXIT.failed;
  },
};
