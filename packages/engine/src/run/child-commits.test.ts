/** How often a run waits for the disk because of the agents it calls. */

import type { JournalEntry, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it("tells of a child in the commit that opens it, so that the news needs none of its own", async () => {
  const { run, commits } = await start();

  const { result } = await run("Ask.");

  const opening = commits.find((batch) => batch.some(({ opened }) => opened?.record.depth === 1));
  expect(result.output).toBe("It is 42.");
  expect(opening?.map(({ events }) => typesOf(events?.lines ?? ""))).toEqual([
    ["RunStarted"],
    ["ChildRunStarted"],
  ]);
});

const typesOf = (lines: string): readonly string[] =>
  lines.split("\n").map((line) => (JSON.parse(line) as { readonly type: string }).type);

async function start() {
  const stores = await openStores("memory:");
  const commits: (readonly JournalEntry[])[] = [];
  const counted: Stores = {
    ...stores,
    journal: {
      commit(batch) {
        commits.push(batch);
        return stores.journal.commit(batch);
      },
    },
  };
  const { engine, run } = await startTestEngine({
    stores: counted,
    model: scriptedModel([
      { toolCalls: [{ name: "helper", input: { query: "What is it?" } }] },
      { text: "It is 42." },
    ]),
    providers: { helper: scriptedModel(["42"]) },
    agent: { callableAgents: [{ name: "helper" }], subAgents: { callMode: "Tool" } },
    agents: [{ name: "helper", model: { provider: "helper", model: "m" } }],
  });
  onTestFinished(async () => {
    await engine.close();
    await stores.close();
  });
  return { run, commits };
}
