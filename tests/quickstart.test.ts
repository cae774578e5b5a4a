/** What the README tells a newcomer to do works as it stands there. */

import { spawnSync } from "node:child_process";
import { createTracon } from "tracon";
import { expect, it } from "vitest";
import demo from "../examples/demo/tracon.config.ts";
import { read, root } from "./source-tree/files.ts";

const MAX_LINES = 20;

it("answers the request of the quickstart with the demo's agents", async () => {
  const tracon = await createTracon({ ...demo, storage: "memory:" }, { env: {} });
  const { url, ...init } = curlCommand(fence("sh", "curl"));

  const response = await tracon.fetch(new Request(url, init));

  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: "Completed",
    output: expect.stringContaining("ORD-3"),
  });
  await tracon.close();
});

it("runs the program of the quickstart", () => {
  const program = `${fence("ts", "createTracon")}console.log(output);`;

  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@tracon/source", "--input-type=module-typescript", "-"],
    { cwd: root, input: program, encoding: "utf8" },
  );

  expect({ stdout, stderr }).toEqual({ stdout: "Hello!\n", stderr: "" });
});

it("stays short", () => {
  const lines = [fence("sh", "npm start"), fence("sh", "curl"), fence("ts", "createTracon")].map(
    (code) => code.trimEnd().split("\n").length,
  );

  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_LINES);
});

/** The first fence of the README in a language that holds a text. */
function fence(language: string, text: string): string {
  const fences = read("README.md").matchAll(
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"),
  );
  const found = [...fences].map(([, code = ""]) => code).find((code) => code.includes(text));
  if (found === undefined) throw new Error(`the README has no ${language} fence with '${text}'`);
  return found;
}

function curlCommand(command: string) {
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  return {
    url: /https?:\S+/.exec(command)?.[0] ?? "",
    method: "POST",
    headers,
    body: /-d '([^']+)'/.exec(command)?.[1] ?? "",
  };
}
