/**
 * The turn: one invocation of an agent, model and tools taking turns until the model answers.
 *
 * This function holds the branching; every step is a function of its own. What happens goes out
 * through one `emit`. Tools run only after the model's answer ended properly, and a tool's body only
 * after the journal has its intent on disk.
 */

import { TraconError } from "@tracon/core";
import type { AnswerSink } from "../model/answer-content.ts";
import { callModel, type ModelAnswer } from "../model/model-call.ts";
import { rawUsageOf, usageOf } from "../model/model-usage.ts";
import { roundMs, type StepContext, type TurnAgent, type TurnRequest } from "./step.ts";
import { closeCalls, runToolBatch } from "./tool-batch.ts";

/** Runs the turn and returns the text of the model's last answer. */
export async function runTurn(request: TurnRequest): Promise<string> {
  const { agent, signal } = request;
  const usedCallIds = new Set<string>();
  let consecutiveErrors = 0;

  for (let step = 0; ; step++) {
    const context: StepContext = { ...request, step, usedCallIds };
    const isLastCall = step >= agent.limits.maximumIterations;
    const answer = await ask(context, isLastCall);
    if (answer.calls.length === 0) return finalText(context, answer);
    if (isLastCall) return refuseLateCalls(context, answer);
    refuseCutAnswer(context, answer);

    const failures = await runToolBatch(context, answer, consecutiveErrors);
    signal.throwIfAborted();
    consecutiveErrors = failures.length === 0 ? 0 : consecutiveErrors + 1;
    if (consecutiveErrors > agent.limits.maximumConsecutiveErrors) {
      throw new TraconError(
        "tool_failed",
        `tools failed in ${consecutiveErrors} rounds in a row (limit ${agent.limits.maximumConsecutiveErrors})`,
        { cause: failures.length === 1 ? failures[0] : new AggregateError(failures) },
      );
    }
  }
}

async function ask(context: StepContext, isLastCall: boolean): Promise<ModelAnswer> {
  const { agent, prompt, signal, journal, clock, step, iteration } = context;
  const sink: AnswerSink = {
    text: (delta) => journal.textDelta(step, delta),
    reasoning: (delta) => journal.reasoningDelta(step, delta),
  };
  const answer = await callModel({
    bound: agent.bound,
    options: {
      ...(isLastCall ? withoutTools(agent) : agent.callOptions),
      prompt,
      abortSignal: signal,
    },
    signal,
    sink,
    clock,
  });
  const usage = usageOf(answer.usage);
  const rawUsage = rawUsageOf(answer.usage);
  journal.emit({
    type: "MessageCompleted",
    text: answer.text,
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
    },
  });
  return answer;
}

/** Options of the last call, which has to be an answer: it offers no function tools. */
function withoutTools({ callOptions, bound }: TurnAgent): TurnAgent["callOptions"] {
  const { tools, toolChoice: _, ...rest } = callOptions;
  if (tools === undefined) return rest;
  if (bound.needsToolDefinitions) return { ...rest, tools, toolChoice: { type: "none" } };
  const hosted = tools.filter((tool) => tool.type !== "function");
  return hosted.length === 0 ? rest : { ...rest, tools: hosted };
}

function finalText(context: StepContext, answer: ModelAnswer): string {
  refuseUnfinished(context, answer);
  answer.content.appendTo(context.prompt, []);
  return answer.text;
}

/** Calls of the last round are never run and never shown as an answer. */
function refuseLateCalls(context: StepContext, answer: ModelAnswer): string {
  closeCalls(context, answer.calls, "not run: the limit of tool rounds was reached");
  refuseUnfinished(context, answer);
  if (answer.text !== "") return answer.text;
  throw new TraconError(
    "tool_limit_reached",
    `the model asked for tools after ${context.agent.limits.maximumIterations} rounds and gave no answer`,
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

function refuseCutAnswer(context: StepContext, answer: ModelAnswer): void {
  const reason = CUT_REASONS[answer.finishReason];
  if (reason === undefined) return;
  closeCalls(context, answer.calls, `not run: ${reason}`);
  throw new TraconError(
    "response_truncated",
    `the model asked for tools but ${reason}, so none was run`,
  );
}
