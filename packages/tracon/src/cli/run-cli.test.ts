/** The command line as a function: what needs no process of its own. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { VERSION } from "../version.ts";
import { commands } from "./commands/index.ts";
import { runCli } from "./run-cli.ts";

const GOOD = "good.config.mjs";
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracon-cli-"));
  write(
    GOOD,
    `export default {
      providers: { demo: { kind: "scripted", models: {
        hello: [{ text: "Hello!" }], slow: { chunkSize: 2, chunkDelayMs: 30, turns: [{ text: "Hello!" }] }, broken: [{ error: { statusCode: 503 } }],
      } } },
      agents: [
        { name: "greeter", model: { provider: "demo", model: "hello" } },
        { name: "slow", model: { provider: "demo", model: "slow" } },
        { name: "looper", model: { provider: "demo", model: "hello" }, harness: { loop: {
          criteria: [{ kind: "completionMarker", marker: "DONE" }], maxIterations: 2, onExhausted: "FailRun" } } },
        { name: "failer", model: { provider: "demo", model: "broken" } },
      ],
      storage: "memory:",
    };`,
  );
  write("bad.config.mjs", `export default { storage: 5, jobs: {}, agents: [{}] };`);
  write("empty.config.mjs", "export const nothing = 1;");
  write("throws.config.mjs", "throw new Error('no database password');");
  write("agent.json", `{"name":"x","model":{"provider":"demo","model":"hello"}}`);
  write("broken-agent.json", `{"name":"x","model":{"provider":"absent","model":"m"}}`);
  write("no-agent.json", "{");
  write("agents.yaml", "name: x\nmodel: { provider: demo, model: hello }\n---\nname: y\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([[], ["--help"], ["-h"], ["help"]])("shows every command for %j", async (...words) => {
  const { code, out } = await cli(words);

  expect(code).toBe(0);
  for (const { name, summary } of commands) expect(out).toMatch(new RegExp(`${name} +${summary}`));
});

it("prints its version", async () => {
  expect(await cli(["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n` });
});

it.each(commands)("explains $name with its options and examples", async ({ name, options }) => {
  const { code, out } = await cli([name, "--help"]);

  expect(code).toBe(0);
  expect(out).toContain(`usage: tracon ${name}`);
  expect(out).toMatch(new RegExp(`examples:\\n {2}tracon ${name}`));
  for (const option of Object.keys(options)) expect(out).toContain(`--${option}`);
});

it.each([
  ["an unknown command", ["launch"]],
  ["an unknown option", ["serve", "--prot", "1"]],
  ["a word too many", ["serve", "now"]],
  ["a word too few", ["run", "greeter"]],
  ["an option without its value", ["serve", "--port"]],
  ["an unknown mode", ["migrate", "down", "--config", GOOD]],
])("exits with 1 for %s and shows the usage", async (_what, words) => {
  const { code, out, err } = await cli(words);

  expect(code).toBe(1);
  expect(out).toBe("");
  expect(err).not.toBe("");
});

it("explains a missing configuration with one to begin with", async () => {
  const { code, err } = await cli(["serve"]);

  expect(code).toBe(2);
  expect(err).toContain(`there is no tracon.config.ts in ${folder}`);
  expect(err).toContain("export default defineConfig({");
});

it.each([
  [["--config", "absent.mjs"], "there is no configuration file"],
  [["--config", "empty.config.mjs"], "has no default export"],
  [["--config", "throws.config.mjs"], "could not be loaded: no database password"],
  [["--config", GOOD, "--port", "http"], "'http' is not a port"],
  [["--config", GOOD, "--port", "70000"], "'70000' is not a port"],
  [["--config", GOOD, "--grace", "soon"], "'soon' is no time to wait"],
  [["--config", GOOD, "--host", "0.0.0.0"], "needs a token"],
  [["--config", GOOD, "--storage", "mysql://db"], "env.DATABASE_URL"],
])("exits with 2 when serve cannot serve: %j", async (words, reason) => {
  const { code, out, err } = await cli(["serve", ...words]);

  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toContain(reason);
});

it("refuses a port from the environment that is none", async () => {
  const { code, err } = await cli(["serve", "--config", GOOD], { TRACON_PORT: "x" });

  expect(code).toBe(2);
  expect(err).toContain("'x' is not a port");
});

it("finds nothing wrong with a good configuration and a good definition", async () => {
  const { code, out } = await cli(["validate", "agent.json", "--config", GOOD]);

  expect([code, out]).toEqual([0, "no findings\n"]);
});

it("lists what is wrong with a configuration and exits with 3", async () => {
  const { code, out } = await cli(["validate", "--config", "bad.config.mjs"]);

  expect(code).toBe(3);
  expect(out).toContain("error storage: ");
  expect(out).toContain("error jobs: ");
  expect(out).toContain("error agents[0].name: ");
});

it("names the file a finding is in, as text and as JSON", async () => {
  const words = ["validate", "agent.json", "broken-agent.json", "--config", GOOD];

  const text = await cli(words);
  const json = await cli([...words, "--json"]);

  expect(text).toMatchObject({ code: 3 });
  expect(text.out).toMatch(/^error broken-agent\.json: model\.provider: .* \(\w+\)\n$/);
  expect(JSON.parse(json.out)).toMatchObject({
    findings: [{ file: "broken-agent.json", path: "model.provider", severity: "Error" }],
  });
});

it("checks every definition of a YAML file", async () => {
  const { code, out } = await cli(["validate", "agents.yaml", "--config", GOOD]);

  expect([code, out]).toEqual([3, "error agents.yaml: [1].model: is required (member_missing)\n"]);
});

it.each(["no-agent.json", "absent.json"])("exits with 2 when %s cannot be read", async (file) => {
  const { code, err } = await cli(["validate", file, "--config", GOOD]);

  expect(code).toBe(2);
  expect(err).toContain(`${file}' cannot be read`);
});

it("streams the text of a run to standard output and the rest to standard error", async () => {
  const { code, out, err } = await cli(["run", "greeter", "Hi", "--config", GOOD]);

  expect([code, out]).toEqual([0, "Hello!\n"]);
  expect(err).toMatch(/^run [\w-]{36}\n[\s\S]*demo\/hello/);
});

it("prints the pieces of an answer as they come", async () => {
  const { code, pieces } = await cli(["run", "slow", "Hi", "--config", GOOD]);

  expect([code, pieces]).toEqual([0, ["He", "ll", "o!", "\n"]]);
});

it("prints the result of a run as one JSON line", async () => {
  const { code, out } = await cli(["run", "greeter", "Hi", "--config", GOOD, "--json"]);

  expect(code).toBe(0);
  expect(out.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(out)).toMatchObject({ status: "Completed", output: "Hello!" });
});

it("counts the runs of a storage, as text and as JSON", async () => {
  const storage = ["--config", GOOD, "--storage", `sqlite:${join(folder, "stats.db")}`];
  await cli(["run", "greeter", "Hi", ...storage]);
  await cli(["run", "failer", "Hi", ...storage]);

  const text = await cli(["stats", ...storage]);
  const json = await cli(["stats", "--since", "all", "--agent", "failer", "--json", ...storage]);

  expect(text.code).toBe(0);
  expect(text.out).toMatch(/^2 runs, 0 of them running · 1 failed \(50\.0 %\)/);
  expect(text.out).toContain("  greeter  1 runs");
  expect(JSON.parse(json.out)).toMatchObject({ totalRuns: 1, failedRuns: 1 });
});

it("exits with 2 for a time that is none", async () => {
  const { code, err } = await cli(["stats", "--since", "yesterday", "--config", GOOD]);

  expect(code).toBe(2);
  expect(err).toContain("'yesterday' is no duration");
});

it("shows how each iteration of a loop was decided, and the result of one that failed", async () => {
  const streamed = await cli(["run", "looper", "Hi", "--config", GOOD]);
  const json = await cli(["run", "looper", "Hi", "--config", GOOD, "--json"]);

  expect(streamed).toMatchObject({ code: 3, out: "Hello!\nHello!\n" });
  expect(streamed.err).toContain("↻ iteration 1: continued by completionMarker\n");
  expect(streamed.err).toContain(
    "↻ iteration 2: continued by completionMarker, and none is left\n",
  );
  expect(json).toMatchObject({ code: 3 });
  expect(JSON.parse(json.out)).toMatchObject({
    status: "Failed",
    output: "Hello!",
    iterations: 2,
    error: { type: "loop_unsatisfied" },
  });
});

it("exits with 3 for a run that failed, streamed or not", async () => {
  const streamed = await cli(["run", "failer", "Hi", "--config", GOOD]);
  const json = await cli(["run", "failer", "Hi", "--config", GOOD, "--json"]);

  expect(streamed).toMatchObject({ code: 3, out: "" });
  expect(streamed.err).toContain("could not be reached");
  expect(json).toMatchObject({ code: 3 });
  expect(JSON.parse(json.out)).toMatchObject({ status: "Failed" });
});

it("exits with 2 for a run that cannot start", async () => {
  const { code, err } = await cli(["run", "nobody", "Hi", "--config", GOOD]);

  expect(code).toBe(2);
  expect(err).toContain("nobody");
});

it("migrates a database, and status only looks", async () => {
  const storage = ["--config", GOOD, "--storage", `sqlite:${join(folder, "new.db")}`];

  const before = await cli(["migrate", "status", ...storage]);
  const migrated = await cli(["migrate", ...storage]);
  const after = await cli(["migrate", "status", ...storage, "--json"]);

  expect(before).toMatchObject({ code: 3 });
  expect(before.out).toMatch(/^pending {2}0001-/);
  expect(migrated).toMatchObject({ code: 0 });
  expect(migrated.out).toMatch(/^applied {2}0001-/);
  expect(after).toMatchObject({ code: 0 });
  expect(JSON.parse(after.out)).toMatchObject({ pending: [] });
});

it("prefers --storage to DATABASE_URL, and that to the file", async () => {
  const option = `sqlite:${join(folder, "option.db")}`;
  const variable = `sqlite:${join(folder, "variable.db")}`;
  const words = ["migrate", "--config", GOOD];

  await cli(words, { DATABASE_URL: variable });
  await cli([...words, "--storage", option], { DATABASE_URL: "postgres://nowhere.invalid/x" });
  const status = await cli(["migrate", "status", "--config", GOOD, "--storage", option]);
  const other = await cli(["migrate", "status", "--config", GOOD], { DATABASE_URL: variable });

  expect([status.code, other.code]).toEqual([0, 0]);
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

async function cli(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const pieces: string[] = [];
  let err = "";
  const code = await runCli(words, {
    out: (text) => void pieces.push(text),
    err: (text) => {
      err += text;
    },
    env: { TRACON_LOG_LEVEL: "silent", ...env },
    cwd: folder,
    interrupted: new AbortController().signal,
  });
  return { code, pieces, out: pieces.join(""), err };
}
