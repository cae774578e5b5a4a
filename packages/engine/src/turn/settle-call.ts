/** One tool call of a turn: through the chain of its tool, past the guards, into the record. */

import { faultText } from "@tracon/core";
import { BLOCKED_TEXT, type ContentGuards, contentBlocked } from "../model/content-guards.ts";
import { guardToolOutput } from "../model/guard-prompt.ts";
import { inToolSpan } from "../telemetry/tool-span.ts";
import { refusedArguments } from "../tools/chain/argument-validation.ts";
import { recordedResult } from "../tools/chain/body.ts";
import type { PendingCall, ToolFault, ToolOutcome } from "../tools/chain/tool-link.ts";
import { cutText } from "../tools/cut-text.ts";
import { readArguments } from "../tools/read-arguments.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { announce, CANCELED, finish, identity, type PlacedCall } from "./placed-call.ts";
import type { StepContext } from "./step.ts";

/** What a run that goes on knows of a call beyond the call itself. */
export type CallRights = { readonly isApproved: boolean };

const NO_RIGHTS: CallRights = { isApproved: false };

/**
 * Runs a call and records it. A call that somebody else answers stays open. Rejects with the abort
 * reason of the run, or when a guard blocked the result.
 */
export async function settle(
  context: StepContext,
  call: PlacedCall,
  rights: CallRights = NO_RIGHTS,
): Promise<void> {
  announce(context, call);
  try {
    const outcome = await run(context, call, rights);
    if ("pending" in outcome) {
      call.pending = outcome;
      return;
    }
    finish(context, call, outcome);
    if (outcome.ok && outcome.blockedBy !== undefined) throw contentBlocked(outcome.blockedBy);
  } finally {
    if (call.outcome === undefined && call.pending === undefined) {
      // The call is closed in the record, with no result made up for the model.
      finish(context, call, CANCELED);
    }
  }
}

async function run(
  context: StepContext,
  call: PlacedCall,
  rights: CallRights,
): Promise<ToolOutcome | PendingCall> {
  const { tool, request } = call;
  if (tool === undefined) return unknownTool(request.toolName);
  const read = readArguments(request.input);
  if ("problem" in read) return refusedArguments(read.problem);
  // What a person approved is this call and no equal one of another attempt.
  const ledger = rights.isApproved ? undefined : context.state.ledger;
  const entry = ledger?.begin(tool.name, request.input);
  if (entry?.known !== undefined) {
    call.fromLedger = true;
    return entry.known;
  }
  const outcome = await callTool(context, { tool, call, sent: read.value, rights });
  if ("pending" in outcome) return outcome;
  entry?.note(outcome);
  return outcome;
}

const unknownTool = (name: string): ToolFault => ({
  ok: false,
  kind: "UnknownTool",
  error: `Error: There is no tool named '${cutText(name, 128)}'.`,
});

type Calling = {
  readonly tool: RegisteredTool;
  readonly call: PlacedCall;
  readonly sent: unknown;
  readonly rights: CallRights;
};

async function callTool(
  context: StepContext,
  { tool, call, sent, rights }: Calling,
): Promise<ToolOutcome | PendingCall> {
  const { agent, signal, journal } = context;
  const { host, agentName, asksAlways } = agent.toolPolicy;
  signal.throwIfAborted();
  const outcome = await tool.call({
    callId: call.historyId,
    arguments: sent,
    sent,
    agentName,
    tenantId: context.tenantId,
    runId: context.runId,
    sessionId: context.sessionId,
    isApproved: rights.isApproved,
    asksAlways,
    signal,
    abandoned: context.abandoned ?? signal,
    host,
    scope: context.scope,
    messages: () => context.prompt.slice(),
    starting: () => journal.committed(),
    around: (body) => inToolSpan(agent.tracing, describedTo(context, tool, call), body),
    progress: progressOf(context, call),
  });
  if ("pending" in outcome) return outcome;
  if (!outcome.ok) {
    if (outcome.cause !== undefined || outcome.kind === "Failed") {
      context.log.warn("a tool failed", { tool: tool.name, error: faultText(outcome.cause) });
    }
    return outcome;
  }
  const { guards } = agent;
  return guards === undefined ? outcome : guardOutcome(context, outcome, guards);
}

const describedTo = ({ runId, tenantId }: StepContext, tool: RegisteredTool, call: PlacedCall) => ({
  toolName: tool.name,
  description: tool.description,
  callId: call.request.callId,
  arguments: call.request.input,
  runId,
  tenantId,
});

/** Name of the events with which tools report progress. */
const PROGRESS_TYPE = "tracon.tool.progress";
/** Preliminary results of one call that are passed on: a tool that yields more only floods the journal. */
const MAX_PROGRESS_EVENTS = 100;
/** Longest preliminary result that is passed on, in UTF-16 units of its JSON text. */
const MAX_PROGRESS_LENGTH = 8_192;

/** No guard inspects what is preliminary, so where there are guards it is not shown. */
function progressOf(context: StepContext, call: PlacedCall): (value: unknown) => void {
  if (context.agent.guards !== undefined) return () => undefined;
  let shown = 0;
  return (value) => {
    if (++shown > MAX_PROGRESS_EVENTS || call.outcome !== undefined) return;
    const text = progressText(value);
    if (text === undefined) return;
    const data = { ...identity(context, call), preliminary: cutText(text, MAX_PROGRESS_LENGTH) };
    context.journal.emit({ type: "Custom", payload: { customType: PROGRESS_TYPE, data } });
  };
}

function progressText(value: unknown): string | undefined {
  try {
    return typeof value === "string" ? value : JSON.stringify(value);
  } catch {
    // What JSON cannot express fails the call, should it be the last one.
    return undefined;
  }
}

/** A result is inspected before it is recorded, so that the record holds no more than the model reads. */
export async function guardOutcome(
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
  return { ...outcome, output, result: recordedResult(output) ?? "" };
}
