/** A tool call at its place in a run, and what is recorded of it. */

import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { RunEventPayload } from "@tracon/core";
import { historyName, type RequestedCall } from "../model/answer-content.ts";
import type { PendingCall, ToolFault, ToolOutcome } from "../tools/chain/tool-link.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { roundMs, type StepContext } from "./step.ts";

export type FailureKind = RunEventPayload<"ToolFailed">["kind"];

/** A call with its place and its outcome, once known. */
export type PlacedCall = {
  readonly request: RequestedCall;
  readonly position: number;
  /** Unique in the conversation. */
  readonly historyId: string;
  readonly tool: RegisteredTool | undefined;
  outcome: ToolOutcome | undefined;
  /** Somebody else answers it. */
  pending: PendingCall | undefined;
  startedMs: number;
  /** An earlier attempt of the turn had the outcome. */
  fromLedger: boolean;
};

/** Kinds of failed calls that count towards the limit of failed rounds. */
const COUNTED: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "InvalidArguments",
  "TimedOut",
  "Failed",
]);

/** A run that was cancelled makes no result up: the call is closed in the record. */
export const CANCELED: ToolFault = {
  ok: false,
  kind: "Canceled",
  error: "canceled before it had a result",
};

export function place(context: StepContext, calls: readonly RequestedCall[]): PlacedCall[] {
  return calls.map((request, position) =>
    placed(context, request, position, uniqueId(context, request.callId, position)),
  );
}

export const placed = (
  { agent }: StepContext,
  request: RequestedCall,
  position: number,
  historyId: string,
): PlacedCall => ({
  request,
  position,
  historyId,
  tool: agent.tools.get(request.toolName),
  outcome: undefined,
  pending: undefined,
  startedMs: 0,
  fromLedger: false,
});

function uniqueId({ state, step }: StepContext, callId: string, position: number): string {
  const { usedCallIds } = state;
  let id = callId;
  for (let copy = 0; id === "" || usedCallIds.has(id); copy++) {
    id = `${callId}_${step}_${position}${copy === 0 ? "" : `_${copy}`}`;
  }
  usedCallIds.add(id);
  return id;
}

export const identity = (
  { iteration, step }: Pick<StepContext, "iteration" | "step">,
  { request, position }: PlacedCall,
) => ({
  iteration,
  step,
  position,
  callId: request.callId,
  toolName: request.toolName,
});

/** Records that a call begins. */
export function announce(context: StepContext, call: PlacedCall): void {
  call.startedMs = context.clock.monotonicMs();
  context.journal.emit({
    type: "ToolInvoking",
    payload: { ...identity(context, call), arguments: call.request.input },
  });
}

/** Records what a call came to. */
export function finish(context: StepContext, call: PlacedCall, outcome: ToolOutcome): void {
  call.outcome = outcome;
  const durationMs = roundMs(context.clock.monotonicMs() - call.startedMs);
  const measured = { durationMs, ...(call.fromLedger ? { fromLedger: true } : {}) };
  const { journal } = context;
  if (!outcome.ok) {
    const { error, kind } = outcome;
    const payload = { ...identity(context, call), error, kind, ...measured };
    journal.emit({ type: "ToolFailed", payload });
    return;
  }
  const { omittedBytes, result } = outcome;
  if (omittedBytes !== undefined) {
    const payload = { ...identity(context, call), omittedBytes };
    journal.emit({ type: "ToolOutputTruncated", payload });
  }
  journal.emit({
    type: "ToolInvoked",
    payload: { ...identity(context, call), result, ...measured },
  });
}

/** Records a call that is not run. */
export function close(context: StepContext, call: PlacedCall, fault: ToolFault): void {
  announce(context, call);
  finish(context, call, fault);
}

/** Whether a call failed in a way that counts towards the limit of failed rounds. */
export const isCountedFailure = ({ outcome }: PlacedCall): boolean =>
  outcome !== undefined && !outcome.ok && COUNTED.has(outcome.kind);

/** What made calls fail, for the limit of failed rounds. */
export const failuresOf = (calls: readonly PlacedCall[]): readonly unknown[] =>
  calls.flatMap((call) => {
    const { outcome } = call;
    if (outcome === undefined || outcome.ok || !isCountedFailure(call)) return [];
    return [outcome.cause ?? new Error(outcome.error)];
  });

/** The result as the model reads it. */
export function resultPart(call: PlacedCall): LanguageModelV4ToolResultPart {
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
