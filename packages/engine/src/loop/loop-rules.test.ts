/**
 * How many turns, evaluations, model calls, events and frames a loop comes to: for every kind of criterion,
 * every decision it can make and when, every outcome and ceiling, streamed or not.
 *
 * What is expected is computed from the rules of the documents, in one formula and without a loop.
 */

import type { LoopOutcome, RunEvent, RunFrame, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type ScriptedModel,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopEvaluation } from "./loop-evaluator.ts";

type Decision = "stop" | "continue" | "failed";

/** A criterion asks for more until iteration `at`, and does `how` then. */
type Plan = { readonly at: number; readonly how: Decision };

/** A kind of criterion on the stage: an engine in which it decides as planned. */
type Staged = {
  readonly criteria: readonly { readonly kind: string }[];
  readonly options: Omit<TestEngineOptions, "stores" | "model" | "agent">;
  /** Answers of the agent's model, as many as any loop here can need. */
  readonly script: Parameters<typeof scriptedModel>[0];
  /** Models besides the agent's own. */
  readonly models: readonly ScriptedModel[];
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
  /** Criteria of the loop that are always satisfied, before it and behind it. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
  stage(plan: Plan): Staged;
};

type Case = Plan & {
  /** `undefined` for the default. */
  readonly maxIterations: number | undefined;
  readonly onExhausted: LoopOutcome;
  readonly onCriterionError: LoopOutcome;
};

const DRAFTS = Array.from({ length: 10 }, (_, index) => ({
  text: `Draft ${index + 1}.`,
  usage: { inputTokens: 10, outputTokens: 1 },
}));

const code: Omit<Subject, "name"> = {
  kind: "planned",
  decisions: ["stop", "failed"],
  callsPerTurn: 1,
  callsPerEvaluation: 0,
  before: [],
  behind: [],
  stage: (plan) => stageCode(plan, ["planned"], (decide) => decide()),
};

/** Add a kind here, and every rule is shown of it. */
const SUBJECTS: readonly Subject[] = [
  { ...code, name: "code" },
  {
    ...code,
    name: "code that takes its time",
    stage: (plan) =>
      stageCode(plan, ["planned"], async (decide) => {
        await new Promise((resolve) => setImmediate(resolve));
        return decide();
      }),
  },
  {
    ...code,
    name: "code between two criteria that are satisfied",
    before: ["first"],
    behind: ["last"],
    stage: (plan) => stageCode(plan, ["first", "planned", "last"], (decide) => decide()),
  },
];

const NEVER = Number.POSITIVE_INFINITY;
const OUTCOMES = ["ReturnLastResponse", "FailRun"] as const;

const rows = SUBJECTS.flatMap((subject) =>
  [1, 2, 3, undefined].flatMap((maxIterations) =>
    [false, true].map((isStreaming) => ({
      name: subject.name,
      subject,
      maxIterations,
      isStreaming,
    })),
  ),
);

it.each(rows)(
  "comes to exactly what the rules say: $name, ceiling $maxIterations, streaming $isStreaming",
  covers(
    "loop.ceiling-never-open",
    "loop-event.one-per-evaluated-iteration",
    "loop-event.one-event-fewer-at-ceiling",
    "fail-run.one-more-evaluation",
    "fail-run.events-match-turns",
  ),
  async ({ subject, maxIterations, isStreaming }) => {
    const stores = await openStores("memory:");
    onTestFinished(() => stores.close());
    for (const plan of plansOf(subject)) {
      for (const onExhausted of OUTCOMES) {
        for (const onCriterionError of OUTCOMES) {
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

/**
 * The rules:
 * - the agent takes a turn for each iteration up to the one that is decided, and never more than the
 *   ceiling, which is 10 by default;
 * - each turn is evaluated, but that at the ceiling only where the loop then fails the run;
 * - each evaluation writes one event, which names who decided;
 * - the last event of a loop that nobody satisfied says that its ceiling is reached, and whether that
 *   fails the run; the event of a criterion that fails names it, and says the same;
 * - usage is that of all turns.
 */
function expectedOf(subject: Subject, asked: Case) {
  const { at, how, maxIterations: ceiling = 10, onExhausted, onCriterionError } = asked;
  const lastEvaluated = onExhausted === "FailRun" ? ceiling : ceiling - 1;
  const isDecided = at <= lastEvaluated;
  const turns = Math.min(at, ceiling);
  const evaluations = Math.min(at, lastEvaluated);
  const failsRun = (isDecided ? how === "failed" && onCriterionError : onExhausted) === "FailRun";
  const fault = isDecided ? "criterion_failed" : "loop_unsatisfied";
  const ending = failsRun ? "error" : "done";
  const iterations = Array.from({ length: turns }, (_, index) => index + 1);
  return {
    status: failsRun ? "Failed" : "Completed",
    ...(failsRun ? { error: fault } : { error: undefined }),
    output: `Draft ${turns}.`,
    iterations: turns,
    modelCalls: turns * subject.callsPerTurn + evaluations * subject.callsPerEvaluation,
    agentTokens: turns * 11,
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
          { kind: subject.kind, decision },
          ...(decision === "stop" ? subject.behind : []).map((kind) => ({
            kind,
            decision: "stop",
          })),
        ],
      };
    }),
    frames: [
      ...iterations.flatMap((it) => [
        `text of ${it}`,
        ...(it <= evaluations ? [`decision ${it}`] : []),
      ]),
      ending,
    ],
  };
}

async function observe(
  subject: Subject,
  asked: Case,
  { stores, isStreaming }: { readonly stores: Stores; readonly isStreaming: boolean },
) {
  const { maxIterations, onExhausted, onCriterionError } = asked;
  const { criteria, options, script, models, evaluations } = subject.stage(asked);
  const model = scriptedModel(script);
  const { engine, run } = await startTestEngine({
    ...options,
    ...{ stores, model },
    agent: {
      harness: {
        ...BARE_HARNESS,
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
    agentTokens: agentTokensOf(events),
    evaluations: evaluations?.() ?? decided.length,
    events: decided,
    frames: frames.flatMap(summary),
  };
}

const agentTokensOf = (events: readonly RunEvent[]): number =>
  events
    .flatMap((it) => (it.type === "MessageCompleted" ? [it.payload.usage?.totalTokens ?? 0] : []))
    .reduce((sum, tokens) => sum + tokens, 0);

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
    script: DRAFTS,
    models: [],
    evaluations: () => evaluations,
  };
}
