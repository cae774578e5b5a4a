import { type Command, EXIT } from "../../packages/tracon/src/cli/command.ts";
import { commands } from "../../packages/tracon/src/cli/commands/index.ts";
import { table } from "./table.ts";

/** What each exit code tells a script. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "Done.",
  usage: "The command line itself is wrong.",
  failed: "It could not be done: the configuration, the store or the network said no.",
  badAnswer:
    "It was done and the answer is bad: a failed run, findings, a difference, a refused change.",
};

export function cliPage(): string {
  const exits = Object.entries(EXIT).map(([name, value]) => [
    String(value),
    EXIT_MEANINGS[name as keyof typeof EXIT],
  ]);

  return `# Command line

\`tracon <command>\`; every command explains itself with \`--help\`. What is meant for programs goes to
standard output, everything else to standard error.

${commands.map(commandText).join("\n\n")}

## Exit codes

${table(["Code", "Meaning"], exits)}
`;
}

const commandText = ({ name, usage, summary, help, examples }: Command): string =>
  `## tracon ${name}

${summary}.

\`\`\`text
tracon ${name} ${usage}

${help.join("\n")}
\`\`\`

\`\`\`sh
${examples.join("\n")}
\`\`\``;
