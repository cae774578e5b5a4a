/**
 * How many turns, evaluations, model calls, events and frames a loop comes to: for every kind of criterion,
 * every decision it can make and when, every outcome and ceiling, streamed or not.
 *
 * What is expected is computed from the rules of the documents, in one formula and without a loop.
 */

import type { LoopOutcome, RunFrame, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type ScriptedModel,
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { criterionKinds } from "./criteria/index.ts";
import type { LoopEvaluation } from "./loop-evaluator.ts";

type Decision = "stop" | "continue" | "failed";

/** A criterion asks for more until iteration `at`, and does `how` then. */
type Plan = { readonly at: number; readonly how: Decision };

/** A kind of criterion on the stage: an engine in which it decides as planned. */
type Staged = {
  readonly criteria: readonly { readonly kind: string }[];
  readonly options?: Partial<Omit<TestEngineOptions, "stores" | "model">>;
  /** Answers of the agent's model, as many as any loop here can need. */
  readonly script: readonly ScriptedStep[];
  /** Models besides the agent's own whose calls an evaluation makes. */
  readonly models?: readonly ScriptedModel[];
  /** How often the criterion was asked, where its own code counts that. */
  readonly evaluations?: () => number;
};

type Subject = {
  readonly name: string;
  readonly kind: string;
  /** What it can do. */
  readonly decisions: readonly Exclude<Decision, "continue">[];
  readonly callsPerTurn: number;
  readonly callsPerEvaluation: number;
  /** Of an evaluation that does not fail, as far as the run pays for it. */
  readonly tokensPerEvaluation: number;
  /** Criteria of the loop that are always satisfied, before it and behind it. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
  /** Whom its entries name. */
  readonly decider: object;
  /** Type of the error with which it fails. */
  readonly fault: string;
  textOf(iteration: number, plan: Plan): string;
  stage(plan: Plan): Staged;
};

type Case = Plan & {
  /** `undefined` for the default. */
  readonly maxIterations: number | undefined;
  readonly onExhausted: LoopOutcome;
  readonly onCriterionError: LoopOutcome;
};

const NEVER = Number.POSITIVE_INFINITY;
const OUTCOMES = ["ReturnLastResponse", "FailRun"] as const;
const DEFAULT_CEILING = 10;
const MARKER = "ALL DONE";
const TOKENS_PER_CALL = 11;
const usage = { inputTokens: 10, outputTokens: 1 };
const iterations = Array.from({ length: DEFAULT_CEILING }, (_, index) => index + 1);

const draft = (iteration: number): string => `Draft ${iteration}.`;
const drafts: readonly ScriptedModelTurn[] = iterations.map((it) => ({ text: draft(it), usage }));

const code: Omit<Subject, "name"> = {
  kind: "planned",
  decisions: ["stop", "failed"],
  callsPerTurn: 1,
  callsPerEvaluation: 0,
  tokensPerEvaluation: 0,
  before: [],
  behind: [],
  decider: {},
  fault: "criterion_failed",
  textOf: draft,
  stage: (plan) => stageCode(plan, ["planned"], (decide) => decide()),
};

/** Every kind that is built in stands here, and code in three ways. */
const SUBJECTS: readonly Subject[] = [
  { ...code, name: "code" },
  {
    ...code,
    name: "slow code",
    stage: (plan) =>
      stageCode(plan, ["planned"], async (decide) => {
        await new Promise((resolve) => setImmediate(resolve));
        return decide();
      }),
  },
  {
    ...code,
    name: "code between satisfied criteria",
    before: ["first"],
    behind: ["last"],
    stage: (plan) => stageCode(plan, ["first", "planned", "last"], (decide) => decide()),
  },
  {
    ...code,
    name: "completionMarker",
    kind: "completionMarker",
    decisions: ["stop"],
    textOf: (iteration, { at }) => (iteration < at ? draft(iteration) : `${iteration} ${MARKER}`),
    stage: ({ at }) => ({
      criteria: [{ kind: "completionMarker", marker: MARKER }],
      script: drafts.map((it, index) =>
        index + 1 < at ? it : { ...it, text: `${index + 1} ${MARKER}` },
      ),
    }),
  },
  {
    ...code,
    name: "todoCompletion",
    kind: "todoCompletion",
    decisions: ["stop"],
    callsPerTurn: 2,
    stage: ({ at }) => ({
      criteria: [{ kind: "todoCompletion" }],
      options: { agent: { harness: { disableTodoProvider: false } } },
      script: withCalls((iteration) => {
        if (iteration === 1 && at > 1) return ["todos_add", { todos: [{ title: "Finish." }] }];
        const items = [{ id: 1, reason: "It is." }];
        return iteration === at ? ["todos_complete", { items }] : ["todos_get_all", {}];
      }),
    }),
  },
  {
    ...code,
    name: "backgroundTaskCompletion",
    kind: "backgroundTaskCompletion",
    decisions: ["stop"],
    callsPerTurn: 2,
    stage: stageTask,
  },
  {
    ...code,
    name: "aiJudge",
    kind: "aiJudge",
    callsPerEvaluation: 1,
    tokensPerEvaluation: 7,
    decider: { judge: { provider: "judging", model: "judge-model" } },
    fault: "provider_unavailable",
    stage({ at, how }) {
      const taking = { usage: { inputTokens: 5, outputTokens: 2 } };
      const judge = scriptedModel(
        iterations.map((it): ScriptedModelTurn => {
          if (it < at) return { ...taking, text: '{"answered":false,"gapAnalysis":"More."}' };
          if (how === "failed") return { throws: new TypeError("fetch failed") };
          return { ...taking, text: '{"answered":true,"gapAnalysis":""}' };
        }),
      );
      return {
        criteria: [{ kind: "aiJudge", judgeCriteria: ["It is done."] }],
        options: {
          judge: { provider: "judging", model: "judge-model" },
          providers: { judging: judge },
        },
        script: drafts,
        models: [judge],
      };
    },
  },
  {
    ...code,
    name: "agentReview",
    kind: "agentReview",
    callsPerEvaluation: 1,
    decider: { reviewer: { agent: "reviewer", version: 1, runId: expect.any(String) } },
    stage({ at, how }) {
      const reviewer = scriptedModel(
        iterations.map((it) => {
          if (it < at) return '{"approved":false,"feedback":"More."}';
          return how === "failed" ? "Well." : '{"approved":true,"feedback":""}';
        }),
      );
      return {
        criteria: [{ kind: "agentReview", reviewerAgent: "reviewer" }],
        options: {
          providers: { reviewing: reviewer },
          agents: [{ name: "reviewer", model: { provider: "reviewing", model: "review-model" } }],
        },
        script: drafts,
        models: [reviewer],
      };
    },
  },
];

it("shows the rules of every kind that is built in", () => {
  const shown = new Set(SUBJECTS.map(({ kind }) => kind));

  expect(criterionKinds.map(({ kind }) => kind).filter((kind) => !shown.has(kind))).toEqual([]);
});

const rows = SUBJECTS.flatMap((subject) =>
  [1, 2, 3, undefined].flatMap((maxIterations) =>
    [false, true].map((isStreaming) => ({ ...subject, subject, maxIterations, isStreaming })),
  ),
);

it.each(rows)(
  "comes to exactly what the rules say: $name, ceiling $maxIterations, streaming $isStreaming",
  covers(
    "loop.ceiling-never-open",
    "loop.usage-and-cost-are-sums",
    "loop-event.one-per-evaluated-iteration",
    "loop-event.one-event-fewer-at-ceiling",
    "loop-event.judge-named",
    "loop-event.reviewer-named",
    "fail-run.one-more-evaluation",
    "fail-run.events-match-turns",
  ),
  async ({ subject, maxIterations, isStreaming }) => {
    const stores = await openStores("memory:");
    onTestFinished(() => stores.close());
    for (const plan of plansOf(subject)) {
      for (const onExhausted of OUTCOMES) {
        for (const onCriterionError of errorOutcomesOf(plan, onExhausted)) {
          const asked = { ...plan, maxIterations, onExhausted, onCriterionError };
          const expected = expectedOf(subject, asked);

          const observed = await observe(subject, asked, { stores, isStreaming });

          expect({ asked, ...observed }).toEqual({
            asked,
            ...expected,
            frames: isStreaming ? expected.frames : [],
          });
        }
      }
    }
  },
);

const plansOf = ({ decisions }: Subject): readonly Plan[] => [
  { at: NEVER, how: "continue" },
  ...decisions.flatMap((how) => [1, 2, 3].map((at) => ({ at, how }))),
];

/** Where nothing fails, the outcome for that must not matter: it is the other one. */
const errorOutcomesOf = ({ how }: Plan, onExhausted: LoopOutcome): readonly LoopOutcome[] =>
  how === "failed" ? OUTCOMES : OUTCOMES.filter((it) => it !== onExhausted);

/**
 * The rules:
 * - the agent takes a turn for each iteration up to the one that is decided, and never more than the
 *   ceiling, which is 10 by default;
 * - each turn is evaluated, but that at the ceiling only where the loop then fails the run;
 * - each evaluation writes one event, which names who decided;
 * - the last event of a loop that nobody satisfied says that its ceiling is reached, and whether that
 *   fails the run; the event of a criterion that fails names it, and says the same;
 * - usage is that of all turns, with that of a judge.
 */
function expectedOf(subject: Subject, asked: Case) {
  const { at, how, maxIterations: ceiling = DEFAULT_CEILING } = asked;
  const lastEvaluated = asked.onExhausted === "FailRun" ? ceiling : ceiling - 1;
  const isDecided = at <= lastEvaluated;
  const turns = Math.min(at, ceiling);
  const evaluations = Math.min(at, lastEvaluated);
  const isFaulty = isDecided && how === "failed";
  const outcome = isFaulty ? asked.onCriterionError : asked.onExhausted;
  const failsRun = (isFaulty || !isDecided) && outcome === "FailRun";
  const agentCalls = turns * subject.callsPerTurn;
  const priced = evaluations - (isFaulty ? 1 : 0);
  return {
    status: failsRun ? "Failed" : "Completed",
    error: failsRun ? (isFaulty ? subject.fault : "loop_unsatisfied") : undefined,
    output: subject.textOf(turns, asked),
    iterations: turns,
    modelCalls: agentCalls + evaluations * subject.callsPerEvaluation,
    tokens: agentCalls * TOKENS_PER_CALL + priced * subject.tokensPerEvaluation,
    evaluations,
    events: iterations.slice(0, evaluations).map((iteration) => {
      const isLast = iteration === evaluations;
      const decision = isLast && isDecided ? how : "continue";
      return {
        iteration,
        continued: decision === "continue",
        ...(decision === "continue" ? { continuedBy: subject.kind } : {}),
        ...(decision === "failed" ? { failedCriterion: subject.kind } : {}),
        ...(isLast && !isDecided ? { ceilingReached: true } : {}),
        ...(isLast && failsRun ? { failsRun: true } : {}),
        criteria: [
          ...subject.before.map((kind) => ({ kind, decision: "stop" })),
          { kind: subject.kind, decision, ...subject.decider },
          ...(decision === "stop" ? subject.behind : []).map((kind) => ({ kind, decision })),
        ],
      };
    }),
    frames: [
      ...iterations
        .slice(0, turns)
        .flatMap((it) => [`text of ${it}`, ...(it <= evaluations ? [`decision ${it}`] : [])]),
      failsRun ? "error" : "done",
    ],
  };
}

async function observe(
  subject: Subject,
  asked: Case,
  { stores, isStreaming }: { readonly stores: Stores; readonly isStreaming: boolean },
) {
  const { maxIterations, onExhausted, onCriterionError } = asked;
  const { criteria, options = {}, script, models = [], evaluations } = subject.stage(asked);
  const model = scriptedModel(script);
  const { engine, run } = await startTestEngine({
    ...options,
    ...{ stores, model },
    agent: {
      ...options.agent,
      harness: {
        ...BARE_HARNESS,
        ...options.agent?.harness,
        loop: {
          criteria: [...criteria],
          ...(maxIterations === undefined ? {} : { maxIterations }),
          ...{ onExhausted, onCriterionError },
        },
      },
    },
  });

  const { result, frames, events } = await run("Write.", { isStreaming });
  await engine.close({ graceMs: 0 });

  const decided = events.flatMap((it) =>
    it.type === "LoopIterationCompleted" ? [it.payload] : [],
  );
  return {
    status: result.status,
    error: result.error?.type,
    output: result.output,
    iterations: result.iterations,
    modelCalls: [model, ...models].reduce((sum, { calls }) => sum + calls.length, 0),
    tokens: result.usage?.totalTokens,
    evaluations: evaluations?.() ?? decided.length,
    events: decided,
    frames: frames.flatMap(summary),
  };
}

/** Frames of text, of decisions and the last one. */
function summary(frame: RunFrame): readonly string[] {
  if (frame.event === "update" && frame.data.kind === "text") {
    return [`text of ${frame.data.iteration}`];
  }
  if (frame.event === "loop.iteration-completed") {
    return [`decision ${(frame.data as { iteration: number }).iteration}`];
  }
  return frame.event === "done" || frame.event === "error" ? [frame.event] : [];
}

function stageCode(
  { at, how }: Plan,
  kinds: readonly string[],
  answer: (decide: () => LoopEvaluation) => LoopEvaluation | Promise<LoopEvaluation>,
): Staged {
  let evaluations = 0;
  const decide = (iteration: number): LoopEvaluation => {
    evaluations++;
    if (iteration < at) return { decision: "continue", feedback: "More." };
    if (how === "failed") throw new Error("planned");
    return { decision: "stop" };
  };
  const planned = {
    evaluate: ({ iteration }: { iteration: number }) => answer(() => decide(iteration)),
  };
  const satisfied = { evaluate: (): LoopEvaluation => ({ decision: "stop" }) };
  return {
    criteria: kinds.map((kind) => ({ kind })),
    options: {
      loopEvaluators: Object.fromEntries(
        kinds.map((kind) => [kind, kind === "planned" ? planned : satisfied]),
      ),
    },
    script: drafts,
    evaluations: () => evaluations,
  };
}

/** A task that the agent starts at first, and that goes on until it waits for it. */
function stageTask({ at }: Plan): Staged {
  const released = Promise.withResolvers<string>();
  const name = (tool: string) => `background_agents_${tool}`;
  return {
    criteria: [{ kind: "backgroundTaskCompletion" }],
    options: {
      agent: { callableAgents: [{ name: "helper" }] },
      agents: [{ name: "helper", model: { provider: "helping", model: "helper-model" } }],
      providers: { helping: scriptedModel([() => released.promise]) },
    },
    script: withCalls((iteration) => {
      const task = { agentName: "helper", input: "Help.", description: "help" };
      if (iteration === 1 && at > 1) return [name("start_task"), task];
      if (iteration !== at || at === 1) return [name("get_all_tasks"), {}];
      released.resolve("Helped.");
      return [name("wait_for_first_completion"), { taskIds: [1] }];
    }),
  };
}

/** In each iteration a call of a tool, and then a draft. */
const withCalls = (
  callIn: (iteration: number) => readonly [name: string, input: object],
): readonly ScriptedStep[] =>
  iterations.flatMap((iteration): ScriptedStep[] => [
    () => {
      const [name, input] = callIn(iteration);
      return { toolCalls: [{ name, input }], usage };
    },
    { text: draft(iteration), usage },
  ]);
