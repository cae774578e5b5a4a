/** Export, import, diff and apply in processes of their own, on a running server. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runCliProcess, startCli } from "../../../../e2e/kit/cli-process.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it("applies, imports, compares and exports on a running server, with its token", {
  timeout: 90_000,
}, async () => {
  const folder = project();
  const env = { TRACON_TOKEN: "a-token" };
  const server = startCli(["serve", "--port", "0"], { cwd: folder, env });
  cleanups.push(async () => {
    server.kill("SIGKILL");
    await server.exited;
  });
  const url = await server.url();
  const remote = (...words: readonly string[]) =>
    runCliProcess([...words, "--url", url], { cwd: tmpdir(), env });
  writeAgent(folder, "one");

  const applied = await remote("apply", join(folder, "in"));
  writeAgent(folder, "two");
  const imported = await remote("import", join(folder, "in/a.json"));
  const settled = await remote("apply", join(folder, "in"), "--json");
  const compared = await remote("diff", "a");
  const versions = await remote("export", "--all-versions", "--out", join(folder, "out"));
  const refused = await runCliProcess(["export", "--url", url]);

  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining("created a v1") });
  expect(imported).toMatchObject({ code: 0, out: "saved a v2\n" });
  expect(JSON.parse(settled.out)).toMatchObject({ plan: [{ action: "unchanged", version: 2 }] });
  expect(JSON.parse(readFileSync(join(folder, "in/tracon.lock.json"), "utf8"))).toMatchObject({
    targets: { [url]: { a: { version: 2 } } },
  });
  expect(compared.code).toBe(3);
  expect([versions.code, readdirSync(join(folder, "out/a")).sort()]).toEqual([
    0,
    ["v1.yaml", "v2.yaml"],
  ]);
  expect([refused.code, refused.out]).toEqual([2, ""]);
  expect(refused.err).not.toContain("at ");
});

const CONFIG = `export default {
  providers: { demo: { kind: "scripted", models: { m: [{ text: "Hi" }] } } },
  storage: "sqlite:tracon.db",
};`;

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "tracon-definitions-"));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tracon.config.mjs"), CONFIG);
  mkdirSync(join(folder, "in"));
  return folder;
}

function writeAgent(folder: string, instructions: string): void {
  const definition = { name: "a", model: { provider: "demo", model: "m" }, instructions };
  writeFileSync(join(folder, "in/a.json"), JSON.stringify(definition));
}
