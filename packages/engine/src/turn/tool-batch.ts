/**
 * The tool calls of one model answer.
 *
 * Every call gets exactly one result, in the order of the calls, whatever finished first. A call is
 * identified by run, step and position; the provider's id is only an attribute. Calls that somebody
 * else answers get none yet: their siblings run, and the turn ends.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { TraconError } from "@tracon/core";
import type { RequestedCall } from "../model/answer-content.ts";
import type { ModelAnswer } from "../model/model-call.ts";
import {
  CANCELED,
  close,
  failuresOf,
  finish,
  isCountedFailure,
  type PlacedCall,
  place,
  resultPart,
} from "./placed-call.ts";
import { settle } from "./settle-call.ts";
import type { StepContext, StoppedCall } from "./step.ts";

const NOT_RUN_TEXT = "Error: Not run, because too many tool calls failed before it.";
const MIXED_TEXT =
  "Error: Not run, because a call beside it waits for a decision. Call it again afterwards.";

export type BatchOutcome = {
  /** What made calls fail, for the limit of failed rounds. */
  readonly failures: readonly unknown[];
  /** Calls that somebody else answers, in order. */
  readonly stopped: readonly StoppedCall[];
  /** All of them, with what they came to. */
  readonly calls: readonly PlacedCall[];
};

/** Runs the calls of an answer and appends answer and results to the prompt. */
export async function runToolBatch(
  context: StepContext,
  answer: ModelAnswer,
  consecutiveErrors: number,
): Promise<BatchOutcome> {
  const calls = place(context, answer.calls);
  try {
    if (context.agent.allowConcurrentToolCalls) await settleTogether(context, calls);
    else await settleInOrder(context, calls, consecutiveErrors);
  } catch (error) {
    // Every call is closed by now, and what was run is not forgotten.
    closeWaiting(context, calls);
    context.state.transcript.add(...roundOf(context, answer, calls));
    throw error;
  }
  if (context.signal.aborted) closeWaiting(context, calls);
  refuseToWait(context, calls);
  closeBesideApprovals(context, calls);
  const round = roundOf(context, answer, calls);
  context.state.transcript.add(...round);
  context.prompt.push(...round);
  const stopped = calls.flatMap((it) => stoppedOf(context, it));
  return { failures: failuresOf(calls), stopped, calls };
}

/** An answer with the results its calls have, as a history has them. */
function roundOf(
  context: StepContext,
  answer: ModelAnswer,
  calls: readonly PlacedCall[],
): LanguageModelV4Prompt {
  const said = answer.content.messages(calls.map((call) => call.historyId));
  return [...said, ...resultsOf(context, calls)];
}

/** The results there are, in the order of the calls: one message, or none. */
export function resultsOf(
  context: StepContext,
  calls: readonly PlacedCall[],
): LanguageModelV4Prompt {
  const content = calls.filter(({ pending }) => pending === undefined).map(resultPart);
  if (content.length === 0) return [];
  const results = { role: "tool" as const, content };
  context.agent.guards?.inspected.add(results);
  return [results];
}

/** What nobody will decide or answer ends a run below another one, with its calls closed. */
function refuseToWait(context: StepContext, calls: readonly PlacedCall[]): void {
  if (context.isChild !== true) return;
  const waiting = calls.find(({ pending }) => pending !== undefined);
  if (waiting?.pending === undefined) return;
  const { toolName } = waiting.request;
  const why =
    waiting.pending.pending === "approval"
      ? `tool '${toolName}' has to be approved`
      : `tool '${toolName}' is answered by the client`;
  for (const call of calls) {
    if (call.pending === undefined) continue;
    call.pending = undefined;
    finish(context, call, { ok: false, kind: "NotRun", error: `Error: Not run: ${why}.` });
  }
  const message = `${why}, and a run that another agent began cannot wait for that`;
  throw new TraconError("approval_unavailable", message);
}

/** The run ends before anybody could answer. */
function closeWaiting(context: StepContext, calls: readonly PlacedCall[]): void {
  for (const call of calls) {
    if (call.pending === undefined) continue;
    call.pending = undefined;
    finish(context, call, CANCELED);
  }
}

/** Two kinds of answers to one batch would have to be waited for at once. */
function closeBesideApprovals(context: StepContext, calls: readonly PlacedCall[]): void {
  if (!calls.some(({ pending }) => pending?.pending === "approval")) return;
  for (const call of calls) {
    if (call.pending?.pending !== "client") continue;
    call.pending = undefined;
    finish(context, call, { ok: false, kind: "NotRun", error: MIXED_TEXT });
  }
}

function stoppedOf(
  { iteration, step }: StepContext,
  { pending, position, historyId, request }: PlacedCall,
): StoppedCall[] {
  if (pending === undefined) return [];
  const { toolName } = request;
  return [{ ...pending, iteration, step, position, callId: historyId, toolName }];
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

/**
 * A call that ends the run tells the others to stop. All are waited for, also when the run is
 * cancelled: nothing is recorded after its end.
 */
async function settleTogether(context: StepContext, calls: readonly PlacedCall[]): Promise<void> {
  const together = new AbortController();
  const stop = () => together.abort(context.signal.reason);
  if (context.signal.aborted) stop();
  else context.signal.addEventListener("abort", stop, { once: true });
  let failed: { readonly error: unknown } | undefined;
  const settling = calls.map((call) =>
    settle({ ...context, signal: together.signal }, call).catch((error: unknown) => {
      failed ??= { error };
      together.abort(error);
    }),
  );
  await Promise.all(settling);
  context.signal.removeEventListener("abort", stop);
  if (failed !== undefined) throw failed.error;
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
    stopped = stopsAtFirst && isCountedFailure(call);
  }
}
