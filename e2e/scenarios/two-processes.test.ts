/** Two server processes on one database: what one writes, the other uses and shows. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeMatrix } from "@tracon/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliProcess, startCli } from "../kit/cli-process.ts";
import { allFrames, dataOf, framesUntil } from "../kit/sse.ts";
import { type Api, tracon } from "../kit/tracon-api.ts";

/** A change is used everywhere within two seconds; a busy test machine gets as much again. */
const LONGEST_DELAY_MS = 4_000;

const CONFIG = `export default {
  providers: { demo: { kind: "scripted", models: {
    quick: [{ text: "Hello!" }],
    slow: { chunkDelayMs: 20, chunkSize: 4, turns: [{ text: "A story that takes its time, told in many pieces." }] },
  } } },
  agents: [{ name: "teller", model: { provider: "demo", model: "slow" } }],
};`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracon-two-"));
  writeFileSync(join(folder, "tracon.config.mjs"), CONFIG);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))("on $engine", (store) => {
  let servers: readonly CliProcess[];
  let first: Api;
  let second: Api;

  beforeEach(async () => {
    const env = { DATABASE_URL: await store.newUrl() };
    // Both at once: they also migrate at once.
    servers = [1, 2].map(() => startCli(["serve", "--port", "0"], { cwd: folder, env }));
    const [one = "", other = ""] = await Promise.all(servers.map((server) => server.url()));
    first = tracon(one);
    second = tracon(other);
  });
  afterEach(async () => {
    for (const server of servers) server.kill("SIGTERM");
    const ends = await Promise.all(servers.map(({ exited }) => exited));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(servers.map((server) => server.err())).toEqual(["", ""]);
  });

  it("uses in one what was saved in the other, and follows a run of the other", async () => {
    await first.json("POST", "/api/agents", definition("one"));
    expect(await second.run("helper")).toMatchObject({ agentVersion: 1, output: "Hello!" });
    await first.json("PUT", "/api/agents/helper", definition("two"));
    const savedMs = performance.now();
    while ((await second.run("helper")).agentVersion !== 2);
    const delayMs = performance.now() - savedMs;

    const started = await framesUntil(
      (signal) => first.stream("teller", { signal }),
      ({ event }) => event === "update",
    );
    const runId = String(dataOf(started[0]).runId);
    const [own, others] = await Promise.all(
      [first, second].map(async (api) => allFrames(await api.events(runId))),
    );
    const cursor = own?.[Math.floor(own.length / 2)]?.id ?? "";
    const rest = await allFrames(await second.events(runId, { after: cursor }));

    expect(delayMs).toBeLessThan(LONGEST_DELAY_MS);
    expect(own?.at(-1)?.event).toBe("run.completed");
    expect(others).toEqual(own);
    expect(rest).toEqual(own?.slice(Number(cursor) + 1));
    expect((await second.json("GET", `/api/runs/${runId}`)).body).toMatchObject({
      status: "Completed",
    });
  });

  it("saves and runs in both at once without losing anything", async () => {
    const saves = Array.from({ length: 20 }, (_, index) =>
      [first, second][index % 2]!.json("PUT", "/api/agents/helper", definition(`save ${index}`)),
    );
    const runs = Array.from({ length: 20 }, (_, index) =>
      [first, second][index % 2]!.run("teller"),
    );

    const versions = (await Promise.all(saves)).map(({ body }) => body.version);
    const results = await Promise.all(runs);
    const { body: listed } = await first.json("GET", "/api/runs?take=200");

    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, it) => it + 1));
    expect(results.map(({ status }) => status)).toEqual(results.map(() => "Completed"));
    expect(new Set(listed.map(({ id }: { id: string }) => id))).toEqual(
      new Set(results.map(({ runId }) => runId)),
    );
    for (const { runId } of results) {
      const events = await second.recorded(runId);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
      expect(events.at(-1)?.type).toBe("RunCompleted");
    }
  });
});

const definition = (description: string) => ({
  name: "helper",
  description,
  model: { provider: "demo", model: "quick" },
});
