/**
 * The turn: one invocation of an agent, model and tools taking turns until the model answers.
 *
 * This function holds the branching; every step is a function of its own. What happens goes out
 * through one `emit`. Tools run only after the model's answer ended properly, and a tool's body only
 * after the journal has its intent on disk.
 */

import { TraconError } from "@tracon/core";
import type { AnswerSink } from "../model/answer-content.ts";
import { BLOCKED_TEXT, contentBlocked } from "../model/content-guards.ts";
import { callModel, type ModelAnswer, type ModelCallRequest } from "../model/model-call.ts";
import { rawUsageOf, usageOf } from "../model/model-usage.ts";
import { followProgress } from "./follow-progress.ts";
import {
  roundMs,
  type StepContext,
  type TurnAgent,
  type TurnAnswer,
  type TurnRequest,
} from "./step.ts";
import { closeCalls, runToolBatch } from "./tool-batch.ts";

/** Runs the loop of one turn and returns the model's last answer. */
export async function runTurn(request: TurnRequest): Promise<TurnAnswer> {
  const { agent, signal, state } = request;
  let { mustAnswer } = request;
  let consecutiveErrors = state.earlierFailures.length === 0 ? 0 : 1;
  refuseMoreFailures(agent, consecutiveErrors, state.earlierFailures);

  for (;;) {
    const context: StepContext = { ...request, step: state.nextStep++ };
    const isLastCall =
      mustAnswer === true || context.step - state.firstStep >= agent.limits.maximumIterations;
    const answer = await ask(context, isLastCall);
    if (answer.calls.length === 0) {
      if (isLastCall || isFormatted(agent, answer)) return finalAnswer(context, answer);
      refuseUnfinished(context, answer);
      mustAnswer = true;
      continue;
    }
    if (isLastCall) return refuseLateCalls(context, answer);
    refuseCutAnswer(context, answer);
    await reserveToolCalls(context, answer);

    const { failures, stopped, calls } = await runToolBatch(context, answer, consecutiveErrors);
    signal.throwIfAborted();
    if (stopped.length > 0) return { text: answer.text, bound: agent.bound, stopped };
    consecutiveErrors = failures.length === 0 ? 0 : consecutiveErrors + 1;
    refuseMoreFailures(agent, consecutiveErrors, failures);
    mustAnswer = followProgress(context, calls);
  }
}

function refuseMoreFailures(
  { limits: { maximumConsecutiveErrors } }: TurnAgent,
  consecutiveErrors: number,
  failures: readonly unknown[],
): void {
  if (consecutiveErrors <= maximumConsecutiveErrors) return;
  throw new TraconError(
    "tool_failed",
    `tools failed in ${consecutiveErrors} rounds in a row (limit ${maximumConsecutiveErrors})`,
    { cause: failures.length === 1 ? failures[0] : new AggregateError(failures) },
  );
}

/** With a deferred format the answer so far is a draft, which the last call puts into its shape. */
const isFormatted = ({ format }: TurnAgent, { text }: ModelAnswer): boolean =>
  format === undefined || !format.isDeferred || format.fits(text);

async function ask(context: StepContext, isLastCall: boolean): Promise<ModelAnswer> {
  const { journal, step } = context;
  let text = "";
  const sink: AnswerSink = {
    text(delta) {
      text += delta;
      journal.textDelta(step, delta);
    },
    reasoning: (delta) => journal.reasoningDelta(step, delta),
  };
  const answer = await callModel(modelCall(context, isLastCall, sink)).catch((error: unknown) => {
    // It was shown, so it was said.
    context.state.transcript.addText(text);
    throw error;
  });
  record(context, answer);
  const { blockedBy } = answer.marks;
  if (blockedBy !== undefined) throw contentBlocked(blockedBy);
  return answer;
}

function modelCall(context: StepContext, isLastCall: boolean, sink: AnswerSink): ModelCallRequest {
  const { agent, prompt, signal, journal } = context;
  return {
    bound: agent.bound,
    send: agent.send,
    options: {
      ...(isLastCall ? agent.finalOptions : agent.callOptions),
      prompt,
      abortSignal: signal,
    },
    signal,
    sink,
    tenantId: context.tenantId,
    runId: context.runId,
    journal,
    clock: context.clock,
    log: context.log,
    budget: context.budget?.forCalls,
  };
}

function record({ agent, journal, step, iteration }: StepContext, answer: ModelAnswer): void {
  const usage = usageOf(answer.usage);
  const rawUsage = rawUsageOf(answer.usage);
  journal.emit({
    type: "MessageCompleted",
    text: answer.marks.blockedBy === undefined ? answer.text : BLOCKED_TEXT,
    payload: {
      iteration,
      step,
      modelProvider: agent.bound.provider,
      modelId: agent.bound.modelId,
      finishReason: answer.finishReason,
      toolCallCount: answer.calls.length,
      durationMs: roundMs(answer.durationMs),
      ...(answer.firstPartMs === undefined ? {} : { firstPartMs: roundMs(answer.firstPartMs) }),
      ...(usage === undefined ? {} : { usage }),
      ...(rawUsage === undefined ? {} : { rawUsage }),
      ...(answer.marks.fromCache === true ? { fromCache: true } : {}),
    },
  });
}

function finalAnswer(context: StepContext, answer: ModelAnswer): TurnAnswer {
  const messages = answer.content.messages([]);
  context.state.transcript.add(...(answer.text === "" ? [] : messages));
  refuseUnfinished(context, answer);
  context.prompt.push(...messages);
  return { text: answer.text, bound: context.agent.bound };
}

/** Calls of the last round are never run and never shown as an answer. */
function refuseLateCalls(context: StepContext, answer: ModelAnswer): TurnAnswer {
  const { progress, agent } = context;
  const isForced = progress?.isForced === true;
  const reason = isForced
    ? "the run repeated itself and was to answer"
    : "the limit of tool rounds was reached";
  closeCalls(context, answer.calls, `not run: ${reason}`);
  context.state.transcript.add(...answer.content.messagesWithoutCalls());
  refuseUnfinished(context, answer);
  if (answer.text !== "") return { text: answer.text, bound: agent.bound };
  if (isForced) throw progress.stopUnanswered(context);
  throw new TraconError(
    "tool_limit_reached",
    `the model asked for tools after ${agent.limits.maximumIterations} rounds and gave no answer`,
  );
}

/** An answer that is none must not pass for one. A text that was cut at its length is still shown. */
function refuseUnfinished({ agent }: StepContext, { finishReason, text }: ModelAnswer): void {
  const { provider } = agent.bound;
  if (finishReason === "error") {
    throw new TraconError(
      "provider_error",
      `model provider '${provider}' ended the answer with an error`,
    );
  }
  if (finishReason === "interrupted") {
    throw new TraconError(
      "provider_error",
      `model provider '${provider}' broke off the answer before it was finished`,
    );
  }
  if (text !== "") return;
  if (finishReason === "content-filter") {
    throw new TraconError(
      "content_filtered",
      `the safety filter of model provider '${provider}' withheld the answer`,
    );
  }
  if (finishReason === "length") {
    throw new TraconError(
      "response_truncated",
      "the model reached its output limit before it gave any text",
    );
  }
}

/** Why an answer that asks for tools must not be acted upon, by its finish reason. */
const CUT_REASONS: Partial<Record<ModelAnswer["finishReason"], string>> = {
  length: "the answer was cut at its length limit",
  "content-filter": "the answer was withheld by a safety filter",
  error: "the provider ended the answer with an error",
  interrupted: "the answer was interrupted",
};

/** Of a batch the tree has no room for, no call is run. */
async function reserveToolCalls(context: StepContext, answer: ModelAnswer): Promise<void> {
  try {
    await context.budget?.reserveToolCalls(answer.calls.length);
  } catch (error) {
    closeCalls(context, answer.calls, "not run: the run tree has no tool calls left");
    throw error;
  }
}

function refuseCutAnswer(context: StepContext, answer: ModelAnswer): void {
  const reason = CUT_REASONS[answer.finishReason];
  if (reason === undefined) return;
  closeCalls(context, answer.calls, `not run: ${reason}`);
  context.state.transcript.add(...answer.content.messagesWithoutCalls());
  throw new TraconError(
    "response_truncated",
    `the model asked for tools but ${reason}, so none was run`,
  );
}
