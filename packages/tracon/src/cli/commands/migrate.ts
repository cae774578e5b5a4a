import { migrateStores, migrationStatus } from "@tracon/store";
import { type Command, configHelp, configOptions, EXIT } from "../command.ts";
import { loadConfig } from "../load-config.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Bring the database schema to this version",
  usage: "[status] [options]",
  options: { ...configOptions, json: { type: "boolean" } },
  help: [
    ...configHelp,
    "    --json          print the state as JSON",
    "",
    "`migrate status` only looks; it exits with 3 while migrations are pending.",
    "Servers migrate by themselves when they start. Two at once are safe.",
  ],
  examples: ["tracon migrate", "tracon migrate status --json"],
  positionals: [0, 1],

  async run(input, terminal) {
    const [mode] = input.positionals;
    if (mode !== undefined && mode !== "status") {
      terminal.err(`migrate takes 'status' or nothing, not '${mode}'\n`);
      return EXIT.usage;
    }
    const { config, env } = await loadConfig(input, terminal);
    const url = env.DATABASE_URL || config.storage || "sqlite:.tracon/tracon.db";
    if (mode === undefined) await migrateStores(url);
    const status = await migrationStatus(url);
    if (input.values.json === true) terminal.out(`${JSON.stringify(status)}\n`);
    else {
      for (const name of status.applied) terminal.out(`applied  ${name}\n`);
      for (const name of status.pending) terminal.out(`pending  ${name}\n`);
    }
    return status.pending.length === 0 ? EXIT.ok : EXIT.badAnswer;
  },
};
