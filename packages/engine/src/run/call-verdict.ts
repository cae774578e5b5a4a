/** What becomes of a call that waited: it is run, or the model reads why it is not. */

import { type ApprovalClaim, canonicalJson, type StoredApproval } from "@tracon/core";
import { argumentsHashOf } from "../approval/standing-rule.ts";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import { historyName } from "../model/answer-content.ts";
import type { FunctionCall } from "../session/call-results.ts";
import type { ToolFault, ToolOutcome } from "../tools/chain/tool-link.ts";
import { readArguments } from "../tools/read-arguments.ts";
import type { ResumedCall } from "../turn/step.ts";

type Bound = {
  readonly claim: ApprovalClaim;
  /** The call as the history has it. */
  readonly call: FunctionCall;
  readonly agent: Pick<RunnableAgent, "name" | "tools" | "definitionHash">;
};

/** An approval lets exactly the call pass that was asked for; whatever has changed voids it. */
export function verdictOn(approval: StoredApproval, bound: Bound): ResumedCall["answer"] {
  const { claim } = bound;
  if (claim.status !== "Approved") return declinedFault(claim);
  const change = changeSince(approval, bound);
  return change === undefined ? "run" : voided(change);
}

function changeSince(approval: StoredApproval, { call, agent }: Bound): string | undefined {
  if (approval.agentName !== agent.name || approval.contentHash !== agent.definitionHash) {
    return "the agent has changed since it was asked for";
  }
  if (agent.tools.get(approval.toolName)?.execute === undefined) {
    return "the agent has no such tool any more";
  }
  const read = readArguments(approval.arguments);
  if ("problem" in read || argumentsHashOf(read.value) !== approval.argumentsHash) {
    return "its arguments are not those that were asked for";
  }
  // A history holds an object, whatever the model sent.
  const isSame =
    call.name === historyName(approval.toolName) &&
    canonicalJson(call.arguments ?? {}) === canonicalJson(read.value);
  return isSame ? undefined : "the conversation has another call in its place";
}

const voided = (why: string): ToolFault => ({
  ok: false,
  kind: "ApprovalVoid",
  error: `Error: Not run: the call was approved, but ${why}. Call it again if it is still needed.`,
});

/** A model that reads no reason asks again, so there is always one. */
const NO_REASON = "no reason was given; do not call it again unless the user asks for it";

function declinedFault({ status, reason }: ApprovalClaim): ToolFault {
  const text = reason === undefined || reason.trim() === "" ? undefined : reason;
  const what = status === "Expired" ? "expired" : "was declined";
  const why = text ?? (status === "Expired" ? "nobody decided in time" : NO_REASON);
  return { ok: false, kind: "Declined", error: `Error: Not run: the call ${what}: ${why}` };
}

/** What the client made of its own tool's call. */
export function clientAnswer(
  given:
    | { readonly result?: string | undefined; readonly errorMessage?: string | undefined }
    | undefined,
): ToolOutcome {
  if (given?.result !== undefined) {
    const { result } = given;
    return { ok: true, output: { type: "text", value: result }, result };
  }
  const error = given?.errorMessage ?? "the client gave no result";
  return { ok: false, kind: "Failed", error: `Error: ${error}` };
}
