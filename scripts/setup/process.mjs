import { spawn } from "node:child_process";
import { root } from "./repository.mjs";

/** @typedef {{ readonly env?: Readonly<Record<string, string>> }} Options */
/** @typedef {{ readonly code: number, readonly output: string }} Captured */

const SIGNAL_EXIT_BASE = 128;
const SIGNALS = /** @type {const} */ ({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 });

/**
 * Runs a command in this process's place: same input, output and signals. Resolves with its exit
 * code, which is 128 + n after signal n.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env } = {}) {
  const environment = { ...process.env, ...env };
  return end(spawn(command, args, { cwd: root, stdio: "inherit", env: environment }));
}

/**
 * Runs a command and keeps what it prints.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<Captured>}
 */
export async function capture(command, args, { env } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  return { code: await end(child), output };
}

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * Hands signals on until the child has ended, and waits for that: nothing it does goes on without
 * somebody waiting for it.
 *
 * @param {ChildProcess} child
 * @returns {Promise<number>}
 */
function end(child) {
  const names = /** @type {Signal[]} */ (Object.keys(SIGNALS));
  const forwarders = names.map((name) => forward(child, name));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      for (const stop of forwarders) stop();
      resolve(code ?? exitCodeOf(signal));
    });
  });
}

/** @typedef {keyof typeof SIGNALS} Signal */

/**
 * A terminal sends Ctrl+C to every process in the foreground, so there the child has it already; a
 * second one would read as "stop at once".
 *
 * @param {ChildProcess} child
 * @param {Signal} signal
 * @returns {() => void}
 */
function forward(child, signal) {
  const listener = () => {
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  process.on(signal, listener);
  return () => process.off(signal, listener);
}

/** @param {NodeJS.Signals | null} signal */
function exitCodeOf(signal) {
  const known = Object.entries(SIGNALS).find(([name]) => name === signal);
  return SIGNAL_EXIT_BASE + (known?.[1] ?? 0);
}
