/** Judges and criteria in code, in runs: what they cost, whom they call and what they keep. */

import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const TENANT = "default";
const USAGE = { inputTokens: 100, outputTokens: 10 };
const STOP: LoopEvaluation = { decision: "stop" };
const unreachable: ScriptedStep = {
  throws: Object.assign(new Error("no"), { code: "ECONNREFUSED" }),
};
const price = (provider: string, model: string, inputPerMillion: number) => ({
  ...{ provider, model, currency: "USD", inputPerMillion, outputPerMillion: 0 },
});

it(
  "adds what the judge used to its run and its tree's budget, at the price of who really judged",
  covers(
    "loop-criterion.judge-tokens-in-usage",
    "loop-criterion.judge-own-price",
    "loop-event.judge-fallback-named",
  ),
  async () => {
    const { run, engine } = await start({
      criteria: [{ kind: "aiJudge", judgeCriteria: ["Cites a source"] }],
      script: drafts(2),
      judge: [unreachable, { text: '{"answered":true,"gapAnalysis":""}', usage: USAGE }],
      spare: [{ text: '{"answered":false,"gapAnalysis":"Cite."}', usage: USAGE }],
      prices: [
        price("test", "test-model", 1),
        price("judges", "judge-1", 10),
        price("spares", "judge-2", 100),
      ],
    });

    const { result, runId, events } = await run("Write.");

    expect(result).toMatchObject({
      status: "Completed",
      output: "Draft 2.",
      modelId: "test-model",
      usage: { inputTokens: 400, outputTokens: 40 },
      cost: { totalCost: 0.0112 },
    });
    expect((await engine.runs.get(TENANT, runId)).budget).toMatchObject({ usedTokens: 440 });
    const judges = events.flatMap((it) =>
      it.type === "LoopIterationCompleted" ? it.payload.criteria.map(({ judge }) => judge) : [],
    );
    expect(judges).toEqual([
      { provider: "spares", model: "judge-2" },
      { provider: "judges", model: "judge-1" },
    ]);
  },
);

it("keeps a judge's fault a fault of its provider, and what its run used until then", async () => {
  const { run } = await start({
    criteria: [{ kind: "aiJudge", judgeCriteria: ["Cites a source"] }],
    script: drafts(1),
    judge: [unreachable],
    spare: [unreachable],
    onCriterionError: "FailRun",
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "provider_unavailable", class: "ProviderUnavailable" },
    usage: { inputTokens: 100, outputTokens: 10 },
  });
});

it(
  "keeps what a criterion stores for one run, and gives it to no other",
  covers("code-criterion.state-in-properties"),
  async () => {
    const seen: unknown[] = [];
    const { run } = await start({
      criteria: [{ kind: "mine" }],
      script: drafts(6),
      mine({ properties, iteration }) {
        seen.push(properties.get("round"));
        properties.set("round", iteration);
        return iteration === 3 ? STOP : { decision: "continue" };
      },
    });

    await run("Write.");
    await run("Write.");

    expect(seen).toEqual([undefined, 1, 2, undefined, 1, 2]);
  },
);

it(
  "lets a criterion check a draft in code, ask an agent below the run, and read what it likes of the answer",
  covers(
    "code-criterion.does-more-than-review",
    "code-criterion.linked-reviewer-is-child",
    "code-criterion.linked-reviewer-own-usage",
  ),
  async () => {
    const { run, engine } = await start({
      criteria: [{ kind: "mine" }],
      script: drafts(3),
      critic: [{ text: "Score: 9 of 10", usage: USAGE }],
      async mine({ lastResponse, callAgent }) {
        const { lastMessage } = lastResponse;
        if (lastMessage === "Draft 1.") return { decision: "continue", feedback: "Longer." };
        const called = await callAgent("critic", { message: lastMessage });
        return called.answered && /Score: 9/.test(called.text) ? STOP : { decision: "continue" };
      },
    });

    const { result, runId } = await run("Write.");

    const runs = await engine.runs.list(TENANT, { rootRunId: runId }, { skip: 0, take: 10 });
    expect(result).toMatchObject({ output: "Draft 2.", usage: { inputTokens: 200 } });
    expect(runs.filter(({ id }) => id !== runId)).toMatchObject([
      { agentName: "critic", parentRunId: runId, rootRunId: runId, depth: 1, usage: USAGE },
    ]);
    expect((await engine.runs.get(TENANT, runId)).budget).toMatchObject({
      usedTokens: 330,
      childRuns: 1,
    });
  },
);

it("tells a criterion why an agent it called did not answer", async () => {
  const reasons: string[] = [];
  const { run } = await start({
    criteria: [{ kind: "mine" }],
    script: drafts(1),
    agentGraph: { maxDepth: 0 },
    async mine({ callAgent }) {
      for (const name of ["critic", "nobody"]) {
        const called = await callAgent(name, { message: "Well?" });
        if (!called.answered) reasons.push(called.reason);
      }
      return STOP;
    },
  });

  await run("Write.");

  expect(reasons).toEqual([expect.stringContaining("maxDepth"), expect.any(String)]);
});

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Draft ${index + 1}.`, usage: USAGE }));

type Parts = Pick<TestEngineOptions, "prices" | "agentGraph"> & {
  readonly criteria: readonly { readonly kind: string; readonly judgeCriteria?: string[] }[];
  readonly script: readonly ScriptedStep[];
  readonly judge?: readonly ScriptedStep[];
  readonly spare?: readonly ScriptedStep[];
  readonly critic?: readonly ScriptedStep[];
  readonly onCriterionError?: "FailRun";
  readonly mine?: (context: LoopContext) => LoopEvaluation | Promise<LoopEvaluation>;
};

async function start(parts: Parts) {
  const {
    criteria,
    script,
    judge = [],
    spare = [],
    critic = [],
    mine = () => STOP,
    ...rest
  } = parts;
  const { onCriterionError, ...options } = rest;
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const outcome = onCriterionError === undefined ? {} : { onCriterionError };
  return startTestEngine({
    ...options,
    stores,
    model: scriptedModel(script),
    providers: {
      judges: scriptedModel(judge),
      spares: scriptedModel(spare),
      critics: scriptedModel(critic),
    },
    judge: {
      provider: "judges",
      model: "judge-1",
      fallbacks: [{ provider: "spares", model: "judge-2" }],
    },
    loopEvaluators: { mine: { evaluate: mine } },
    agent: {
      harness: {
        disableCompaction: true,
        disableTodoProvider: true,
        disableAgentModeProvider: true,
        harnessInstructions: "",
        loop: { criteria: [...criteria], ...outcome },
      },
    },
    agents: [{ name: "critic", model: { provider: "critics", model: "critic-1" } }],
  });
}
