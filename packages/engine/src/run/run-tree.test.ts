import type { RunRecord, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { readTree } from "./run-tree.ts";

const T = "default";
const UNKNOWN = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const [ROOT, CHILD, GRANDCHILD, REVIEWER, OTHER] = ["a1", "b2", "c3", "d4", "e5"] as const;

it(
  "reads the whole tree from any of its runs, the root first and then the oldest",
  covers("callable-agent.tree-readable-from-any-member"),
  async () => {
    const { runs, write } = await start();
    await write(tree(), [ended(OTHER)]);

    for (const id of [ROOT, CHILD, GRANDCHILD, REVIEWER]) {
      const read = await runs.tree(T, id);
      expect(read.map((it) => it.id)).toEqual([ROOT, CHILD, GRANDCHILD, REVIEWER]);
      expect(read.map(({ childRunCount }) => childRunCount)).toEqual([2, 1, 0, 0]);
    }
    expect(await runs.tree(T, OTHER)).toMatchObject([{ id: OTHER }]);
  },
);

it("has no tree of a run that is not there, and tells a stranger nothing else", async () => {
  const { runs, write } = await start();
  await write(tree());

  const unknown = await runs.tree(T, UNKNOWN).catch((fault: Error) => fault);
  const foreign = await runs.tree("other", CHILD).catch((fault: Error) => fault);

  expect(unknown).toMatchObject({ code: "run_not_found" });
  expect(foreign).toEqual(unknown);
});

it("shows the tree of a run that has only begun", async () => {
  const { engine, model } = await start([{ text: "Par", ends: "hang" }]);
  const { runs } = engine;

  const { runId, result } = await runs.start(T, "agent", { message: "Go." });
  const begun = await runs.tree(T, runId);
  while (model.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const going = await runs.tree(T, runId);
  await runs.cancel(T, runId);
  await result;

  expect(begun).toMatchObject([{ id: runId, status: "Running" }]);
  expect(going).toMatchObject([{ id: runId, status: "Running" }]);
});

it("puts runs of this process that are not stored yet into their tree", async () => {
  const stored = [record(ROOT), record(CHILD, ROOT)];
  const live = [
    { ...record(CHILD, ROOT), eventCount: 9 },
    record(GRANDCHILD, CHILD),
    record(OTHER),
  ];

  const read = await readTree({ tree: async () => stored }, live, T, record(CHILD, ROOT));

  expect(read.map(({ id, eventCount }) => [id, eventCount])).toEqual([
    [ROOT, 0],
    [CHILD, 0],
    [GRANDCHILD, 0],
  ]);
});

it("cuts a tree after its 200 oldest runs", async () => {
  const { runs, write } = await start();
  const children = Array.from({ length: 230 }, (_, index) =>
    ended(`b${String(index).padStart(3, "0")}`, ROOT),
  );
  await write([ended(ROOT), ...children]);

  const read = await runs.tree(T, "b229");

  expect(read).toHaveLength(200);
  expect(read[0]?.id).toBe(ROOT);
  expect(read.at(-1)?.id).toBe("b198");
});

it("says what the whole tree used beside what a run used itself", async () => {
  const { runs, write } = await start();
  await write([
    ended(ROOT, undefined, 15, 6),
    { ...ended(CHILD, ROOT, 20, 2), status: "Failed" },
    { ...ended(GRANDCHILD, CHILD, 40, 4), cost: { source: "Unknown" } },
    { ...ended(REVIEWER, ROOT, 8, 8), status: "Canceled" },
  ]);

  const whole = {
    treeUsage: { inputTokens: 83, outputTokens: 20 },
    treeCost: { totalCost: 59, currency: "USD", runsWithUnknownPricing: 1 },
  };
  const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });
  expect(await runs.get(T, ROOT)).toMatchObject({ ...whole, usage: usage(15, 6) });
  expect(await runs.get(T, CHILD)).toMatchObject({ ...whole, usage: usage(20, 2) });
  expect(await runs.get(T, GRANDCHILD)).toMatchObject({ ...whole, usage: usage(40, 4) });
  expect((await runs.tree(T, ROOT))[0]).not.toHaveProperty("treeUsage");
});

it("takes the totals of a run that called nobody from the run itself", async () => {
  const { runs, write, reads } = await start();
  await write([ended(OTHER, undefined, 3, 1)], tree());

  const alone = await runs.get(T, OTHER);

  expect(alone).toMatchObject({
    treeUsage: { inputTokens: 3, outputTokens: 1 },
    treeCost: { totalCost: 4, runsWithUnknownPricing: 0 },
  });
  expect(reads()).toBe(0);
  await runs.get(T, CHILD);
  expect(reads()).toBe(1);
});

it("has no trace of a run below another one, and says where it is", async () => {
  const { runs, write } = await start();
  await write(tree());

  const fault = await runs.trace(T, GRANDCHILD).catch((it: Error) => it);

  expect(fault).toMatchObject({
    code: "run_trace_not_found",
    message: expect.stringContaining(`run '${ROOT}'`),
    details: { extensions: { rootRunId: ROOT } },
  });
  await expect(runs.trace("other", GRANDCHILD)).rejects.toMatchObject({ code: "run_not_found" });
});

const record = (id: string, parentRunId?: string): RunRecord => ({
  id,
  agentName: "agent",
  kind: "Agent",
  status: "Running",
  startedAt: AT,
  isStreaming: false,
  eventCount: 0,
  depth: parentRunId === undefined ? 0 : 1,
  childRunCount: 0,
  ...(parentRunId === undefined ? {} : { parentRunId, rootRunId: ROOT }),
});

const AT = "2026-01-01T00:00:00.000Z";

const ended = (id: string, parentRunId?: string, inputTokens = 1, outputTokens = 1): RunRecord => ({
  ...record(id, parentRunId),
  status: "Completed",
  completedAt: AT,
  usage: { inputTokens, outputTokens },
  cost: { totalCost: inputTokens + outputTokens, currency: "USD", source: "Catalog" },
});

const tree = (): readonly RunRecord[] => [
  ended(ROOT),
  ended(CHILD, ROOT),
  ended(GRANDCHILD, CHILD),
  ended(REVIEWER, ROOT),
];

async function start(script: Parameters<typeof scriptedModel>[0] = []) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  let reads = 0;
  const treeTotals: Stores["runs"]["treeTotals"] = (...parameters) => {
    reads += 1;
    return opened.runs.treeTotals(...parameters);
  };
  const stores = { ...opened, runs: { ...opened.runs, treeTotals } };
  const model = scriptedModel(script);
  const { engine } = await startTestEngine({ stores, model });

  async function write(...trees: readonly (readonly RunRecord[])[]): Promise<void> {
    for (const it of trees.flat()) {
      await stores.journal.commit([{ tenantId: T, runId: it.id, opened: { record: it } }]);
    }
  }

  return { engine, runs: engine.runs, model, write, reads: () => reads };
}
