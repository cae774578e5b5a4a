/** Slow readers and a slow disk: nobody else waits for them, and nothing is lost by them. */

import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { storeMatrix } from "@tracon/testing";
import { afterEach, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { allFrames, dataOf } from "../kit/sse.ts";

const model = { provider: "test", model: "m" };
const agents = [{ name: "writer", model }];
const sqlite = storeMatrix().filter(({ engine }) => engine === "sqlite");
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

it.each(sqlite)(
  "gives a client that reads late everything, and lets others not wait",
  async (store) => {
    const text = Array.from({ length: 1_500 }, (_, index) => `${index} ${"x".repeat(4_000)}`);
    const { api } = await start({ text }, await store.newUrl());

    const late = await api.stream("writer");
    const reader = late.body?.getReader();
    const first = await reader?.read();
    const runId = /"runId":"([^"]+)"/.exec(new TextDecoder().decode(first?.value))?.[1] ?? "";
    const prompt = await allFrames(await api.events(runId));
    reader?.releaseLock();
    const rest = await allFrames(late);

    const texts = rest.map(dataOf).filter(({ kind }) => kind === "text");
    expect(prompt.at(-1)?.event).toBe("run.completed");
    expect(texts.map((update) => update.text).join("")).toBe(text.join(""));
    expect(rest.at(-1)?.event).toBe("done");
  },
);

it.each(sqlite)(
  "waits for another process that has locked the file, and loses no event",
  async (store) => {
    const url = await store.newUrl();
    const { api, log } = await start({ text: ["one ", "two"] }, url);
    const other = new DatabaseSync(url.slice("sqlite:".length));

    other.exec("begin immediate");
    const running = Promise.all(Array.from({ length: 10 }, () => api.run("writer")));
    await pause(700);
    other.exec("commit");
    other.close();
    const results = await running;

    expect(results.map(({ status }) => status)).toEqual(results.map(() => "Completed"));
    for (const { runId } of results) {
      const events = await api.recorded(runId);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
      expect(events.at(-1)?.type).toBe("RunCompleted");
    }
    expect(log.entries).toEqual([]);
  },
);

async function start(turn: { readonly text: readonly string[] }, storage: string) {
  const script = Array.from({ length: 10 }, () => turn);
  const host = await startScriptedHost(script, { storage, agents });
  open.push(host);
  return host;
}
