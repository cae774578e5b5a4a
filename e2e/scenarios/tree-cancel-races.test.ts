/** Cancellations of anything in a tree at any moment: one end for each run, nothing left, nothing unheard. */

import { getEventListeners } from "node:events";
import type { AgentDefinitionRequest, JournalEntry, RunEvent, Stores } from "@tracon/core";
import { terminalEventTypes } from "@tracon/core";
import type { LoopEvaluator } from "@tracon/engine";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
} from "@tracon/testing";
import { tool } from "ai";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Random, seededRandom } from "../kit/random.ts";

const TREES = Number(process.env.TRACON_TREES ?? 300);
const AT_ONCE = 20;
const TENANT = "default";
const SEED = Number(process.env.TRACON_TREE_SEED ?? 20_260_202);
const ROOTS = ["by-tool", "by-task", "looped"] as const;

it(`leaves nothing of ${TREES} trees whose runs are canceled at random (seed ${SEED})`, {
  timeout: 120_000,
}, async () => {
  const unheard = unheardFaults();
  const { engine, journal, random } = await forest({});
  const { signal } = new AbortController();
  const before = timers();
  const statuses = new Map<string, number>();
  let mostListeners = 0;

  let left = TREES;
  async function grow(): Promise<void> {
    while (left-- > 0) {
      const name = ROOTS[random.between(0, ROOTS.length)] ?? ROOTS[0];
      const run = await engine.runs.start(TENANT, name, { message: "Go." }, { signal });
      mostListeners = Math.max(mostListeners, getEventListeners(signal, "abort").length);
      for (let cancels = random.between(0, 3); cancels > 0; cancels--) {
        await turns(random.between(0, 80));
        const members = journal.membersOf(run.runId);
        const member = members[random.between(0, members.length)] ?? run.runId;
        await engine.runs.cancel(TENANT, member).catch(expectEnded);
      }
      // What hangs ends with its root.
      for (let turn = 0; turn < 400 && journal.endsOf(run.runId).length === 0; turn++)
        await turns(1);
      await engine.runs.cancel(TENANT, run.runId).catch(expectEnded);
      const { status } = await run.result;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);

      const members = journal.membersOf(run.runId);
      expect(members.map((id) => [id, journal.endsOf(id)])).toEqual(
        members.map((id) => [id, [expect.any(String)]]),
      );
      expect(journal.endedLast(run.runId)).toBe(true);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, grow));
  await turns(50);

  // Races that all end alike, and trees of one run, would show nothing.
  expect(statuses.get("Canceled")).toBeGreaterThan(TREES / 10);
  expect(statuses.get("Completed")).toBeGreaterThan(TREES / 10);
  expect(journal.members.length).toBeGreaterThan(1.5 * TREES);
  expect(
    await engine.runs.list(TENANT, { status: "Running", includeChildren: true }, PAGE),
  ).toEqual([]);
  expect(mostListeners).toBeLessThanOrEqual(AT_ONCE);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(timers()).toBeLessThanOrEqual(before + 2);
  expect(unheard).toEqual([]);
});

it(`ends every run of ${TREES} trees whose waits are over at random, once (seed ${SEED})`, {
  timeout: 120_000,
}, async () => {
  const unheard = unheardFaults();
  const { engine, stores, journal, random } = await forest({
    childDeadlineMs: 4,
    waitTimeoutMs: 7,
  });
  const roots: string[] = [];

  let left = TREES;
  async function grow(): Promise<void> {
    while (left-- > 0) {
      const name = ROOTS[random.between(0, ROOTS.length)] ?? ROOTS[0];
      const run = await engine.runs.start(TENANT, name, { message: "Go." });
      roots.push(run.runId);
      // What hangs ends with its root.
      for (let turn = 0; turn < 400 && journal.endsOf(run.runId).length === 0; turn++)
        await turns(1);
      await engine.runs.cancel(TENANT, run.runId).catch(expectEnded);
      await run.result;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, grow));
  // Who was given up goes on behind its root, until its own tools give up.
  while (journal.members.some((id) => journal.endsOf(id).length === 0)) await turns(1);
  await turns(50);

  expect(journal.members.map((id) => [id, journal.endsOf(id)])).toEqual(
    journal.members.map((id) => [id, [expect.any(String)]]),
  );
  // Which of the two limits fires first is chance in a process that lags.
  expect(journal.timeouts.length).toBeGreaterThan(TREES / 10);
  const budgets = await Promise.all(roots.map((id) => stores.runs.budget(TENANT, id)));
  expect(budgets.filter((it) => it?.reservedTokens !== 0)).toEqual([]);
  expect(unheard).toEqual([]);
});

const PAGE = { skip: 0, take: 50 };
const timers = (): number =>
  process.getActiveResourcesInfo().filter((it) => it === "Timeout").length;

function expectEnded(error: unknown): void {
  expect(error).toMatchObject({ code: "run_not_cancelable" });
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function unheardFaults(): readonly unknown[] {
  const unheard: unknown[] = [];
  const note = (reason: unknown) => void unheard.push(reason);
  process.on("unhandledRejection", note);
  process.on("warning", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    process.off("warning", note);
  });
  return unheard;
}

/** An engine whose models do something else with every call, and what it wrote. */
async function forest(waits: {
  readonly childDeadlineMs?: number;
  readonly waitTimeoutMs?: number;
}) {
  const opened = await openStores("memory:");
  const random = seededRandom(SEED);
  const journal = treeJournal(opened);
  const model = scriptedModel(many(answers(random)));
  const verdict = (yes: string, no: string) =>
    scriptedModel(many(() => pick(random, [yes, yes, no, no, no, "no verdict", HANGS, FAILS])));
  const inputSchema = z.object({});
  const { engine } = await startTestEngine({
    stores: { ...opened, journal },
    model,
    providers: {
      reviewing: verdict('{"approved":true,"feedback":""}', '{"approved":false,"feedback":"No."}'),
      judging: verdict(
        '{"answered":true,"gapAnalysis":""}',
        '{"answered":false,"gapAnalysis":"x"}',
      ),
    },
    judge: { provider: "judging", model: "judge-model" },
    agentGraph: { maxTotalRuns: 12, ...waits },
    loopEvaluators: { slow: criterion(random), asking: asking(random) },
    tools: {
      work: tool({ inputSchema, execute: () => turns(random.between(0, 6)) }),
      deaf: {
        timeout: "60ms",
        tool: tool({ inputSchema, execute: () => (random.next() < 0.9 ? turns(8) : NEVER) }),
      },
    },
    agents: AGENTS,
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await opened.close();
  });
  return { engine, stores: opened, journal, random };
}

const NEVER = new Promise<never>(() => undefined);
const HANGS: ScriptedModelTurn = { text: "a", ends: "hang" };
const FAILS: ScriptedModelTurn = { throws: new Error("refused") };
const many = (step: ScriptedStep): readonly ScriptedStep[] => Array(50_000).fill(step);
const pick = <Item>(random: Random, items: readonly [Item, ...Item[]]): Item =>
  items[random.between(0, items.length)] ?? items[0];

const MODEL = {
  provider: "test",
  model: "test-model",
  toolLoop: { allowConcurrentToolCalls: true },
};
const REVIEWED = { ...BARE_HARNESS, maximumIterationsPerRequest: 2 };
const byTool = { callMode: "Tool" } as const;
const AGENTS: readonly AgentDefinitionRequest[] = [
  {
    name: "by-tool",
    model: MODEL,
    toolNames: ["work", "deaf"],
    callableAgents: [{ name: "middle" }, { name: "leaf" }],
    subAgents: byTool,
    harness: REVIEWED,
  },
  {
    name: "by-task",
    model: MODEL,
    callableAgents: [{ name: "middle" }, { name: "leaf" }],
    harness: { ...REVIEWED, maximumIterationsPerRequest: 4 },
  },
  {
    name: "looped",
    model: MODEL,
    toolNames: ["work"],
    harness: {
      ...REVIEWED,
      loop: {
        criteria: [
          { kind: "slow" },
          { kind: "asking" },
          { kind: "agentReview", reviewerAgent: "reviewer" },
          { kind: "aiJudge", judgeCriteria: ["Good."] },
        ],
        maxIterations: 4,
      },
    },
  },
  {
    name: "middle",
    model: MODEL,
    toolNames: ["deaf"],
    callableAgents: [{ name: "leaf" }],
    subAgents: byTool,
    harness: {
      ...REVIEWED,
      loop: { criteria: [{ kind: "agentReview", reviewerAgent: "reviewer" }], maxIterations: 2 },
    },
  },
  { name: "leaf", model: MODEL, toolNames: ["work", "deaf"] },
  { name: "reviewer", model: { provider: "reviewing", model: "review-model" } },
];

/** Mostly asks for something of what is offered, sometimes for several things. */
function answers(random: Random): ScriptedStep {
  return ({ tools = [] }) => {
    const offered = tools.map(({ name }) => name);
    const roll = random.next();
    if (roll < 0.08) return HANGS;
    if (roll < 0.12) return FAILS;
    if (roll < 0.15) return { text: "a", ends: "cut" };
    if (offered.length === 0 || roll < 0.35) return { text: ["a", "b", "c"] };
    const calls = Array.from({ length: random.between(1, 4) }, () => {
      const name = pick(random, offered as [string, ...string[]]);
      return { name, input: inputOf(random, name) };
    });
    return { toolCalls: calls };
  };
}

function inputOf(random: Random, name: string): object {
  const taskId = random.between(1, 4);
  if (name.endsWith("start_task")) {
    return { agentName: pick(random, ["middle", "leaf"]), input: "Go on.", description: "work" };
  }
  if (name.endsWith("wait_for_first_completion")) return { taskIds: [1, 2, taskId] };
  if (name.endsWith("continue_task")) return { taskId, text: "More." };
  if (name.endsWith("get_all_tasks") || name === "work" || name === "deaf") return {};
  return name.startsWith("background_") ? { taskId } : { query: "Go on." };
}

const criterion = (random: Random): LoopEvaluator => ({
  async evaluate() {
    await turns(random.between(0, 6));
    if (random.next() < 0.03) await NEVER;
    return random.next() < 0.6 ? { decision: "stop" } : { decision: "continue", feedback: "More." };
  },
});

/** Asks an agent, and does not always wait for it. */
const asking = (random: Random): LoopEvaluator => ({
  async evaluate({ callAgent }) {
    const called = callAgent("leaf", { message: "Well?" });
    if (random.next() < 0.5) await called;
    return { decision: "stop" };
  },
});

/** The journal of a store, and what is known of the trees in it. */
function treeJournal({ journal }: Stores) {
  const members = new Map<string, string[]>();
  const ends = new Map<string, string[]>();
  const order: string[] = [];
  const timeouts: boolean[] = [];
  const note = ({ runId, opened, events }: JournalEntry): void => {
    if (opened !== undefined) {
      const root = opened.record.rootRunId ?? runId;
      members.set(root, [...(members.get(root) ?? []), runId]);
    }
    for (const line of events?.lines.split("\n") ?? []) {
      const { type, payload } = JSON.parse(line) as RunEvent;
      if (type === "ChildRunTimedOut") timeouts.push(payload.hardCutoff);
      if (!terminalEventTypes.has(type)) continue;
      ends.set(runId, [...(ends.get(runId) ?? []), type]);
      order.push(runId);
    }
  };
  return {
    async commit(batch: readonly JournalEntry[]) {
      const outcome = await journal.commit(batch);
      for (const entry of batch) note(entry);
      return outcome;
    },
    membersOf: (root: string): readonly string[] => members.get(root) ?? [],
    endsOf: (runId: string): readonly string[] => ends.get(runId) ?? [],
    /** Whether the root ended behind everything below it. */
    endedLast: (root: string): boolean => {
      const of = members.get(root) ?? [];
      return order.findLast((id) => of.includes(id)) === root;
    },
    /** Of each child that ran out of time, whether it was given up. */
    timeouts,
    get members() {
      return [...members.values()].flat();
    },
  };
}
