/** A run below another one belongs to the tenant of its caller, and a store that fails is no answer. */

import type { AgentDefinitionRequest, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { BARE_HARNESS, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopEvaluator } from "../loop/loop-evaluator.ts";

const ASKS = { toolCalls: [{ name: "helper", input: { query: "Well?" } }] };
const CALLER: Partial<AgentDefinitionRequest> = {
  callableAgents: [{ name: "helper" }],
  subAgents: { callMode: "Tool" },
};

it(
  "runs a called agent in the tenant of its caller, as that tenant has it",
  covers("callable-agent.same-tenant"),
  async () => {
    const { engine, helper, start } = await started({ root: [ASKS, "Done.", ASKS, "Done."] });
    await engine.agents.create("left", helperSaying("Left."));
    await engine.agents.create("right", helperSaying("Right."));

    const ids = [await start("left"), await start("right")];

    expect(helper.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(["Left.", "Right."]);
    for (const [index, tenant] of ["left", "right"].entries()) {
      const all = await engine.runs.list(tenant, { includeChildren: true }, { skip: 0, take: 9 });
      expect(all.map(({ agentName }) => agentName).sort()).toEqual(["agent", "helper"]);
      expect(all.every(({ id, rootRunId = id }) => rootRunId === ids[index])).toBe(true);
    }
  },
);

it(
  "calls no agent that only another tenant has, neither as a tool nor for a criterion",
  covers("callable-agent.tenant-change-refused", "call-mode.tenant-check-applies"),
  async () => {
    const told: string[] = [];
    const asks: LoopEvaluator = {
      async evaluate({ callAgent }) {
        const called = await callAgent("helper", { message: "Well?" });
        if (!called.answered) told.push(called.reason);
        return { decision: "stop" };
      },
    };
    const { engine, helper, root, start } = await started({
      root: [
        async () => {
          await engine.agents.delete("right", "helper");
          return ASKS;
        },
        "Without it, then.",
      ],
      mine: asks,
    });
    await engine.agents.create("left", helperSaying("Left."));
    await engine.agents.create("right", helperSaying("Right."));

    await start("right");

    const why = "there is no agent 'helper'.";
    expect(JSON.stringify(root.calls[1]?.prompt)).toContain(`could not complete: ${why}`);
    expect(told).toEqual([why]);
    expect(helper.calls).toEqual([]);
    expect(await engine.runs.list("left", {}, { skip: 0, take: 9 })).toEqual([]);
  },
);

it(
  "says no more than that it failed of a call that broke on something that is no error of ours",
  covers("call-mode.foreign-error-generic"),
  async () => {
    let isBroken = false;
    const { engine, root, helper, start } = await started({
      root: [
        () => {
          isBroken = true;
          return ASKS;
        },
        () => {
          isBroken = false;
          return "Sorry.";
        },
      ],
      breaks: () => isBroken,
    });
    await engine.agents.create("left", helperSaying("Left."));

    const runId = await start("left");

    expect(JSON.stringify(root.calls[1]?.prompt)).toContain("Error: Function failed.");
    expect(JSON.stringify(root.calls[1]?.prompt)).not.toContain("hunter2");
    expect(helper.calls).toEqual([]);
    expect(await engine.runs.get("left", runId)).toMatchObject({ status: "Completed" });
  },
);

const helperSaying = (instructions: string) => ({
  name: "helper",
  instructions,
  model: { provider: "helping", model: "helper-model" },
});

type Parts = {
  readonly root: Parameters<typeof scriptedModel>[0];
  readonly mine?: LoopEvaluator;
  /** Whether the store of definitions fails. */
  readonly breaks?: () => boolean;
};

async function started({ root: script, mine, breaks = () => false }: Parts) {
  const opened = await openStores("memory:");
  const { definitions } = opened;
  const stores: Stores = {
    ...opened,
    definitions: {
      ...definitions,
      get(tenantId, name) {
        if (breaks()) return Promise.reject(new Error("password is hunter2"));
        return definitions.get(tenantId, name);
      },
    },
  };
  const root = scriptedModel(script);
  const helper = scriptedModel(["1", "2"]);
  const looped = { harness: { ...BARE_HARNESS, loop: { criteria: [{ kind: "mine" }] } } };
  const { engine } = await startTestEngine({
    stores,
    model: root,
    providers: { helping: helper },
    ...(mine === undefined ? {} : { loopEvaluators: { mine } }),
    agent: { ...CALLER, ...(mine === undefined ? {} : looped) },
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await opened.close();
  });
  async function start(tenantId: string): Promise<string> {
    const { runId, result } = await engine.runs.start(tenantId, "agent", { message: "Go." });
    expect(await result).toMatchObject({ status: "Completed" });
    return runId;
  }
  return { engine, root, helper, start };
}
