/**
 * The tool calls of one model answer.
 *
 * Every call gets exactly one result, in the order of the calls, whatever finished first. A call is
 * identified by run, step and position; the provider's id is only an attribute.
 */

import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { faultText, type RunEventPayload } from "@tracon/core";
import { historyName, type RequestedCall } from "../model/answer-content.ts";
import { BLOCKED_TEXT, type ContentGuards, contentBlocked } from "../model/content-guards.ts";
import { guardToolOutput } from "../model/guard-prompt.ts";
import type { ModelAnswer } from "../model/model-call.ts";
import { inToolSpan } from "../telemetry/tool-span.ts";
import { cutText } from "../tools/cut-text.ts";
import {
  invokeTool,
  readArguments,
  recordedResult,
  type ToolOutcome,
} from "../tools/invoke-tool.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { roundMs, type StepContext } from "./step.ts";

type FailureKind = RunEventPayload<"ToolFailed">["kind"];

/** A call with its place and its outcome, once known. */
type PlacedCall = {
  readonly request: RequestedCall;
  readonly position: number;
  /** Unique in the conversation. */
  readonly historyId: string;
  readonly tool: RegisteredTool | undefined;
  outcome: ToolOutcome | undefined;
  startedMs: number;
  /** An earlier attempt of the turn had the outcome. */
  fromLedger: boolean;
};

/** Kinds of failed calls that count towards the limit of failed rounds. */
const COUNTED: ReadonlySet<FailureKind> = new Set<FailureKind>(["InvalidArguments", "Failed"]);
const CANCELED = { ok: false, kind: "Canceled", error: "canceled before it had a result" } as const;
const NOT_RUN_TEXT = "Error: Not run, because too many tool calls failed before it.";

/**
 * Runs the calls of an answer and appends answer and results to the prompt. Returns what made calls
 * fail, for the limit of failed rounds.
 */
export async function runToolBatch(
  context: StepContext,
  answer: ModelAnswer,
  consecutiveErrors: number,
): Promise<readonly unknown[]> {
  const calls = place(context, answer.calls);
  try {
    if (context.agent.allowConcurrentToolCalls) await settleTogether(context, calls);
    else await settleInOrder(context, calls, consecutiveErrors);
  } catch (error) {
    // Every call is closed by now, and what was run is not forgotten.
    context.state.transcript.add(...roundOf(context, answer, calls));
    throw error;
  }
  const round = roundOf(context, answer, calls);
  context.state.transcript.add(...round);
  context.prompt.push(...round);
  return calls.flatMap(({ outcome }) =>
    outcome !== undefined && !outcome.ok && COUNTED.has(outcome.kind)
      ? [outcome.cause ?? new Error(outcome.error)]
      : [],
  );
}

/** An answer with the results of its calls, as a history has them. */
function roundOf(
  context: StepContext,
  answer: ModelAnswer,
  calls: readonly PlacedCall[],
): LanguageModelV4Prompt {
  const results = { role: "tool" as const, content: calls.map(resultPart) };
  context.agent.guards?.inspected.add(results);
  return [...answer.content.messages(calls.map((call) => call.historyId)), results];
}

/** Records calls that are not run, each with the reason. */
export function closeCalls(
  context: StepContext,
  calls: readonly RequestedCall[],
  reason: string,
): void {
  for (const call of place(context, calls)) {
    close(context, call, { ok: false, kind: "NotRun", error: reason });
  }
}

function place(context: StepContext, calls: readonly RequestedCall[]): PlacedCall[] {
  return calls.map((request, position) => ({
    request,
    position,
    historyId: uniqueId(context, request.callId, position),
    tool: context.agent.tools.get(request.toolName),
    outcome: undefined,
    startedMs: 0,
    fromLedger: false,
  }));
}

function uniqueId({ state, step }: StepContext, callId: string, position: number): string {
  const { usedCallIds } = state;
  let id = callId;
  for (let copy = 0; id === "" || usedCallIds.has(id); copy++) {
    id = `${callId}_${step}_${position}${copy === 0 ? "" : `_${copy}`}`;
  }
  usedCallIds.add(id);
  return id;
}

/** All are waited for, also when the run is cancelled: nothing is recorded after its end. */
async function settleTogether(context: StepContext, calls: readonly PlacedCall[]): Promise<void> {
  const settled = await Promise.allSettled(calls.map((call) => settle(context, call)));
  const failed = settled.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function settleInOrder(
  context: StepContext,
  calls: readonly PlacedCall[],
  consecutiveErrors: number,
): Promise<void> {
  const stopsAtFirst = consecutiveErrors >= context.agent.limits.maximumConsecutiveErrors;
  let stopped = false;
  for (const call of calls) {
    if (stopped) {
      close(context, call, { ok: false, kind: "NotRun", error: NOT_RUN_TEXT });
      continue;
    }
    try {
      await settle(context, call);
    } catch (error) {
      for (const open of calls.slice(call.position + 1)) close(context, open, CANCELED);
      throw error;
    }
    const { outcome } = call;
    stopped = stopsAtFirst && outcome !== undefined && !outcome.ok && COUNTED.has(outcome.kind);
  }
}

/** Records a call that is not run. */
function close(context: StepContext, call: PlacedCall, outcome: ToolOutcome & { ok: false }): void {
  announce(context, call);
  fail(context, call, outcome);
}

async function settle(context: StepContext, call: PlacedCall): Promise<void> {
  announce(context, call);
  try {
    const outcome = await run(context, call);
    if (!outcome.ok) return fail(context, call, outcome);
    call.outcome = outcome;
    context.journal.emit({
      type: "ToolInvoked",
      payload: {
        ...identity(context, call),
        result: outcome.result,
        durationMs: roundMs(context.clock.monotonicMs() - call.startedMs),
        ...(call.fromLedger ? { fromLedger: true } : {}),
      },
    });
    if (outcome.blockedBy !== undefined) throw contentBlocked(outcome.blockedBy);
  } finally {
    if (call.outcome === undefined) {
      // The call is closed in the record, with no result made up for the model.
      fail(context, call, CANCELED);
    }
  }
}

async function run(context: StepContext, call: PlacedCall): Promise<ToolOutcome> {
  const { tool, request } = call;
  if (tool === undefined) {
    return {
      ok: false,
      kind: "UnknownTool",
      error: `Error: There is no tool named '${cutText(request.toolName, 128)}'.`,
    };
  }
  const read = await readArguments(tool, request.input, context.signal);
  if ("ok" in read) return read;
  const entry = context.state.ledger?.begin(tool.name, request.input);
  if (entry?.known !== undefined) {
    call.fromLedger = true;
    return entry.known;
  }
  const outcome = await runBody(context, { tool, call, input: read.value });
  entry?.note(outcome);
  return outcome;
}

type CheckedCall = {
  readonly tool: RegisteredTool;
  readonly call: PlacedCall;
  readonly input: unknown;
};

async function runBody(context: StepContext, checked: CheckedCall): Promise<ToolOutcome> {
  // The intent is on disk before the body runs: after a crash it is known that it may have run.
  await context.journal.committed();
  const { tool, call } = checked;
  const described = {
    toolName: tool.name,
    description: tool.description,
    callId: call.request.callId,
    arguments: call.request.input,
    runId: context.runId,
    tenantId: context.tenantId,
  };
  return inToolSpan(context.agent.tracing, described, () => invoke(context, checked));
}

async function invoke(
  context: StepContext,
  { tool, call, input }: CheckedCall,
): Promise<ToolOutcome> {
  const outcome = await invokeTool({
    tool,
    callId: call.historyId,
    input,
    signal: context.signal,
    messages: () => context.prompt.slice(),
  });
  if (!outcome.ok) {
    context.log.warn("a tool failed", { tool: tool.name, error: faultText(outcome.cause) });
    return outcome;
  }
  const { guards } = context.agent;
  return guards === undefined ? outcome : guardOutcome(context, outcome, guards);
}

/** A result is inspected before it is recorded, so that the record holds no more than the model reads. */
async function guardOutcome(
  context: StepContext,
  outcome: ToolOutcome & { ok: true },
  guards: ContentGuards,
): Promise<ToolOutcome> {
  const { output, events, blockedBy } = await guardToolOutput(outcome.output, guards, context);
  for (const event of events) context.journal.emit(event);
  if (blockedBy !== undefined) {
    return {
      ok: true,
      output: { type: "text", value: BLOCKED_TEXT },
      result: BLOCKED_TEXT,
      blockedBy,
    };
  }
  if (output === outcome.output) return outcome;
  return { ok: true, output, result: recordedResult(output) ?? "" };
}

function announce(context: StepContext, call: PlacedCall): void {
  call.startedMs = context.clock.monotonicMs();
  context.journal.emit({
    type: "ToolInvoking",
    payload: { ...identity(context, call), arguments: call.request.input },
  });
}

function fail(context: StepContext, call: PlacedCall, outcome: ToolOutcome & { ok: false }): void {
  call.outcome = outcome;
  context.journal.emit({
    type: "ToolFailed",
    payload: {
      ...identity(context, call),
      error: outcome.error,
      kind: outcome.kind,
      durationMs: roundMs(context.clock.monotonicMs() - call.startedMs),
      ...(call.fromLedger ? { fromLedger: true } : {}),
    },
  });
}

const identity = ({ iteration, step }: StepContext, { request, position }: PlacedCall) => ({
  iteration,
  step,
  position,
  callId: request.callId,
  toolName: request.toolName,
});

function resultPart(call: PlacedCall): LanguageModelV4ToolResultPart {
  const { outcome, request, historyId } = call;
  const output =
    outcome === undefined
      ? ({ type: "error-text", value: "Error: The call has no result." } as const)
      : outcome.ok
        ? outcome.output
        : ({ type: "error-text", value: outcome.error } as const);
  return {
    type: "tool-result",
    toolCallId: historyId,
    toolName: historyName(request.toolName),
    output,
  };
}
