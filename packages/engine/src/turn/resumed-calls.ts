/**
 * Calls of an earlier run that this one answers before its model is asked: approved ones are run,
 * all others have their answer already.
 */

import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { ToolFault, ToolOutcome } from "../tools/chain/tool-link.ts";
import {
  announce,
  CANCELED,
  close,
  failuresOf,
  finish,
  type PlacedCall,
  placed,
  resultPart,
} from "./placed-call.ts";
import { guardOutcome, settle } from "./settle-call.ts";
import type { ResumedCall, StepContext, TurnRequest } from "./step.ts";

/**
 * Settles the calls before any ring of the turn is entered: a decision is not lost because a provider
 * cannot be reached. Their results take their places in the prompt.
 */
export async function settleResumed(
  request: TurnRequest,
  resumed: readonly ResumedCall[],
): Promise<void> {
  if (resumed.length === 0) return;
  const { state } = request;
  const context: StepContext = { ...request, step: state.nextStep++ };
  state.firstStep = state.nextStep;
  const calls = resumed.map((call, position) => placeResumed(context, call, position));
  try {
    for (const [index, call] of calls.entries()) {
      await answer(context, call, resumed[index]?.answer);
    }
  } finally {
    for (const call of calls) if (call.outcome === undefined) close(context, call, CANCELED);
    // What was run is not forgotten, whatever becomes of the run.
    state.transcript.add({ role: "tool", content: calls.map(resultPart) });
  }
  state.earlierFailures = failuresOf(calls);
  putInto(request, calls.map(resultPart));
}

const placeResumed = (context: StepContext, call: ResumedCall, position: number): PlacedCall => {
  const { callId, toolName, input } = call;
  const request = { callId, toolName, input, providerMetadata: undefined };
  return placed(context, request, position, callId);
};

/** What was approved waits for nobody any more. */
const NOT_AGAIN: ToolFault = {
  ok: false,
  kind: "ApprovalVoid",
  error: "Error: Not run: the call would have to wait once more.",
};

async function answer(
  context: StepContext,
  call: PlacedCall,
  known: ResumedCall["answer"] | undefined,
): Promise<void> {
  if (known === "run") {
    await settle(context, call, { isApproved: true });
    if (call.pending === undefined) return;
    call.pending = undefined;
    finish(context, call, NOT_AGAIN);
    return;
  }
  context.signal.throwIfAborted();
  announce(context, call);
  const outcome: ToolOutcome = known ?? NOT_AGAIN;
  const { guards } = context.agent;
  const passed =
    outcome.ok && guards !== undefined ? await guardOutcome(context, outcome, guards) : outcome;
  finish(context, call, passed);
}

/** The history has a result for each of the calls, which says only that there is none yet. */
function putInto(
  { prompt, agent }: TurnRequest,
  results: readonly LanguageModelV4ToolResultPart[],
): void {
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  for (const [index, message] of prompt.entries()) {
    if (message.role !== "tool") continue;
    if (!message.content.some((part) => part.type === "tool-result" && byId.has(part.toolCallId))) {
      continue;
    }
    const content = message.content.map((part) =>
      part.type === "tool-result" ? (byId.get(part.toolCallId) ?? part) : part,
    );
    const answered = { ...message, content };
    agent.guards?.inspected.add(answered);
    prompt[index] = answered;
  }
}
