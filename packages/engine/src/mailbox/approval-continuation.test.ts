/** What the run that goes on is made of: the agent, its instructions and its values as they are then. */

import { openStores } from "@tracon/store";
import {
  type GatedEngine,
  type GatedEngineOptions,
  type ScriptedModelTurn,
  startGatedEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const TENANT = "default";

it(
  "goes on with the default instructions, whatever the culture was",
  covers("culture.approval-continuation-uses-default"),
  async () => {
    const gate = await gated([calling(1), "Done."], {
      agent: { instructions: "Answer.", instructionsByCulture: { de: "Antworte." } },
    });
    await gate.send({ message: "Los.", culture: "de", sessionId: "s" });

    const record = await approveAll(gate);

    expect(gate.model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual([
      "Antworte.",
      "Answer.",
    ]);
    expect(record).not.toHaveProperty("culture");
    expect(gate.ledger).toEqual(["gate(1)"]);
  },
);

it(
  "goes on with the values the run that stopped was bound with",
  covers("parameter-carrier.approval-resume-repeats-values"),
  async () => {
    const gate = await gated([calling(1), "Done."], {
      agent: {
        instructions: "Speak {{tone}}ly.",
        parameters: [{ name: "tone", kind: "Text", required: true }],
      },
    });
    await gate.send({ message: "Go.", parameters: { tone: "kind" }, sessionId: "s" });

    const { id } = await approveAll(gate);

    expect(gate.model.calls[1]?.prompt[0]).toMatchObject({ content: "Speak kindly." });
    expect(await gate.engine.runs.input(TENANT, id)).toMatchObject({
      parameters: { tone: "kind" },
    });
    expect(gate.ledger).toEqual(["gate(1)"]);
  },
);

it(
  "runs nothing of an agent that is gone with all its versions",
  covers("version.stale-approval-stops"),
  async () => {
    const gate = await gated([calling(1), "Never."]);
    const model = { provider: "test", model: "test-model" };
    await gate.engine.agents.create(TENANT, { name: "saved", model, toolNames: ["gate"] });
    const run = await gate.engine.runs.start(TENANT, "saved", { message: "Go." });
    await run.result;
    const [{ id = "", continuationRunId = "" } = {}] = await gate.waiting();
    await gate.engine.agents.delete(TENANT, "saved");

    const decided = await gate.engine.approvals.decide(TENANT, id, { approved: true });

    expect(decided.status).toBe("Approved");
    expect(gate.ledger).toEqual([]);
    await expect(gate.engine.runs.get(TENANT, continuationRunId)).rejects.toThrow("no such run");
    expect(gate.log.entries).toMatchObject([
      { message: "a run with all decisions could not go on yet" },
    ]);
  },
);

it("closes what waits when a run is canceled whose agent is gone", async () => {
  const gate = await gated([calling(1)]);
  const model = { provider: "test", model: "test-model" };
  await gate.engine.agents.create(TENANT, { name: "saved", model, toolNames: ["gate"] });
  const run = await gate.engine.runs.start(TENANT, "saved", { message: "Go." });
  await run.result;
  const [{ id = "" } = {}] = await gate.waiting();
  await gate.engine.agents.delete(TENANT, "saved");

  await gate.engine.runs.cancel(TENANT, run.runId);

  expect(await gate.engine.approvals.get(TENANT, id)).toMatchObject({
    status: "Rejected",
    reason: expect.stringContaining("canceled"),
  });
  expect(await gate.waiting()).toEqual([]);
});

it("voids an approval when a saved agent has another version, and goes on with that", async () => {
  const gate = await gated([calling(1), "Understood."]);
  const model = { provider: "test", model: "test-model" };
  const saved = { name: "saved", model, toolNames: ["gate"] };
  await gate.engine.agents.create(TENANT, saved);
  const run = await gate.engine.runs.start(TENANT, "saved", { message: "Go." });
  await run.result;
  await gate.engine.agents.save(TENANT, "saved", { ...saved, instructions: "Be careful." });

  const record = await approveAll(gate);

  expect(record).toMatchObject({ status: "Completed", agentVersion: 2 });
  expect(gate.ledger).toEqual([]);
});

it("uses the decision although the provider is down, and fails only then", async () => {
  const gate = await gated([
    calling(1),
    () => {
      throw new TypeError("fetch failed");
    },
  ]);
  await gate.send({ message: "Go.", sessionId: "s" });

  const record = await approveAll(gate);

  expect(record.status).toBe("Failed");
  expect(gate.ledger).toEqual(["gate(1)"]);
  const { messages } = await gate.engine.sessions.get(TENANT, "s");
  expect(messages?.at(-1)).toMatchObject({ role: "tool", contents: [{ result: { done: 1 } }] });
});

/** Approves everything that waits; the run that goes on, once it has ended. */
async function approveAll({ engine, waiting, ended }: GatedEngine) {
  const approvals = await waiting();
  for (const { id } of approvals) await engine.approvals.decide(TENANT, id, { approved: true });
  const runId = approvals[0]?.continuationRunId ?? "";
  await ended(runId);
  return engine.runs.get(TENANT, runId);
}

const calling = (x: number): ScriptedModelTurn => ({ toolCalls: [{ name: "gate", input: { x } }] });

async function gated(
  script: GatedEngineOptions["script"],
  options: Partial<GatedEngineOptions> = {},
): Promise<GatedEngine> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const gate = await startGatedEngine({ ...options, stores, script });
  onTestFinished(() => gate.engine.close({ graceMs: 0 }));
  return gate;
}
