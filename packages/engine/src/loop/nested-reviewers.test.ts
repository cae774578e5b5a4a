/** Reviewers that are reviewed themselves: every loop has its ceiling, and the tree has its depth. */

import type { AgentDefinitionRequest } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

const APPROVED = '{"approved":true,"feedback":""}';
const REFUSED = '{"approved":false,"feedback":"More."}';

it("takes exactly the model calls of each loop when a reviewer is reviewed", async () => {
  const writer = scriptedModel(["One.", "Two."]);
  const critic = scriptedModel([APPROVED, REFUSED, REFUSED, APPROVED]);
  const editor = scriptedModel([REFUSED, APPROVED, REFUSED, APPROVED]);
  const { run } = await started({
    model: writer,
    providers: { critic, editor },
    agent: reviewedBy("critic"),
    agents: [agent("critic", reviewedBy("editor")), agent("editor")],
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", output: "Two.", iterations: 2 });
  for (const model of [writer, critic, editor]) model.assertDone();
});

it("stops every loop at its ceiling when no reviewer ever approves", async () => {
  const writer = scriptedModel(["One.", "Two.", "Three."]);
  const critic = scriptedModel(Array.from({ length: 2 * 2 }, () => REFUSED));
  const editor = scriptedModel(Array.from({ length: 2 * 1 }, () => REFUSED));
  const { run } = await started({
    model: writer,
    providers: { critic, editor },
    agent: reviewedBy("critic", 3),
    agents: [agent("critic", reviewedBy("editor", 2)), agent("editor")],
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", output: "Three.", iterations: 3 });
  for (const model of [writer, critic, editor]) model.assertDone();
});

it("ends a chain of agents that review each other at the depth of the tree", async () => {
  const first = scriptedModel([APPROVED, APPROVED]);
  const second = scriptedModel([APPROVED, APPROVED]);
  const { run, engine } = await started({
    model: first,
    providers: { second },
    agent: reviewedBy("second"),
    agents: [agent("second", reviewedBy("agent"))],
    agentGraph: { maxDepth: 3 },
  });

  const { runId, result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", iterations: 1 });
  const tree = await engine.runs.tree("default", runId);
  expect(tree.map(({ agentName, depth }) => `${depth} ${agentName}`).sort()).toEqual([
    "0 agent",
    "1 second",
    "2 agent",
    "3 second",
  ]);
  for (const model of [first, second]) model.assertDone();
});

type Members = Partial<AgentDefinitionRequest>;

const reviewedBy = (reviewerAgent: string, maxIterations?: number): Members => ({
  harness: {
    ...BARE_HARNESS,
    loop: {
      criteria: [{ kind: "agentReview", reviewerAgent }],
      ...(maxIterations === undefined ? {} : { maxIterations }),
    },
  },
});

const agent = (name: string, members: Members = {}): AgentDefinitionRequest => ({
  name,
  model: { provider: name, model: `${name}-model` },
  ...members,
});

async function started(options: Omit<TestEngineOptions, "stores">) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const it = await startTestEngine({ ...options, stores });
  onTestFinished(() => it.engine.close({ graceMs: 0 }));
  return it;
}
