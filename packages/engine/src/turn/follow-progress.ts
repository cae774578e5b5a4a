/** Tells the watch of the run what the calls of an answer came to, and does in the turn what it demands. */

import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { CalledTool } from "../progress/call-round.ts";
import type { CalledChild } from "../progress/progress-detector.ts";
import type { RunProgress } from "../progress/run-progress.ts";
import type { PlacedCall } from "./placed-call.ts";
import type { StepContext, TurnRequest } from "./step.ts";

/** Answers whether the model may only answer from here on; throws `no_progress`. */
export function followProgress(context: StepContext, calls: readonly PlacedCall[]): boolean {
  const { progress, iteration, step } = context;
  if (progress === undefined) return false;
  tell(progress, calls, { iteration, step });
  const demand = progress.take();
  if (demand === undefined) return false;
  if (demand.action === "Stop") throw demand.error;
  if (demand.action === "Note") addNote(context, demand.note);
  return demand.action === "ForcedAnswer";
}

function tell(
  progress: RunProgress,
  calls: readonly PlacedCall[],
  place: { readonly iteration: number; readonly step: number },
): void {
  // What an earlier attempt of the turn has answered was told of then.
  const called = calls.filter(({ fromLedger }) => !fromLedger);
  progress.toolRound(called.flatMap(toolOf), place);
  for (const call of called.flatMap(childOf)) progress.childCall(call);
}

function toolOf(call: PlacedCall): readonly CalledTool[] {
  const { request, tool, outcome } = call;
  if (outcome === undefined || childOf(call).length > 0) return [];
  const { toolName, input } = request;
  // The agents act, and what they come to is told of by itself.
  const effect = tool?.isDelegation === true ? "read" : tool?.effect;
  return [{ toolName, arguments: input, outcome, effect, isPolled: tool?.isPolled }];
}

/** An agent that could not be asked, for its arguments were wrong, was not called. */
function childOf({ request, tool, outcome }: PlacedCall): readonly CalledChild[] {
  if (tool?.asksAgent === undefined || outcome?.ok !== true) return [];
  return [{ agentName: tool.asksAgent, message: request.input, answer: outcome.result }];
}

/** It is said to the model, so it stays in what the run has said. */
function addNote({ prompt, state, agent }: TurnRequest, text: string): void {
  const note: LanguageModelV4Message = { role: "user", content: [{ type: "text", text }] };
  // Nobody wrote it but us, so no guard has to be asked.
  agent.guards?.inspected.add(note);
  state.transcript.add(note);
  prompt.push(note);
}
