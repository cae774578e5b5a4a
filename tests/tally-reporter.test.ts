import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./source-tree/files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tracon-tally-test-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("counts what passed and what failed, a file that does not load as one failure", () => {
  write("mixed.test.js", 'it("passes", () => {}); it("fails", () => { throw new Error("no"); });');
  write("broken.test.js", 'throw new Error("does not load");');

  const tally = runVitest();

  expect(tally).toEqual({ passed: 1, failed: 2 });
});

it("counts an error outside every test as a failure", () => {
  write("late.test.js", 'it("passes", () => { void Promise.reject(new Error("late")); });');

  const tally = runVitest();

  expect(tally).toEqual({ passed: 1, failed: 1 });
});

const write = (name: string, text: string): void => writeFileSync(`${folder}/${name}`, text);

function runVitest(): unknown {
  const file = `${folder}/tally.json`;
  const reporter = `--reporter=${root}/scripts/tally-reporter.mjs`;
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--globals"];
  spawnSync(process.execPath, [...args, `--root=${folder}`, reporter], {
    env: { PATH: process.env.PATH, TRACON_TALLY: file },
  });
  return JSON.parse(readFileSync(file, "utf8"));
}
