/** The command line in processes of its own: ports, signals, restarts. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import {
  type CliOptions,
  type CliProcess,
  runCliProcess,
  startCli,
} from "../../../../e2e/kit/cli-process.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it("serves the demo on a free port and prints its address once it answers", async () => {
  const server = start(["serve", "--config", demo(), "--port", "0", "--storage", "memory:"]);
  const url = await server.url();

  const meta = await fetch(`${url}/api/meta`);

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tracon$/);
  expect(meta.status).toBe(200);
  expect(server.out().split(url).length - 1).toBeGreaterThan(1);

  server.kill("SIGTERM");

  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it("takes port, token and storage from the environment and prints one JSON line", async () => {
  const cwd = project({ file: config({}) });
  const port = await freePort();
  const env = {
    TRACON_PORT: String(port),
    TRACON_TOKEN: "a-token",
    DATABASE_URL: `sqlite:${join(cwd, "by-variable.db")}`,
  };
  const server = start(["serve", "--json"], { cwd, env });
  const [line] = await server.printed(/^.*\n/);
  const { url } = JSON.parse(line) as { url: string };

  const without = await fetch(`${url}/api/agents`);
  const withToken = await fetch(`${url}/api/agents`, {
    headers: { authorization: "Bearer a-token" },
  });
  const meta = (await (await fetch(`${url}/api/meta`)).json()) as { storage: object };

  expect(url).toBe(`http://127.0.0.1:${port}/tracon`);
  expect([without.status, withToken.status]).toEqual([401, 200]);
  expect(meta.storage).toMatchObject({ persistent: true, runStore: "sqlite" });
});

it("lets a running run end after SIGTERM, tells its client, and exits with 0", async () => {
  const cwd = project({ file: config({ delayMs: 300 }) });
  const server = start(["serve", "--port", "0"], { cwd });
  const url = await server.url();
  const streamed = run(url, "text/event-stream");
  const whole = run(url, "application/json");
  await (await streamed).clone().body?.getReader().read();

  server.kill("SIGTERM");
  const [stream, result] = await Promise.all([streamed, whole]);

  expect(await stream.text()).toContain("event: done");
  expect(await result.json()).toMatchObject({ status: "Completed", output: "Hello!" });
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it("cancels what still runs when its grace is over", async () => {
  const cwd = project({ file: config({ delayMs: 60_000 }) });
  const server = start(["serve", "--port", "0", "--grace", "50ms"], { cwd });
  const stream = await run(await server.url(), "text/event-stream");

  server.kill("SIGTERM");

  expect(await stream.text()).toContain('"code":"canceled"');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it("exits at once at the second signal", async () => {
  const cwd = project({ file: config({ delayMs: 60_000 }) });
  const server = start(["serve", "--port", "0"], { cwd });
  const url = await server.url();
  const stream = await run(url, "text/event-stream");

  server.kill("SIGTERM");
  await refusal(url);
  server.kill("SIGTERM");

  expect(await server.exited).toEqual({ code: 130, signal: null });
  await expect(stream.text()).rejects.toThrow();
});

it("says what to do about a port that is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  cleanups.push(() => taken.close());
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);

  const { code, out, err } = await runCliProcess(["serve", "--port", port], {
    cwd: project({ file: config({}) }),
  });

  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port} .*--port`));
});

it("cancels a run at Ctrl+C and exits with 3", async () => {
  const cwd = project({ file: config({ delayMs: 60_000 }) });
  const child = start(["run", "greeter", "Hi"], { cwd });
  await started(child);

  child.kill("SIGINT");

  expect(await child.exited).toEqual({ code: 3, signal: null });
  expect(child.err()).toContain("canceled by the caller");
});

it("starts again when the configuration changes, and after it was broken", async () => {
  const cwd = project({ file: config({ name: "first" }) });
  const dev = start(["dev", "--port", "0"], { cwd });
  await dev.printed(/agents\/first\/run/);

  writeFileSync(join(cwd, "tracon.config.mjs"), "export default {");
  await until(() => dev.err().includes("could not be loaded"));
  writeFileSync(join(cwd, "tracon.config.mjs"), config({ name: "second" }));
  await dev.printed(/agents\/second\/run/);

  dev.kill("SIGTERM");

  expect(await dev.exited).toEqual({ code: 0, signal: null });
});

function start(words: readonly string[], options: CliOptions = {}): CliProcess {
  const child = startCli(words, options);
  cleanups.push(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  return child;
}

const demo = (): string =>
  new URL("../../../../examples/demo/tracon.config.ts", import.meta.url).pathname;

function project({ file }: { readonly file: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "tracon-cli-"));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tracon.config.mjs"), file);
  return folder;
}

const config = ({ name = "greeter", delayMs = 0 }) => `export default {
  providers: { demo: { kind: "scripted", models: { m: {
    turns: [{ text: "Hello!", delayMs: ${delayMs} }],
  } } } },
  agents: [{ name: "${name}", model: { provider: "demo", model: "m" } }],
  storage: "memory:",
};`;

const run = (url: string, accept: string): Promise<Response> =>
  fetch(`${url}/api/agents/greeter/run`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ message: "Hi" }),
  });

/** Resolves once the server takes no connections any more. */
async function refusal(url: string): Promise<void> {
  const isOpen = () =>
    fetch(`${url}/api/meta`, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    );
  while (await isOpen());
}

const started = (child: CliProcess): Promise<void> => until(() => child.err().startsWith("run "));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
