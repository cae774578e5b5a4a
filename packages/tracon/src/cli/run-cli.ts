/** The command line as a function: words in, exit code out. */

import { parseArgs } from "node:util";
import { TraconApiError } from "@tracon/client";
import { TraconError } from "@tracon/core";
import { VERSION } from "../version.ts";
import { type Command, EXIT, type ExitCode, type Terminal } from "./command.ts";
import { commands } from "./commands/index.ts";

/** Runs one command. Never rejects: what goes wrong is written to `terminal.err`. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.out(overview());
    return EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const command = commands.find((it) => it.name === name);
  if (command === undefined) {
    terminal.err(`there is no command '${name}'\n\n${overview()}`);
    return EXIT.usage;
  }
  return runCommand(command, rest, terminal);
}

async function runCommand(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const parsed = parse(command, words);
  if ("problem" in parsed) {
    terminal.err(`${parsed.problem}\n\n${helpOf(command)}`);
    return EXIT.usage;
  }
  if (parsed.values.help === true) {
    terminal.out(helpOf(command));
    return EXIT.ok;
  }
  const [least, most] = command.positionals;
  if (parsed.positionals.length < least || parsed.positionals.length > most) {
    terminal.err(`usage: tracon ${command.name} ${command.usage}\n\n${helpOf(command)}`);
    return EXIT.usage;
  }
  try {
    return await command.run(parsed, terminal);
  } catch (error) {
    const { aborted, reason } = terminal.interrupted;
    terminal.err(aborted && error === reason ? `${reason.message}\n` : describe(error));
    return EXIT.failed;
  }
}

type Parsed = {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
};

function parse(command: Command, words: readonly string[]): Parsed | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { ...command.options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    return { values, positionals };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function describe(error: unknown): string {
  if (error instanceof TraconApiError) return described(error.detail, error.findings);
  if (TraconError.is(error)) return described(error.message, error.details.findings ?? []);
  if (!(error instanceof Error)) return `${String(error)}\n`;
  // What the operating system refuses is no fault whose place in the code would tell anything.
  return `${"syscall" in error ? error.message : (error.stack ?? error.message)}\n`;
}

function described(
  message: string,
  findings: readonly TraconApiError["findings"][number][],
): string {
  const lines = findings
    .filter((it) => !message.includes(it.message))
    .map((it) => `  ${it.path}: ${it.message} (${it.code})\n`);
  return `${message}\n${lines.join("")}`;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "tracon: a control plane for AI agents inside your own Node application",
    "",
    "usage: tracon <command> [options]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "`tracon <command> --help` shows options and examples.",
    "",
  ].join("\n");
}

function helpOf(command: Command): string {
  return [
    command.summary,
    "",
    `usage: tracon ${command.name} ${command.usage}`,
    "",
    ...command.help.map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    "examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}
