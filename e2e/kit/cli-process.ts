/** The command line in a process of its own, run from source as `npm run tracon` does. */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/tracon/src/cli/main.ts", import.meta.url));

export type CliProcess = {
  readonly pid: number;
  /** Everything written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the first match in standard output; rejects when the process ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The address that `serve` prints. */
  url(): Promise<string>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  kill(signal: NodeJS.Signals): void;
};

export type CliOptions = {
  readonly cwd?: string;
  /** Added to an environment that names no storage, token or port. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts `tracon` with these words. End it with `kill`. */
export function startCli(words: readonly string[], options: CliOptions = {}): CliProcess {
  const child = spawn(process.execPath, ["--conditions=@tracon/source", MAIN, ...words], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = collected(child, "stdout");
  const err = collected(child, "stderr");
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  const printed: CliProcess["printed"] = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(out());
        if (match === null) return;
        child.stdout?.off("data", look);
        resolve(match);
      };
      child.stdout?.on("data", look);
      look();
      void exited.then(({ code, signal }) =>
        reject(new Error(`ended (${code ?? signal}) before it printed ${pattern}:\n${err()}`)),
      );
    });

  return {
    pid: child.pid ?? 0,
    out,
    err,
    printed,
    url: async () => (await printed(/listening on (\S+)\n/))[1] ?? "",
    exited,
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs `tracon` to its end. */
export async function runCliProcess(words: readonly string[], options: CliOptions = {}) {
  const child = startCli(words, options);
  const { code, signal } = await child.exited;
  return { code, signal, out: child.out(), err: child.err() };
}

function collected(child: ChildProcess, name: "stdout" | "stderr"): () => string {
  let text = "";
  child[name]?.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return () => text;
}
