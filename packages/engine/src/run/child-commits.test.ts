/** How often a run waits for the disk because of the agents it calls. */

import type { JournalEntry, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { scriptedModel, startTestEngine, type TestEngineOptions } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it("tells of a child in the commit that opens it, so that the news needs none of its own", async () => {
  const { run, commits } = await start();

  const { result } = await run("Ask.");

  const opening = commits[openingOf(commits)];
  expect(result.output).toBe("It is 42.");
  expect(opening?.map(({ events }) => typesOf(events?.lines ?? ""))).toEqual([
    ["RunStarted"],
    ["ChildRunStarted"],
  ]);
});

it("counts a child in the commit of the call for it, and opens it with the next", async () => {
  const { run, commits } = await start();

  await run("Ask.");

  const counted = commits.findIndex((batch) =>
    batch.some(({ budget }) => budget?.reservations.some(({ childRuns }) => childRuns === 1)),
  );
  expect(counted).toBe(callOf(commits));
  expect(openingOf(commits)).toBe(counted + 1);
});

it("opens no child before the call for it is on disk, also where children are not counted", async () => {
  const { run, commits } = await start({ agentGraph: { maxTotalRuns: 0 } });

  await run("Ask.");

  expect(callOf(commits)).toBeGreaterThan(0);
  expect(openingOf(commits)).toBe(callOf(commits) + 1);
});

const callOf = (commits: Commits): number =>
  commits.findIndex((batch) =>
    batch.some(({ events }) => typesOf(events?.lines ?? "").includes("ToolInvoking")),
  );

const openingOf = (commits: Commits): number =>
  commits.findIndex((batch) => batch.some(({ opened }) => opened?.record.depth === 1));

type Commits = readonly (readonly JournalEntry[])[];

const typesOf = (lines: string): readonly string[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { readonly type: string }).type);

async function start(options: Pick<TestEngineOptions, "agentGraph"> = {}) {
  const stores = await openStores("memory:");
  const commits: Commits[number][] = [];
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
    ...options,
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
