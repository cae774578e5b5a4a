/**
 * Runs a program and starts it again whenever a file it has loaded changes.
 *
 * Files are looked at again and again instead of being watched: an event can be lost while the
 * program starts or while a watch is renewed, a difference cannot.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { stateOf } from "./file-state.ts";
import type { LoadedFile } from "./report-loaded.ts";

/** Between two looks: shorter than a person waits for, and some hundred files cost a few milliseconds. */
const LOOK_MS = 250;
/** How long a program may take to end when it is asked to. */
const END_MS = 5_000;

export type RestartingProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Called with what happens, for a person to read. */
  readonly say: (text: string) => void;
};

/** Runs until `signal` fires; resolves when the program has ended then. */
export async function runRestarting(
  program: RestartingProgram,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const loaded = new Map<string, LoadedFile["state"]>();
    const child = spawn(program.command, [...program.args], {
      cwd: program.cwd,
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    child.on("message", (file: LoadedFile) => void loaded.set(file.path, file.state));
    const ended = endOf(child);
    void ended.then(() => {
      if (!signal.aborted && !child.killed) program.say("it ended; waiting for a change\n");
    });

    const changed = await firstChange(loaded, signal);
    if (changed !== undefined) program.say(`${changed} changed; starting again\n`);
    await end(child, ended);
  }
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    // A program that could not be started has ended too.
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });

/** The first file that is not what it was when it was loaded; `undefined` when the signal fires. */
function firstChange(
  loaded: ReadonlyMap<string, LoadedFile["state"]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const look = () => {
      for (const [path, state] of loaded) if (stateOf(path) !== state) return finish(path);
    };
    const timer = setInterval(look, LOOK_MS);
    const stop = () => finish(undefined);
    const finish = (path: string | undefined) => {
      clearInterval(timer);
      signal.removeEventListener("abort", stop);
      resolve(path);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
  await ended;
  clearTimeout(timer);
}
