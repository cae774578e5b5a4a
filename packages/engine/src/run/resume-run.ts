/**
 * What a run takes over from the run before it in the session: decisions about its calls, and answers
 * of the client. Only what the store says of a call counts; a request can name a call and no more.
 */

import {
  type ApprovalClaim,
  type Finding,
  finding,
  type StoredApproval,
  TraconError,
} from "@tracon/core";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import { closingOf, type FunctionCall, matchResults } from "../session/call-results.ts";
import type { LoadedSession } from "../session/load-session.ts";
import type { ResumedCall } from "../turn/step.ts";
import { claimOf, isPast, type ResumeMode } from "./approval-claim.ts";
import { clientAnswer, verdictOn } from "./call-verdict.ts";
import type { ReadRunRequest } from "./start-run.ts";

export type ResumeInput = {
  readonly mode: ResumeMode;
  readonly agent: Pick<RunnableAgent, "name" | "tools" | "definitionHash">;
  readonly session: LoadedSession;
  /** Those of the session that no run has taken. */
  readonly approvals: readonly StoredApproval[];
  readonly request: Pick<ReadRunRequest, "approvals" | "toolResults">;
  /** ISO 8601, UTC. */
  readonly now: string;
};

export type ResumePlan = {
  readonly claims: readonly ApprovalClaim[];
  /** In the order of the calls. */
  readonly calls: readonly ResumedCall[];
  /** The session with what is left open closed. */
  readonly session: LoadedSession;
  readonly continuedFromRunId: string | undefined;
  /** The request decides about calls or answers some, so that it goes on with what they belong to. */
  readonly isAnswered: boolean;
};

/**
 * Throws `request_invalid` with every finding, `tool_result_conflict` and `approval_conflict`; nothing
 * is changed then.
 */
export function planResume(input: ResumeInput): ResumePlan {
  const { session, approvals, agent } = input;
  const findings = [...decisionFindings(input), ...resultFindings(input)];
  if (findings.length > 0) {
    throw new TraconError("request_invalid", "the run was not started", { findings });
  }
  const claims = new Map(approvals.map((it) => [it.id, claimOf(it, input)] as const));
  const byCallId = new Map(approvals.map((it) => [it.callId, it]));
  const calls: ResumedCall[] = [];
  for (const call of openCalls(session)) {
    const approval = byCallId.get(call.callId);
    const claim = approval && claims.get(approval.id);
    if (approval !== undefined && claim !== undefined) {
      calls.push({
        callId: call.callId,
        toolName: approval.toolName,
        input: approval.arguments,
        answer: verdictOn(approval, { claim, call, agent }),
      });
    } else if (isOfClient(call, agent)) {
      const given = input.request.toolResults.find(({ callId }) => callId === call.callId);
      const written = JSON.stringify(call.arguments ?? {});
      const answer = clientAnswer(given);
      calls.push({ callId: call.callId, toolName: call.name, input: written, answer });
    }
  }
  const awaited = new Set(calls.map(({ callId }) => callId));
  return {
    claims: [...claims.values()],
    calls,
    session: { ...session, closing: closingOf(session.messages, awaited) },
    continuedFromRunId: approvals[0]?.runId,
    isAnswered: input.request.approvals.length + input.request.toolResults.length > 0,
  };
}

/** Calls of the history without a result, in order. */
const openCalls = ({ messages }: LoadedSession): readonly FunctionCall[] =>
  [...matchResults(messages)].flatMap(([call, result]) => (result === undefined ? [call] : []));

function isOfClient({ name }: FunctionCall, { tools }: ResumeInput["agent"]): boolean {
  const tool = tools.get(name);
  return tool !== undefined && tool.execute === undefined;
}

/** Decisions address calls by their id alone, and those of one answer come together. */
function decisionFindings({ request, approvals, now }: ResumeInput): readonly Finding[] {
  const decided = new Set<string>();
  const findings = request.approvals.flatMap(({ requestId }, index) => {
    const path = `approvals[${index}].requestId`;
    if (decided.has(requestId)) {
      return [finding("duplicate_name", path, `'${requestId}' is decided twice`)];
    }
    decided.add(requestId);
    if (approvals.some((it) => it.requestId === requestId)) return [];
    const message = "nothing in this session waits for a decision under that id";
    return [finding("approval_unknown", path, message)];
  });
  if (request.approvals.length === 0) return findings;
  const missing = approvals.filter(
    ({ requestId, status, expiresAt }) =>
      status === "Pending" && !decided.has(requestId) && !isPast(expiresAt, now),
  );
  if (missing.length === 0) return findings;
  const names = missing.map(({ requestId, toolName }) => `'${requestId}' (${toolName})`).join(", ");
  const message = `decide all calls of the answer at once; missing: ${names}`;
  return [...findings, finding("approval_undecided", "approvals", message)];
}

function resultFindings({ request, session, agent }: ResumeInput): readonly Finding[] {
  const waiting = openCalls(session).filter((call) => isOfClient(call, agent));
  const open = new Set(waiting.map(({ callId }) => callId));
  const answered = new Set<string>();
  return request.toolResults.flatMap(({ callId }, index) => {
    const path = `toolResults[${index}].callId`;
    if (answered.has(callId)) {
      return [finding("duplicate_name", path, `'${callId}' is answered twice`)];
    }
    answered.add(callId);
    if (open.has(callId)) return [];
    if (wasAnswered(session, callId)) throw alreadyAnswered(callId);
    return [finding("tool_call_unknown", path, "no call of a client's tool has that id")];
  });
}

const wasAnswered = ({ messages }: LoadedSession, callId: string): boolean =>
  [...matchResults(messages)].some(
    ([call, result]) => call.callId === callId && result !== undefined,
  );

const alreadyAnswered = (callId: string): TraconError =>
  new TraconError("tool_result_conflict", `call '${callId}' has its answer already`);
