/** The bootstrap of a fresh clone, in a small tree of its own with an npm that only takes notes. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./source-tree/files.ts";

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "tracon-setup-"));
  cpSync(`${root}/scripts`, `${tree}/scripts`, { recursive: true });
  writeFileSync(`${tree}/npm.mjs`, NPM);
  writeLock("1.0.0");
});

afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
});

it("installs what the lock file says, then runs the command with its arguments and exit code", async () => {
  write("main.ts", "console.log(process.argv.slice(2).join()); process.exitCode = 7;");

  const { code, stdout } = await finished(start("main.ts", "a", "--b"));

  expect({ code, stdout }).toEqual({ code: 7, stdout: "a,--b\n" });
  expect(installations()).toBe(1);
});

it("installs nothing that is there already", async () => {
  write("main.ts", "");
  await finished(start("main.ts"));

  await finished(start("main.ts"));

  expect(installations()).toBe(1);
});

it("installs again when the lock file names another version", async () => {
  write("main.ts", "");
  await finished(start("main.ts"));
  writeLock("2.0.0");

  await finished(start("main.ts"));

  expect(installations()).toBe(2);
});

it("installs once for two commands at the same time", async () => {
  write("main.ts", "console.log('ran')");

  const both = await Promise.all([finished(start("main.ts")), finished(start("main.ts"))]);

  expect(both.map(({ stdout }) => stdout)).toEqual(["ran\n", "ran\n"]);
  expect(installations()).toBe(1);
});

it("takes over from a setup that was killed", async () => {
  write("main.ts", "console.log('ran')");
  mkdirSync(`${tree}/.tracon`);
  write(".tracon/setup.lock", String(await idOfDeadProcess()));

  const { stdout } = await finished(start("main.ts"));

  expect(stdout).toBe("ran\n");
  expect(existsSync(`${tree}/.tracon/setup.lock`)).toBe(false);
});

it("says what npm said when it fails, and runs nothing", async () => {
  write("main.ts", "console.log('ran')");
  writeFileSync(`${tree}/npm.mjs`, "console.error('no network'); process.exitCode = 3;");

  const { code, stdout, stderr } = await finished(start("main.ts"));

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("npm ci failed:\nno network");
});

it("hands a signal on and waits for the command to end by itself", async () => {
  write("main.ts", WAITS_FOR_SIGTERM);
  const command = start("main.ts");
  const end = finished(command);
  await once(command.stdout as NodeJS.ReadableStream, "data");

  command.kill("SIGTERM");

  expect(await end).toMatchObject({ code: 0, stdout: "ready\nended\n" });
});

/** Takes note of the call, and installs by writing the file that npm writes last. */
const NPM = `
import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
appendFileSync("npm-calls.txt", process.argv.slice(2).join(" ") + "\\n");
mkdirSync("node_modules", { recursive: true });
copyFileSync("package-lock.json", "node_modules/.package-lock.json");
`;

const WAITS_FOR_SIGTERM = `
const alive = setInterval(() => {}, 1_000);
process.on("SIGTERM", () => { console.log("ended"); clearInterval(alive); });
console.log("ready");
`;

const write = (path: string, text: string): void => writeFileSync(`${tree}/${path}`, text);

function writeLock(version: string): void {
  const packages = {
    "": {},
    "node_modules/it": { version },
    "node_modules/elsewhere": { version, optional: true },
  };
  write("package-lock.json", JSON.stringify({ packages }));
}

function installations(): number {
  const calls = readFileSync(`${tree}/npm-calls.txt`, "utf8").trimEnd().split("\n");
  expect(calls.every((call) => call.startsWith("ci "))).toBe(true);
  return calls.length;
}

const start = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [`${tree}/scripts/source.mjs`, ...args], {
    env: { PATH: process.env.PATH, npm_execpath: `${tree}/npm.mjs` },
    stdio: ["ignore", "pipe", "pipe"],
  });

async function finished(command: ChildProcess) {
  let stdout = "";
  let stderr = "";
  command.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  command.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [code] = (await once(command, "close")) as [number | null];
  return { code, stdout, stderr };
}

async function idOfDeadProcess(): Promise<number | undefined> {
  const process_ = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(process_, "close");
  return process_.pid;
}
