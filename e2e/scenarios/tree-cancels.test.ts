/** Cancellations over HTTP while something goes on below a run: how far they reach, and how far they do not. */

import type { LoopEvaluator } from "@tracon/engine";
import { type ScriptedStep, storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  type Scripted,
  startAgentsHost,
  type TreeRun,
  until,
} from "../kit/agents-host.ts";
import { dataOf, sseFrames } from "../kit/sse.ts";

type Phase = {
  readonly root?: readonly ScriptedStep[];
  readonly agent?: Partial<Scripted>;
  readonly helper?: readonly ScriptedStep[];
  readonly deep?: readonly ScriptedStep[];
  readonly judge?: readonly ScriptedStep[];
  readonly options?: Partial<AgentsHostOptions>;
  /** Something of its own that is told when it is reached, and never ends. */
  readonly stalls?: "tool" | "criterion";
  /** Model calls of all when it is reached. */
  readonly calls: number;
  /** Runs below the root. */
  readonly below: number;
};

const byTool: Partial<Scripted> = { callableAgents: ["helper"], subAgents: { callMode: "Tool" } };
const byTask: Partial<Scripted> = { callableAgents: ["helper"] };
const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;
const looped = (...criteria: readonly { kind: string; reviewerAgent?: string }[]) => ({
  harness: {
    ...BARE,
    loop: { criteria: criteria.map((it) => ({ judgeCriteria: ["Good."], ...it })) },
  },
});
const reviewed = looped({ kind: "agentReview", reviewerAgent: "helper" });
const hanging: ScriptedStep = { text: "Well ", ends: "hang" };
const task = (name: string, input: object) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});
const startTask = task("start_task", { agentName: "helper", input: "Go on.", description: "work" });
const waitForTask = task("wait_for_first_completion", { taskIds: [1] });
const useTool = { toolCalls: [{ name: "stall" }] };
const limited: ScriptedStep = {
  throws: Object.assign(new Error("busy"), {
    statusCode: 429,
    responseHeaders: { "retry-after": "20" },
  }),
};
const patient = { modelRetry: { maxRetries: 2, maxDelay: "30s" } };
const MORE = '{"approved":false,"feedback":"More."}';

const PHASES: Readonly<Record<string, Phase>> = {
  "an agent that is called as a tool answers": {
    ...{ agent: byTool, root: [ask("helper")], helper: [hanging], calls: 2, below: 1 },
  },
  "an agent below the one that is called answers": {
    ...{ agent: byTool, root: [ask("helper")], helper: [ask("deep")], deep: [hanging] },
    ...{ calls: 3, below: 2 },
  },
  "a tool of a called agent does not listen": {
    ...{ agent: byTool, root: [ask("helper")], helper: [useTool], stalls: "tool" },
    ...{ calls: 2, below: 1 },
  },
  "a called agent waits for its provider": {
    ...{ agent: byTool, root: [ask("helper")], helper: [limited], options: patient },
    ...{ calls: 2, below: 1 },
  },
  "a task runs beside an answer": {
    ...{ agent: byTask, root: [startTask, hanging], helper: [hanging], calls: 3, below: 1 },
  },
  "a task is waited for": {
    ...{ agent: byTask, root: [startTask, waitForTask], helper: [hanging], calls: 3, below: 1 },
  },
  "an agent below a task answers": {
    ...{ agent: byTask, root: [startTask, waitForTask], helper: [ask("deep")], deep: [hanging] },
    ...{ calls: 4, below: 2 },
  },
  "a criterion in code does not listen": {
    ...{ agent: looped({ kind: "stall" }), root: ["Draft."], stalls: "criterion" },
    ...{ calls: 1, below: 0 },
  },
  "a judge judges": {
    ...{ agent: looped({ kind: "aiJudge" }), root: ["Draft."], judge: [hanging] },
    ...{ calls: 2, below: 0 },
  },
  "a judge waits for its provider": {
    ...{ agent: looped({ kind: "aiJudge" }), root: ["Draft."], judge: [limited] },
    ...{ options: patient, calls: 2, below: 0 },
  },
  "a reviewer reviews": {
    ...{ agent: reviewed, root: ["Draft."], helper: [hanging], calls: 2, below: 1 },
  },
  "a tool of a reviewer does not listen": {
    ...{ agent: reviewed, root: ["Draft."], helper: [useTool], stalls: "tool" },
    ...{ calls: 2, below: 1 },
  },
  "an agent below a reviewer answers": {
    ...{ agent: reviewed, root: ["Draft."], helper: [ask("deep")], deep: [hanging] },
    ...{ calls: 3, below: 2 },
  },
  "an iteration begins behind a review": {
    ...{ agent: reviewed, root: ["Draft.", hanging], helper: [MORE], calls: 3, below: 1 },
  },
};

const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeAll(async () => {
    storage = await newUrl();
  });

  it.each(Object.keys(PHASES))("ends a whole tree that is canceled while %s", async (name) => {
    const phase = PHASES[name] as Phase;
    const { api, tree, models, stalled } = await start(phase);
    const { runId, ended } = await streaming(api);
    await until(() => callsOf(models) >= phase.calls || undefined);
    if (phase.stalls !== undefined) await stalled;

    const canceled = await api.json("POST", `/api/runs/${runId}/cancel`);
    const last = await ended;

    const runs = await tree(runId);
    expect(canceled.status).toBe(202);
    expect(last).toMatchObject({ event: "error", data: { code: "canceled" } });
    expect(runs).toHaveLength(1 + phase.below);
    const finished = (it: TreeRun) => ["Canceled", "Completed"].includes(it.status);
    // Only what had ended before may have completed.
    expect(runs.every(finished)).toBe(true);
    expect(runs.filter(({ status }) => status === "Completed")).toHaveLength(
      name.startsWith("an iteration") ? 1 : 0,
    );
    for (const { id } of runs) await expectOneEnd(api, id);
    await expectEveryChildTold(api, runs);
    expect(callsOf(models)).toBe(phase.calls);
    expect((await api.json("POST", `/api/runs/${runId}/cancel`)).status).toBe(409);
    const { body } = await api.json("GET", `/api/runs/${runId}`);
    expect(body.budget).toMatchObject({ reservedTokens: 0 });
  });

  it("reaches neither the caller nor the siblings of a run that is canceled by itself", async () => {
    const release = Promise.withResolvers<void>();
    const { api, tree, models } = await start({
      root: [
        { toolCalls: [...startTask.toolCalls, ...startTask.toolCalls] },
        task("wait_for_first_completion", { taskIds: [1] }),
        task("get_task_results", { taskId: 1 }),
        task("wait_for_first_completion", { taskIds: [2] }),
        task("get_task_results", { taskId: 2 }),
        "Half of it.",
      ],
      agent: byTask,
      helper: [
        hanging,
        async () => {
          await release.promise;
          return "The other half.";
        },
      ],
      calls: 0,
      below: 0,
    });
    const { runId, ended } = await streaming(api);
    await until(() => models.helper?.calls.length === 2 || undefined);
    const [, first] = await tree(runId);

    const canceled = await api.json("POST", `/api/runs/${first?.id}/cancel`);
    await until(async () => (await statusOf(api, first?.id)) === "Canceled" || undefined);
    release.resolve();
    const last = await ended;

    const runs = await tree(runId);
    expect(canceled.status).toBe(202);
    expect(last).toMatchObject({ event: "done", data: { status: "Completed" } });
    expect(runs.map(({ status }) => status)).toEqual(["Completed", "Canceled", "Completed"]);
    const prompt = JSON.stringify(models.root?.calls.at(-1)?.prompt);
    expect(prompt).toContain("Task failed: its run was canceled.");
    expect(prompt).toContain("The other half.");
    await expectEveryChildTold(api, runs);
  });

  it("ends a review that is canceled by itself as a criterion that failed, and not its run", async () => {
    const { api, tree, models } = await start({
      root: ["Draft."],
      agent: reviewed,
      helper: [hanging],
      calls: 0,
      below: 0,
    });
    const { runId, ended } = await streaming(api);
    await until(() => models.helper?.calls.length === 1 || undefined);
    const [, reviewer] = await tree(runId);

    await api.json("POST", `/api/runs/${reviewer?.id}/cancel`);
    const last = await ended;

    expect(last).toMatchObject({ event: "done", data: { status: "Completed", output: "Draft." } });
    const events = await api.recorded(runId);
    expect(events.find(({ type }) => type === "LoopIterationCompleted")?.payload).toMatchObject({
      failedCriterion: "agentReview",
      criteria: [{ decision: "failed", reviewer: { runId: reviewer?.id } }],
    });
  });

  async function start(phase: Phase) {
    const { root = [], helper = [], deep = [], judge = [], agent = {}, options = {} } = phase;
    const reached = Promise.withResolvers<void>();
    const stall = () => {
      reached.resolve();
      return NEVER;
    };
    const host = await startAgentsHost({
      ...options,
      storage,
      scripts: { root, helper, deep, judge },
      judge: { provider: "judge", model: "judge-model" },
      loopEvaluators: { stall: { evaluate: stall as never } satisfies LoopEvaluator },
      tools: { stall: tool({ inputSchema: z.object({}), execute: stall }) },
      agents: [
        { name: "root", ...agent },
        {
          name: "helper",
          toolNames: ["stall"],
          callableAgents: ["deep"],
          subAgents: { callMode: "Tool" },
        },
        { name: "deep" },
      ],
    });
    open.push(host);
    return { ...host, stalled: reached.promise };
  }
});

const NEVER: Promise<string> = new Promise(() => undefined);

type Api = AgentsHost["api"];

const callsOf = (models: AgentsHost["models"]): number =>
  Object.values(models).reduce((sum, { calls }) => sum + calls.length, 0);

const statusOf = async (api: Api, runId: string | undefined): Promise<string> =>
  (await api.json("GET", `/api/runs/${runId}`)).body.status;

/** A run that is followed to the end of its stream. */
async function streaming(api: Api) {
  const frames = sseFrames((await api.stream("root")).body);
  const { value: first } = await frames.next();
  if (first === undefined) throw new Error("the stream is empty");
  const ended = Array.fromAsync(frames).then((rest) => {
    const last = rest.at(-1);
    return { event: last?.event, data: dataOf(last) };
  });
  return { runId: String(dataOf(first).runId), ended };
}

const TERMINAL = ["RunCompleted", "RunFailed", "RunCanceled", "RunAwaitingInput"];

async function expectOneEnd(api: Api, runId: string): Promise<void> {
  const types = (await api.recorded(runId)).map(({ type }) => type);
  expect(types.filter((type) => TERMINAL.includes(type))).toEqual([types.at(-1)]);
}

/** Of every run below it the root is told that it began, and how it ended. */
async function expectEveryChildTold(api: Api, [root, ...below]: readonly TreeRun[]): Promise<void> {
  const events = await api.recorded(root?.id ?? "");
  const told = (type: string) =>
    events
      .filter((it) => it.type === type)
      .map(({ payload }) => [payload.childRunId, payload.status]);
  expect(told("ChildRunStarted").map(([id]) => id)).toEqual(below.map(({ id }) => id));
  expect(told("ChildRunCompleted").sort()).toEqual(
    below.map(({ id, status }) => [id, status]).sort(),
  );
}
