/** What a commit promises when the process dies right after it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { storeMatrix } from "@tracon/testing";
import { describe, expect, it } from "vitest";
import { openStores } from "./open-stores.ts";

const durable = storeMatrix().filter(({ engine }) => engine !== "memory");
/** Acknowledged commits after which the writer is killed. */
const KILLED_AFTER = [1, 7, 40];

describe.each(durable)("a writer on $engine", ({ newUrl }) => {
  it.each(KILLED_AFTER)(
    "loses none of %i acknowledged commits when it is killed",
    async (count) => {
      const url = await newUrl();
      const acknowledged = await writeUntilKilled(url, count);

      const stores = await openStores(url);

      const record = await stores.runs.get("tenant", "run");
      const events = await stores.runs.events("tenant", "run", { after: -1, take: 1_000 });
      expect(record?.eventCount).toBe(events.length);
      expect(events.length).toBeGreaterThanOrEqual(acknowledged);
      expect(events.map(({ json }) => json)).toEqual(events.map((_, index) => `{"n":${index}}`));
      await stores.close();
    },
  );
});

/** Runs another process that commits event after event, and kills it at `count` acknowledgements. */
async function writeUntilKilled(url: string, count: number): Promise<number> {
  const options = ["--conditions=@tracon/source", "--input-type=module", "--eval", WRITER];
  const writer = spawn(process.execPath, [...options, INDEX, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(writer, "exit");
  let acknowledged = 0;
  for await (const _line of createInterface({ input: writer.stdout })) {
    acknowledged += 1;
    if (acknowledged === count) writer.kill("SIGKILL");
  }
  await ended;
  return acknowledged;
}

const INDEX = new URL("./index.ts", import.meta.url).href;

const WRITER = `
  const [index, url] = process.argv.slice(1);
  const { openStores } = await import(index);
  const { journal } = await openStores(url);
  const record = {
    id: "run", agentName: "a", kind: "Agent", status: "Running", isStreaming: false,
    startedAt: "2026-01-01T00:00:00.000Z", eventCount: 0, depth: 0, childRunCount: 0,
  };
  for (let n = 0; ; n++) {
    const events = { firstSequence: n, lastSequence: n, lines: JSON.stringify({ n }) };
    const entry = { tenantId: "tenant", runId: "run", events };
    await journal.commit([n === 0 ? { ...entry, opened: { record } } : entry]);
    process.stdout.write(n + "\\n");
  }
`;
