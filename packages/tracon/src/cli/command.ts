/** What every command of the command line is made of. */

import type { ParseArgsOptionsConfig } from "node:util";

/** Exit codes, documented in `docs/reference/cli.md`. */
export const EXIT = {
  ok: 0,
  /** The command line itself is wrong. */
  usage: 1,
  /** It could not be done: the configuration, the store or the network said no. */
  failed: 2,
  /** It was done and the answer is bad: a failed run, findings, a difference, a refused change. */
  badAnswer: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where a command reads and writes. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether `out` goes to a terminal that shows colours. Default false. */
  readonly hasColors?: boolean;
  /** Fires when the user asks the command to end (Ctrl+C, SIGTERM). */
  readonly interrupted: AbortSignal;
};

export type CommandInput = {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
};

/** One command: its name, its words of help, its options and what it does. */
export type Command = {
  readonly name: string;
  readonly summary: string;
  /** The part of the usage line after the name. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** One line for each option, and what else is worth knowing. */
  readonly help: readonly string[];
  readonly examples: readonly string[];
  /** How many words it takes: [least, most]. */
  readonly positionals: readonly [number, number];
  run(input: CommandInput, terminal: Terminal): Promise<ExitCode>;
};

/** Options of every command that needs a configuration. */
export const configOptions = {
  config: { type: "string", short: "c" },
  storage: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

export const configHelp = [
  "-c, --config FILE   configuration file (default: tracon.config.ts, .mts, .js or .mjs here)",
  "    --storage URL   sqlite:PATH, postgres://… or memory: (wins over DATABASE_URL and the file)",
];

/** The text of an option that was given. */
export function textOf(input: CommandInput, name: string): string | undefined {
  const value = input.values[name];
  return typeof value === "string" ? value : undefined;
}
