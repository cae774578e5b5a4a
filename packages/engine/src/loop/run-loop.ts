/**
 * The outer loop: invokes an agent again until its criteria say that the work is finished.
 *
 *     turn ──▶ a call waits? ──▶ ceiling? ──▶ criteria ── all satisfied ──▶ done
 *      ▲          │ stops        │ done          │ one asks for more
 *      └──────────┴──────────────┴── next input ─┘
 *
 * Criteria report; what becomes of the run is decided here and nowhere else.
 */

import { type ChatMessage, faultText } from "@tracon/core";
import { BACKGROUND_TASKS_KEY } from "../scope/background-tasks.ts";
import type { RunState } from "../scope/run-state.ts";
import type { StoppedCall, TurnJournal } from "../turn/step.ts";
import { callAgentIn } from "./call-agent.ts";
import type { CompiledLoop } from "./compiled-loop.ts";
import type { EvaluatedIteration } from "./criterion.ts";
import { type Continuation, evaluateCriteria, type Verdict } from "./evaluate-criteria.ts";
import { followProgress } from "./follow-progress.ts";
import { inspectInput } from "./inspect-input.ts";
import { iterationEvent } from "./iteration-event.ts";
import { LoopConversation, type LoopTurns } from "./loop-conversation.ts";
import { criterionFailed, loopUnsatisfied } from "./loop-fault.ts";
import { keepProgress, type LoopProgress, takeProgress } from "./loop-progress.ts";
import { loopResponseOf } from "./loop-response.ts";
import { meaningOf, nextInput } from "./next-input.ts";

/** Where a run with a loop reports what happens. */
export type IterationJournal = TurnJournal & {
  /** What is reported from here on belongs to this iteration. */
  beginIteration(iteration: number): void;
};

/** The run in which an agent is invoked again. */
export type LoopRun = LoopTurns & {
  readonly agentName: string;
  readonly journal: IterationJournal;
  /** The run goes on where an earlier one stopped, instead of beginning with something new. */
  readonly continuesTurn: boolean;
};

/** What a loop knows of itself between iterations. */
type Memory = {
  readonly initialMessages: readonly ChatMessage[];
  readonly initialAt: LoopProgress["initialAt"];
  readonly feedback: (string | undefined)[];
  readonly properties: Map<string, unknown>;
  /** What an iteration with a fresh context begins with; `undefined` when none does. */
  readonly fresh: LoopProgress["fresh"];
};

/**
 * Runs turns until the loop ends. Resolves with the calls it stops for, if there are any; throws
 * `loop_unsatisfied`, `no_progress`, the error of a criterion, and whatever ends a turn.
 */
export async function runLoop(loop: CompiledLoop, run: LoopRun): Promise<readonly StoppedCall[]> {
  const left = takeProgress(run.request.scope.state);
  const progress = run.continuesTurn ? left : undefined;
  const memory = memoryOf(loop, run, progress);
  const conversation = new LoopConversation(run, progress);
  let mustAnswer = false;
  for (let iteration = progress?.iteration ?? 1; ; iteration++) {
    run.journal.beginIteration(iteration);
    const stopped = await conversation.turn(iteration, mustAnswer);
    if (stopped.length > 0) {
      const { initialAt, feedback, fresh } = memory;
      const kept = { iteration, initialAt, feedback, fresh, ...conversation.place() };
      keepProgress(run.request.scope.state, kept);
      return stopped;
    }
    if (iteration >= loop.maxIterations && loop.onExhausted !== "FailRun") return [];
    const evaluated = evaluatedOf(run, memory, iteration, conversation.words());
    const verdict = await evaluateCriteria(loop.criteria, evaluated);
    record(loop, run, iteration, verdict);
    if (verdict.decision === "stop") return [];
    if (verdict.decision === "failed") return endWithFault(loop, run, verdict);
    if (iteration >= loop.maxIterations) throw loopUnsatisfied(run, iteration, verdict.by);
    const ended = { iteration, text: evaluated.lastResponse.text, isForced: mustAnswer };
    const next = followProgress(run.request.progress, ended, verdict);
    ({ mustAnswer } = next);
    const { continuation } = verdict;
    await goOn(loop, run, { memory, conversation, continuation, note: next.note });
  }
}

function memoryOf(
  { freshContextPerIteration }: CompiledLoop,
  { asked, request, conversation: { stored } }: LoopRun,
  progress: LoopProgress | undefined,
): Memory {
  const before = progress?.initialAt ?? [];
  const initial = before.flatMap((at) => stored[at] ?? []);
  return {
    initialMessages: asked === undefined ? initial : [...initial, asked],
    initialAt: asked === undefined ? before : [...before, stored.length],
    feedback: [...(progress?.feedback ?? [])],
    properties: new Map(),
    fresh: freshContextPerIteration
      ? (progress?.fresh ?? request.scope.state.snapshot())
      : undefined,
  };
}

/** The event is on its way before anything of the next iteration is. */
function record(loop: CompiledLoop, run: LoopRun, iteration: number, verdict: Verdict): void {
  const fails = loop.onExhausted === "FailRun";
  // Without a failure the last turn is not evaluated, so the event before it is the last one.
  const lastEvaluated = fails ? loop.maxIterations : loop.maxIterations - 1;
  const ceilingReached = verdict.decision === "continue" && iteration >= lastEvaluated;
  const failsRun =
    verdict.decision === "failed" ? loop.onCriterionError === "FailRun" : ceilingReached && fails;
  run.journal.emit(iterationEvent({ iteration, verdict, ceilingReached, failsRun }));
}

/** The work done so far is the answer, unless the loop is to fail the run. */
function endWithFault(
  { onCriterionError }: CompiledLoop,
  { request: { log, runId }, agentName }: LoopRun,
  { by, error }: Extract<Verdict, { decision: "failed" }>,
): readonly StoppedCall[] {
  if (onCriterionError === "FailRun") throw criterionFailed(by, error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  log.warn("a criterion of a loop failed; the loop ends with the last answer", {
    ...{ runId, agent: agentName, criterion: by },
    ...{ error: faultText(error), cause: faultText(cause) },
  });
  return [];
}

type NextIteration = {
  readonly memory: Memory;
  readonly conversation: LoopConversation;
  readonly continuation: Continuation;
  /** What the watch of the run has to say. */
  readonly note: string | undefined;
};

async function goOn(
  loop: CompiledLoop,
  { request }: LoopRun,
  { memory, conversation, continuation: asked, note }: NextIteration,
): Promise<void> {
  const { guards } = request.agent;
  const passed = guards === undefined ? asked : await inspectInput(asked, guards, request);
  const continuation = meaningOf(passed);
  memory.feedback.push(continuation.feedback);
  const input = nextInput(continuation, { ...loop, ...memory, note });
  if (memory.fresh === undefined) {
    conversation.goOn(input);
    return;
  }
  goBack(request.scope.state, memory.fresh);
  conversation.startAfresh(input);
}

/** Tasks that were started go on whatever a new iteration knows of them, so they are not taken back. */
function goBack(state: RunState, snapshot: NonNullable<Memory["fresh"]>): void {
  const tasks = state.get(BACKGROUND_TASKS_KEY);
  state.restore(snapshot);
  state.set(BACKGROUND_TASKS_KEY, tasks);
}

function evaluatedOf(
  { agentName, request }: LoopRun,
  { initialMessages, feedback, properties }: Memory,
  iteration: number,
  words: readonly ChatMessage[],
): EvaluatedIteration {
  const { tenantId, runId, sessionId, signal, scope, journal, clock, log, budget } = request;
  return {
    ...{ agentName, tenantId, runId, sessionId, iteration, properties, signal },
    initialMessages: Object.freeze([...initialMessages]),
    lastResponse: loopResponseOf(words),
    feedback: Object.freeze([...feedback]),
    callAgent: callAgentIn(scope, signal),
    ...{ scope, journal, clock, log, budget },
  };
}
