/** Nothing below a run outlives it, begins after it, or keeps it waiting. */

import type { AgentDefinitionRequest } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import type { AgentSource } from "../catalog/agent-source.ts";
import type { LoopEvaluator } from "../loop/loop-evaluator.ts";

const TENANT = "default";
const hanging: ScriptedStep = { text: "Well ", ends: "hang" };
const asksHelper = { toolCalls: [{ name: "helper", input: { query: "Well?" } }] };
const startsTask = {
  toolCalls: [
    {
      name: "background_agents_start_task",
      input: { agentName: "helper", input: "Well?", description: "asked" },
    },
  ],
};

const viaTool: Partial<AgentDefinitionRequest> = {
  callableAgents: [{ name: "helper" }],
  subAgents: { callMode: "Tool" },
};
const viaTask: Partial<AgentDefinitionRequest> = { callableAgents: [{ name: "helper" }] };
const viaLoop = (criterion: { kind: string; reviewerAgent?: string }) => ({
  harness: { ...BARE_HARNESS, loop: { criteria: [criterion] } },
});
const viaReview = viaLoop({ kind: "agentReview", reviewerAgent: "helper" });
const viaCode = viaLoop({ kind: "mine" });
const asksAndWaits: LoopEvaluator = {
  async evaluate({ callAgent }) {
    await callAgent("helper", { message: "Well?" });
    return { decision: "stop" };
  },
};

it.each([
  { by: "a tool", agent: viaTool, root: [asksHelper] },
  { by: "a task", agent: viaTask, root: [startsTask, hanging] },
  { by: "a review", agent: viaReview, root: ["Draft."] },
  { by: "a criterion in code", agent: viaCode, root: ["Draft."] },
])("ends what was begun by $by before the run that is canceled, and tells of it", async (parts) => {
  const { start, engine, types, helper, children } = await started({ ...parts, helper: [hanging] });
  const { runId, result } = await start();
  await until(() => helper.calls.length === 1);

  await engine.runs.cancel(TENANT, runId);

  expect(await result).toMatchObject({ status: "Canceled" });
  expect(await children()).toMatchObject([{ status: "Canceled" }]);
  const told = (await types(runId)).filter((type) => !type.startsWith("Tool"));
  expect(told.slice(-2)).toEqual(["ChildRunCompleted", "RunCanceled"]);
});

it("cancels what a criterion began and does not wait for, before the run has its end", async () => {
  const asksOnly: LoopEvaluator = {
    async evaluate({ callAgent }) {
      void callAgent("helper", { message: "Well?" });
      await until(() => helper.calls.length === 1);
      return { decision: "stop" };
    },
  };
  const { run, types, helper, children } = await started({
    agent: viaCode,
    root: ["Draft."],
    helper: [hanging],
    mine: asksOnly,
  });

  const { result, runId } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Draft." });
  expect(await children()).toMatchObject([{ status: "Canceled" }]);
  expect((await types(runId)).slice(-2)).toEqual(["ChildRunCompleted", "RunCompleted"]);
});

it.each([
  { by: "a tool", agent: viaTool, root: [asksHelper] },
  { by: "a task", agent: viaTask, root: [startsTask] },
  { by: "a review", agent: viaReview, root: ["Draft."] },
  { by: "a criterion in code", agent: viaCode, root: ["Draft."] },
])(
  "does not wait for a catalog that is slow to find what $by asks for, and begins nothing later",
  async (parts) => {
    // The caller's own compilation looks first, where its definition names the helper.
    const source = slowSource(parts.agent === viaCode ? 0 : 1);
    const { start, engine, helper, children } = await started({
      ...parts,
      helper: [],
      agentSources: [source],
    });
    const { runId, result } = await start();
    await source.asked;

    await engine.runs.cancel(TENANT, runId);
    const { status } = await result;
    source.answer();
    await turns();

    expect(status).toBe("Canceled");
    expect(await children()).toEqual([]);
    expect(helper.calls).toEqual([]);
  },
);

it("begins nothing for a criterion whose run has ended while it was still asking", async () => {
  const source = slowSource(0);
  const { run, helper, children } = await started({
    agent: viaCode,
    root: ["Draft."],
    helper: [],
    agentSources: [source],
    mine: {
      async evaluate({ callAgent }) {
        void callAgent("helper", { message: "Well?" });
        await source.asked;
        return { decision: "stop" };
      },
    },
  });

  const { result } = await run();
  source.answer();
  await turns();

  expect(result.status).toBe("Completed");
  expect(await children()).toEqual([]);
  expect(helper.calls).toEqual([]);
});

it("stops a child that is given up before its deadline could, in a process whose timers lag", async () => {
  const begun = Promise.withResolvers<void>();
  const waits = { childDeadline: "1m", waitTimeout: "2m" } as const;
  const { start, helper, children } = await started({
    agent: { ...viaTool, subAgents: { callMode: "Tool", ...waits } },
    root: [asksHelper, "Without it, then."],
    helper: [hanging],
    // The later of the two fires, the earlier one does not.
    sleep: (ms) => (ms === 120_000 ? begun.promise : new Promise(() => undefined)),
  });
  const { runId, result } = await start();
  await until(() => helper.calls.length === 1);

  begun.resolve();

  expect(await result).toMatchObject({ status: "Completed", output: "Without it, then." });
  await until(async () => (await children())[0]?.status !== "Running");
  expect(await children()).toMatchObject([{ status: "Canceled", parentRunId: runId }]);
});

type Parts = Pick<TestEngineOptions, "agent" | "agentSources" | "sleep"> & {
  readonly root: readonly ScriptedStep[];
  readonly helper: readonly ScriptedStep[];
  readonly mine?: LoopEvaluator;
};

const HELPER: AgentDefinitionRequest = {
  name: "helper",
  model: { provider: "helping", model: "helper-model" },
};

async function started({ root, helper: script, mine = asksAndWaits, ...options }: Parts) {
  const stores = await openStores("memory:");
  const helper = scriptedModel(script);
  const { engine, run, events } = await startTestEngine({
    ...options,
    stores,
    model: scriptedModel(root),
    providers: { helping: helper },
    loopEvaluators: { mine },
    agents: options.agentSources === undefined ? [HELPER] : [],
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
  });
  const runs = () => engine.runs.list(TENANT, { includeChildren: true }, { skip: 0, take: 10 });
  return {
    engine,
    run,
    helper,
    start: () => engine.runs.start(TENANT, "agent", { message: "Go." }),
    children: async () => (await runs()).filter(({ depth }) => depth > 0),
    types: async (runId: string) => (await events(runId)).map(({ type }) => type),
  };
}

/** A source that has the helper, and takes its time after it has been asked `quickFinds` times. */
function slowSource(quickFinds: number) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let finds = 0;
  const source: AgentSource = {
    name: "slow",
    priority: 50,
    list: async () => [HELPER],
    async find(_, name) {
      if (name !== HELPER.name) return undefined;
      finds++;
      if (finds > quickFinds) {
        asked.resolve();
        await answered.promise;
      }
      return HELPER;
    },
  };
  return { ...source, asked: asked.promise, answer: answered.resolve };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets whatever could still begin do so. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
