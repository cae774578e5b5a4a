/** How a loop ends that is not satisfied, or whose criterion fails. */

import { type RunEvent, type RunEventPayload, TraconError } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type LoopEngineOptions,
  type ScriptedStep,
  scriptedModel,
  startLoopEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const TENANT = "default";
const STOP: LoopEvaluation = { decision: "stop" };
const MORE: LoopEvaluation = { decision: "continue", feedback: "Once more." };
const USAGE = { inputTokens: 100, outputTokens: 10 };
const OUTCOMES = ["ReturnLastResponse", "FailRun"] as const;

const saying = (...texts: readonly string[]): readonly ScriptedStep[] =>
  texts.map((text) => ({ text, usage: USAGE }));

it(
  "completes with the last answer when its iterations are used up, and evaluates no last turn",
  covers("fail-run.default-succeeds", "loop.exhausted-default"),
  async () => {
    const { run } = await looping(saying("One.", "Two."), {
      criteria: { never: () => MORE },
      loop: { maxIterations: 2 },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "Two." });
    expect(decisionsOf(events)).toEqual([
      {
        iteration: 1,
        continued: true,
        continuedBy: "never",
        ceilingReached: true,
        criteria: [{ kind: "never", decision: "continue" }],
      },
    ]);
  },
);

it(
  "fails the run when a criterion still asks for more after the last turn",
  covers(
    "fail-run.exhausted-fails-run",
    "fail-run.exhausted-error",
    "fail-run.last-iteration-evaluated",
    "fail-run.turns-stay-max-iterations",
    "fail-run.events-match-turns",
    "fail-run.last-event-flags",
    "fail-run.error-message-no-model-text",
  ),
  async () => {
    const { run } = await looping(saying("Secret one.", "Secret two."), {
      criteria: { first: () => STOP, never: () => MORE },
      loop: { maxIterations: 2, onExhausted: "FailRun" },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({
      status: "Failed",
      output: "Secret two.",
      iterations: 2,
      error: { type: "loop_unsatisfied", class: "LoopUnsatisfied" },
    });
    expect(result.error?.message).toBe(
      "the loop of agent 'agent' ended after 2 iterations, and criterion 'never' still asks for another",
    );
    const criteria = [
      { kind: "first", decision: "stop" },
      { kind: "never", decision: "continue" },
    ];
    const shared = { continued: true, continuedBy: "never", criteria };
    expect(decisionsOf(events)).toEqual([
      { iteration: 1, ...shared },
      { iteration: 2, ...shared, ceilingReached: true, failsRun: true },
    ]);
    expect(textsOf(events).at(-1)).toBe(
      "iteration 2 continued by 'never', which fails the run: no iterations are left",
    );
  },
);

it(
  "keeps usage and cost of a failed loop, in its record, its tree's budget and the statistics",
  covers("fail-run.usage-kept", "fail-run.usage-counts-in-quota", "loop.usage-and-cost-are-sums"),
  async () => {
    const { run, engine } = await looping(saying("One.", "Two."), {
      criteria: { never: () => MORE },
      loop: { maxIterations: 2, onExhausted: "FailRun" },
      prices: [
        {
          provider: "test",
          model: "test-model",
          currency: "USD",
          inputPerMillion: 1_000,
          outputPerMillion: 10_000,
        },
      ],
    });

    const { runId } = await run("Write.");

    expect(await engine.runs.get(TENANT, runId)).toMatchObject({
      status: "Failed",
      usage: { inputTokens: 200, outputTokens: 20, totalTokens: 220 },
      cost: { totalCost: 0.4 },
      budget: { usedTokens: 220, usedCost: 0.4 },
    });
    expect(await engine.statistics.get(TENANT)).toMatchObject({
      failedRuns: 1,
      totalTokens: 220,
      totalCost: 0.4,
    });
    expect(await engine.statistics.errors(TENANT)).toMatchObject([
      { class: "LoopUnsatisfied", topClusters: [{ fingerprint: "loop_unsatisfied" }] },
    ]);
  },
);

it(
  "completes when the turn at the ceiling meets every criterion",
  covers("fail-run.satisfied-at-ceiling-completes"),
  async () => {
    const { run } = await looping(saying("One.", "Two."), {
      criteria: { good: inTurn(MORE, STOP) },
      loop: { maxIterations: 2, onExhausted: "FailRun" },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "Two." });
    expect(decisionsOf(events).at(-1)).toEqual({
      iteration: 2,
      continued: false,
      criteria: [{ kind: "good", decision: "stop" }],
    });
  },
);

it(
  "evaluates the only turn of a loop only where the loop may fail the run",
  covers("fail-run.single-turn-evaluated", "fail-run.default-single-turn-not-evaluated"),
  async () => {
    const seen: string[] = [];
    const results = [];
    for (const onExhausted of OUTCOMES) {
      const { run } = await looping(saying("One."), {
        criteria: {
          never() {
            seen.push(onExhausted);
            return MORE;
          },
        },
        loop: { maxIterations: 1, onExhausted },
      });
      const { result, events } = await run("Write.");
      results.push([result.status, decisionsOf(events).length]);
    }

    expect(seen).toEqual(["FailRun"]);
    expect(results).toEqual([
      ["Completed", 0],
      ["Failed", 1],
    ]);
  },
);

it(
  "ends with the work done so far when a criterion fails, and names the criterion",
  covers(
    "loop.criterion-error-returns-work",
    "loop.criterion-error-named",
    "loop.criterion-error-default",
    "fail-run.default-event-names-failed-criterion",
  ),
  async () => {
    const { run, log } = await looping(saying("One.", "Two."), {
      criteria: { good: inTurn(MORE, STOP), broken: failing(new RangeError("its own words")) },
    });

    const { runId, result, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "Two.", iterations: 2 });
    expect(decisionsOf(events).at(-1)).toEqual({
      iteration: 2,
      continued: false,
      failedCriterion: "broken",
      criteria: [
        { kind: "good", decision: "stop" },
        { kind: "broken", decision: "failed" },
      ],
    });
    expect(textsOf(events).at(-1)).toBe("iteration 2 ended the loop: 'broken' failed");
    expect(JSON.stringify(events)).not.toContain("its own words");
    expect(log.entries).toMatchObject([
      {
        level: "warn",
        fields: { runId, criterion: "broken", cause: "RangeError: its own words" },
      },
    ]);
  },
);

it(
  "fails the run with the error of the criterion where the loop asks for that",
  covers(
    "fail-run.criterion-error-fails-run",
    "fail-run.criterion-error-kept",
    "fail-run.criterion-error-event-flags",
  ),
  async () => {
    const unreachable = new TraconError("provider_unavailable", "the judge could not be reached");
    const { run } = await looping(saying("One."), {
      criteria: { broken: failing(unreachable) },
      loop: { onCriterionError: "FailRun" },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({
      status: "Failed",
      error: {
        type: "provider_unavailable",
        class: "ProviderUnavailable",
        message: "the judge could not be reached",
      },
      usage: { inputTokens: 100 },
    });
    expect(decisionsOf(events)).toEqual([
      {
        iteration: 1,
        continued: false,
        failedCriterion: "broken",
        failsRun: true,
        criteria: [{ kind: "broken", decision: "failed" }],
      },
    ]);
    expect(textsOf(events)).toEqual([
      "iteration 1 ended the loop: 'broken' failed and fails the run",
    ]);
  },
);

it.each<[string, unknown, string]>([
  ["an error", new RangeError("its own words"), "RangeError"],
  ["what is no error", "its own words", "a value that is no error"],
])(
  "says of %s that code threw only what it is, and the log says the rest",
  async (_, fault, type) => {
    const { run, log } = await looping(saying("One."), {
      criteria: { broken: failing(fault) },
      loop: { onCriterionError: "FailRun" },
    });

    const { result, events } = await run("Write.");

    expect(result.error).toMatchObject({
      type: "criterion_failed",
      message: `criterion 'broken' of the loop failed with ${type}`,
    });
    expect(JSON.stringify(events)).not.toContain("its own words");
    expect(JSON.stringify(log.entries)).toContain("its own words");
  },
);

it(
  "keeps the two outcomes apart",
  covers("fail-run.outcomes-independent", "fail-run.outcomes"),
  async () => {
    const loop = {
      maxIterations: 2,
      onExhausted: "FailRun",
      onCriterionError: "ReturnLastResponse",
    } as const;
    const broken = failing(new Error("broken"));
    const decide = inTurn(MORE, STOP);
    const kept = await looping(saying("One.", "Two."), {
      criteria: { good: decide, broken },
      loop,
    });
    const failed = await looping(saying("One."), {
      criteria: { never: () => MORE, broken },
      loop: { maxIterations: 1, onExhausted: "FailRun" },
    });

    const results = [(await kept.run()).result, (await failed.run()).result];

    expect(results).toMatchObject([
      { status: "Completed", output: "Two." },
      { status: "Failed", error: { type: "loop_unsatisfied" } },
    ]);
  },
);

it.each(OUTCOMES)(
  "ends a run as canceled that is canceled within a criterion (%s)",
  covers("fail-run.cancelled-ends-canceled"),
  async (outcome) => {
    const reached = Promise.withResolvers<void>();
    const { engine, events } = await looping(saying("One."), {
      criteria: {
        deaf() {
          reached.resolve();
          return new Promise<LoopEvaluation>(() => undefined);
        },
      },
      loop: { onExhausted: outcome, onCriterionError: outcome },
    });
    const run = await engine.runs.start(TENANT, "agent", { message: "Write." });
    await reached.promise;

    await engine.runs.cancel(TENANT, run.runId);
    const result = await run.result;

    expect(result).toMatchObject({ status: "Canceled", usage: { inputTokens: 100 } });
    expect(decisionsOf(await events(run.runId))).toEqual([]);
  },
);

it.each(OUTCOMES)(
  "does not take what a criterion throws when its run is canceled for its own fault (%s)",
  async (outcome) => {
    const reached = Promise.withResolvers<void>();
    const { engine } = await looping(saying("One."), {
      criteria: {
        listening({ signal }) {
          reached.resolve();
          return new Promise<LoopEvaluation>((_, reject) => {
            signal.addEventListener("abort", () => reject(new TypeError("fetch failed")));
          });
        },
      },
      loop: { onCriterionError: outcome },
    });
    const run = await engine.runs.start(TENANT, "agent", { message: "Write." });
    await reached.promise;

    await engine.runs.cancel(TENANT, run.runId);

    expect((await run.result).status).toBe("Canceled");
  },
);

it("takes a criterion that gives up by itself for one that failed", async () => {
  const { run } = await looping(saying("One."), {
    criteria: { impatient: failing(new DOMException("gave up", "AbortError")) },
    loop: { onCriterionError: "FailRun" },
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "criterion_failed", message: expect.stringContaining("AbortError") },
  });
});

it("fails with the error of a turn that fails, and keeps the usage of those before", async () => {
  const { run } = await looping([...saying("One."), { throws: new TypeError("fetch failed") }], {
    criteria: { never: () => MORE },
  });

  const { result, events } = await run("Write.");

  expect(result).toMatchObject({
    status: "Failed",
    iterations: 2,
    error: { type: "provider_unavailable" },
    usage: { inputTokens: 100 },
  });
  expect(decisionsOf(events)).toHaveLength(1);
});

it(
  "asks no judge about an iteration that a criterion before it continues",
  covers("loop.later-judge-costs-nothing"),
  async () => {
    const judge = scriptedModel(['{"answered":true,"gapAnalysis":""}']);
    const { run } = await looping(saying("One.", "Two."), {
      criteria: { good: inTurn(MORE, STOP) },
      behind: [{ kind: "aiJudge", judgeCriteria: ["It is good."] }],
      judge: { provider: "judging", model: "judge-model" },
      providers: { judging: judge },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({ output: "Two.", iterations: 2 });
    expect(judge.calls).toHaveLength(1);
    expect(decisionsOf(events).map(({ criteria }) => criteria.length)).toEqual([1, 2]);
  },
);

it("says that a criterion cannot call an agent where there is none", async () => {
  const called: unknown[] = [];
  const { run } = await looping(saying("One."), {
    criteria: {
      async asking({ callAgent }) {
        called.push(await callAgent("nobody", { message: "Is it good?" }));
        return STOP;
      },
    },
  });

  await run("Write.");

  expect(called).toEqual([{ answered: false, reason: expect.stringContaining("nobody") }]);
});

it("lets a criterion call another agent below the run", async () => {
  const called: unknown[] = [];
  const { run, engine } = await looping(saying("One."), {
    criteria: {
      async asking({ callAgent }) {
        called.push(await callAgent("critic", { message: "Is it good?" }));
        return STOP;
      },
    },
    providers: { other: scriptedModel(["It is."]) },
    agents: [{ name: "critic", model: { provider: "other", model: "critic-model" } }],
  });

  const { runId, result } = await run("Write.");

  expect(result.output).toBe("One.");
  expect(called).toEqual([{ answered: true, text: "It is.", runId: expect.any(String) }]);
  const [{ runId: childId }] = called as [{ runId: string }];
  expect(await engine.runs.get(TENANT, childId)).toMatchObject({
    agentName: "critic",
    parentRunId: runId,
  });
});

/** One decision after the other, by iteration. */
function inTurn(...evaluations: readonly LoopEvaluation[]) {
  return ({ iteration }: LoopContext): LoopEvaluation => evaluations[iteration - 1] ?? MORE;
}

const failing = (fault: unknown) => (): LoopEvaluation => {
  throw fault;
};

const decisionsOf = (
  events: readonly RunEvent[],
): readonly RunEventPayload<"LoopIterationCompleted">[] =>
  events.flatMap((it) => (it.type === "LoopIterationCompleted" ? [it.payload] : []));

const textsOf = (events: readonly RunEvent[]): readonly (string | undefined)[] =>
  events.flatMap((it) => (it.type === "LoopIterationCompleted" ? [it.text] : []));

async function looping(
  script: readonly ScriptedStep[],
  options: Omit<LoopEngineOptions, "stores" | "model">,
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const started = await startLoopEngine({ ...options, stores, model });
  onTestFinished(() => started.engine.close({ graceMs: 0 }));
  onTestFinished(() => model.assertDone());
  return started;
}
