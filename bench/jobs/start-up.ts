/** `start-up.ts`: from the command to the first HTTP answer; import and first run of a new process. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { finish, setting } from "../job.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const CONFIG = `export default {
  providers: { demo: { kind: "scripted", models: { hello: [{ text: "Hello!" }] } } },
  agents: [{ name: "hello", model: { provider: "demo", model: "hello" } }],
};
`;

async function firstAnswerMs(): Promise<number> {
  writeFileSync(`${setting.folder}/tracon.config.mjs`, CONFIG);
  const start = performance.now();
  const cli = spawn(
    process.execPath,
    [
      "--conditions=@tracon/source",
      pathOf("../../packages/tracon/src/cli/main.ts"),
      "serve",
      "--json",
      "--port",
      "0",
    ],
    { cwd: setting.folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  const { url } = JSON.parse(await firstLine(cli)) as { readonly url: string };
  await answered(`${url}/api/meta`);
  const ms = performance.now() - start;
  const ended = once(cli, "exit");
  cli.kill("SIGTERM");
  await ended;
  return ms;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the command has no output");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the command ended without a word");
}

function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, (response) => {
      response.resume();
      if (response.statusCode === 200) response.on("end", resolve);
      else reject(new Error(`HTTP ${response.statusCode}`));
    })
      .on("error", reject)
      .end();
  });
}

const rssMiB = () => process.memoryUsage.rss() / 2 ** 20;

const rssBefore = rssMiB();
const importStart = performance.now();
await import("tracon");
const importMs = performance.now() - importStart;
const importRssMiB = rssMiB() - rssBefore;

const openStart = performance.now();
const { openSubject } = await import("../subjects/open-subject.ts");
const subject = await openSubject("product", "sqlite");
const openMs = performance.now() - openStart;
const runStart = performance.now();
await subject.run();
const firstRunMs = performance.now() - runStart;
await subject.close();

finish({ importMs, importRssMiB, openMs, firstRunMs, firstAnswerMs: await firstAnswerMs() });
