/** A tree that agents really made by calling each other, seen as one: its totals, its trace, its criteria. */

import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { AgentDefinitionRequest, RunTrace } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopEvaluator } from "../loop/loop-evaluator.ts";

const T = "default";
const callsTool = { subAgents: { callMode: "Tool" as const } };

it("adds up what every run of the tree used, also of one that failed, and each run says its own", async () => {
  const { run, runs } = await start({
    root: [ask("helper", 7), ask("broken", 2), spent("Done.", 1)],
    helper: [ask("deep", 12), spent("42", 8)],
    deep: [spent("41", 40)],
    broken: [{ text: "I th", ends: { streamError: new Error("gone") } }],
  });

  const { runId, result } = await run();

  const tree = await runs.tree(T, runId);
  const used = tree.map(({ agentName, status, usage }) => [agentName, status, usage?.inputTokens]);
  expect(used).toEqual([
    ["agent", "Completed", 10],
    ["helper", "Completed", 20],
    ["deep", "Completed", 40],
    ["broken", "Failed", undefined],
  ]);
  expect(result.usage?.inputTokens).toBe(10);
  for (const { id, usage } of tree) {
    const { treeUsage, treeCost, ...read } = await runs.get(T, id);
    expect(treeUsage?.inputTokens).toBe(70);
    expect(treeCost).toEqual({
      inputCost: 70,
      outputCost: 0,
      totalCost: 70,
      currency: "USD",
      costs: [{ currency: "USD", totalCost: 70 }],
      runsWithUnknownPricing: 1,
    });
    expect(read.usage).toEqual(usage);
  }
  expect((await runs.get(T, runId)).budget?.usedTokens).toBeGreaterThanOrEqual(70);
});

it("counts a judge in the run that it judges, a reviewer in its own, and both once in the tree", async () => {
  const criteria = [
    { kind: "aiJudge", judgeCriteria: ["Says a number."] },
    { kind: "agentReview", reviewerAgent: "reviewer" },
  ];
  const { engine, run, runs } = await start(
    {
      root: [ask("helper", 4, 1), spent("Done.", 6)],
      helper: [ask("deep", 20, 1), spent("42", 0, 1)],
      deep: [spent("41", 40, 4)],
      reviewer: [spent('{"approved": true, "feedback": ""}', 8, 8)],
      judge: [spent('{"answered": true, "gapAnalysis": ""}', 5, 5)],
    },
    { callableAgents: [{ name: "helper" }], harness: { loop: { criteria } } },
    { judge: { provider: "judge", model: "judge-model" } },
  );

  const { runId } = await run();

  const tree = await runs.tree(T, runId);
  expect(tree.map(({ agentName, usage }) => [agentName, usage])).toMatchObject([
    ["agent", { inputTokens: 15, outputTokens: 6 }],
    ["helper", { inputTokens: 20, outputTokens: 2 }],
    ["deep", { inputTokens: 40, outputTokens: 4 }],
    ["reviewer", { inputTokens: 8, outputTokens: 8 }],
  ]);
  expect(await runs.get(T, runId)).toMatchObject({
    treeUsage: { inputTokens: 83, outputTokens: 20 },
    treeCost: { inputCost: 83, outputCost: 20, totalCost: 103, runsWithUnknownPricing: 0 },
    budget: { usedTokens: 103, usedCost: 103 },
  });
  expect(await engine.statistics.criteria(T)).toMatchObject([
    {
      ...{ kind: "aiJudge", position: 0, evaluations: 1, stopped: 1, decisive: 0 },
      ...{ judgeCalls: 1, inputTokens: 5, outputTokens: 5, totalCost: 10, currency: "USD" },
    },
    { kind: "agentReview", position: 1, evaluations: 1, stopped: 1, reviewerRuns: 1, costs: [] },
  ]);
});

it(
  "is one trace, which the root has, with every run below the call that began it",
  covers("callable-agent.shared-trace-id"),
  async () => {
    const spans = recordSpans();
    const { run, runs } = await start({
      root: [ask("helper"), "Done."],
      helper: [ask("deep"), "42"],
      deep: ["41"],
    });

    const { runId } = await run();

    const tree = await runs.tree(T, runId);
    const read = await runs.trace(T, runId);
    expect(outline(read)).toEqual([
      "tracon.run agent",
      "  chat root-model",
      "  execute_tool helper",
      "    tracon.run helper",
      "      chat helper-model",
      "      execute_tool deep",
      "        tracon.run deep",
      "          chat deep-model",
      "      chat helper-model",
      "  chat root-model",
    ]);
    const ids = new Set(spans.getFinishedSpans().map((span) => span.spanContext().traceId));
    expect([...ids]).toEqual([read.traceId]);
    expect(spans.getFinishedSpans().filter(({ name }) => name === "tracon.run")).toHaveLength(3);
    for (const { id } of tree.slice(1)) {
      await expect(runs.trace(T, id)).rejects.toMatchObject({ code: "run_trace_not_found" });
    }
  },
);

it("has the id of the root as the trace id of a tree that nobody traces", async () => {
  const { run, runs } = await start({ root: [ask("helper"), "Done."], helper: ["42"] });

  const { runId } = await run();

  expect((await runs.trace(T, runId)).traceId).toBe(runId.replaceAll("-", ""));
});

it("counts what the criteria of a loop decided, and which of them changed the outcome", async () => {
  const saying = (text: string): LoopEvaluator => ({
    evaluate: ({ lastResponse }) =>
      lastResponse.text.includes(text) ? { decision: "stop" } : { decision: "continue" },
  });
  const criteria = [{ kind: "finished" }, { kind: "cited" }];
  const { engine, run } = await start(
    { root: ["a", "b DONE", "c [1] DONE"] },
    { harness: { loop: { criteria } } },
    { loopEvaluators: { finished: saying("DONE"), cited: saying("[1]") } },
  );

  await run();

  expect(await engine.statistics.criteria(T)).toMatchObject([
    {
      ...{ agentName: "agent", kind: "finished", position: 0, runs: 1 },
      ...{ evaluations: 3, continued: 1, stopped: 2, failed: 0, decisive: 1 },
      ...{ decisiveRate: 1 / 3, judgeCalls: 0 },
    },
    {
      ...{ agentName: "agent", kind: "cited", position: 1, runs: 1 },
      ...{ evaluations: 2, continued: 1, stopped: 1, failed: 0, decisive: 1 },
    },
  ]);
});

type Scripts = Readonly<Record<string, readonly ScriptedStep[]>>;

const spent = (text: string, inputTokens: number, outputTokens = 0) => ({
  text,
  usage: { inputTokens, outputTokens },
});

const ask = (name: string, inputTokens = 0, outputTokens = 0) => ({
  toolCalls: [{ name, input: { query: "How much?" } }],
  usage: { inputTokens, outputTokens },
});

/** Agents that may each call those after them, and whose models cost a dollar a token. */
async function start(
  { root = [], ...scripts }: Scripts,
  agent: Partial<AgentDefinitionRequest> = {},
  options: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  const names = Object.keys(scripts);
  const callees = (index: number) => ({
    callableAgents: names.slice(index).map((name) => ({ name })),
    ...callsTool,
  });
  const modelOf = (name: string) => ({ provider: name, model: `${name}-model` });
  const test = await startTestEngine({
    stores,
    model: scriptedModel(root),
    providers: Object.fromEntries(
      Object.entries({ root, ...scripts }).map(([name, script]) => [name, scriptedModel(script)]),
    ),
    agent: { model: modelOf("root"), ...callees(0), ...agent },
    agents: names.map((name, index) => ({ name, model: modelOf(name), ...callees(index + 1) })),
    prices: ["root", ...names].map((name) => ({
      ...modelOf(name),
      currency: "USD",
      inputPerMillion: 1_000_000,
      outputPerMillion: 1_000_000,
    })),
    ...options,
  });
  onTestFinished(async () => {
    await test.engine.close({ graceMs: 0 });
    await stores.close();
  });
  return { ...test, runs: test.engine.runs };
}

function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  onTestFinished(() => {
    context.disable();
    trace.disable();
  });
  return exporter;
}

/** The spans as lines, each indented below the one that it is part of. */
function outline(
  { spans }: RunTrace,
  parentId: string | undefined = undefined,
  indent = "",
): readonly string[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .flatMap(({ id, name, attributes }) => {
      const agent = attributes["tracon.agent.name"];
      const line = `${indent}${name}${agent === undefined ? "" : ` ${agent}`}`;
      return [line, ...outline({ spans } as RunTrace, id, `${indent}  `)];
    });
}
