/**
 * A link of the chain every tool call goes through, outermost first:
 *
 *     authorization → argument validation → timeout → approval → output limit → body
 *
 * The chain is built once for each tool. A link that has nothing to do for the tool gives back `next`
 * itself. What stops a call is an outcome the model reads, never an exception: only the run's own
 * cancellation throws.
 */

import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { RunEventPayload, ToolApprovalPresentation, ToolApprovalRule } from "@tracon/core";
import type { RunScope } from "../../scope/run-scope.ts";
import type { ToolSettings } from "../tool-settings.ts";

/** What a call came to, with what the model reads and what is recorded. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly output: LanguageModelV4ToolResultOutput;
      /** The result as recorded: JSON text, or the text itself. */
      readonly result: string;
      /** Bytes of the result that were cut off. */
      readonly omittedBytes?: number;
      /** A content guard withheld the result, and the run must not go on. */
      readonly blockedBy?: { readonly guard: string; readonly rule: string };
    }
  | ToolFault;

/** A call that was not run, or whose body failed. */
export type ToolFault = {
  readonly ok: false;
  readonly kind: RunEventPayload<"ToolFailed">["kind"];
  /** What the model reads. */
  readonly error: string;
  /** For the log only. */
  readonly cause?: unknown;
};

/** A call nobody has answered yet: the run ends with it, and another one goes on. */
export type PendingCall = {
  readonly pending: "approval" | "client";
  /** As sent, parsed. */
  readonly arguments: unknown;
  readonly presentation?: ToolApprovalPresentation;
};

/** What the calls of all agents of an engine share. */
export type ToolHost = {
  /** Waits; rejects with the signal's reason when it fires first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The standing rules for a tool of an agent. */
  readonly rulesFor: (
    tenantId: string,
    agentName: string,
    toolName: string,
  ) => Promise<readonly ToolApprovalRule[]>;
};

/** One call on its way to the tool's body. */
export type ToolCall = {
  /** Unique in the conversation. */
  readonly callId: string;
  /** As the model sent them, parsed; behind argument validation as the schema reads them. */
  readonly arguments: unknown;
  /** As sent, whatever the schema made of it: what is shown, hashed and kept. */
  readonly sent: unknown;
  readonly agentName: string;
  readonly tenantId: string;
  readonly runId: string;
  readonly sessionId: string | undefined;
  /** A person approved exactly this call. */
  readonly isApproved: boolean;
  /** The agent asks for approval of every call, whatever the rules say. */
  readonly asksAlways: boolean;
  readonly signal: AbortSignal;
  /** Fires when a body that does not listen to `signal` is waited for no longer: mostly it is `signal`. */
  readonly abandoned: AbortSignal;
  readonly host: ToolHost;
  /** For the engine's own tools. */
  readonly scope: RunScope;
  /** The conversation before the call, in the AI SDK's message shape. */
  readonly messages: () => readonly unknown[];
  /** Resolves once the intent to run the body is on disk. */
  readonly starting: () => Promise<void>;
  /** Goes around the body: what runs below is told of as the tool's. */
  readonly around: (body: () => Promise<ToolOutcome>) => Promise<ToolOutcome>;
  /** Takes a preliminary result. */
  readonly progress: (value: unknown) => void;
};

export type RunToolCall = (call: ToolCall) => Promise<ToolOutcome | PendingCall>;

export type ToolLink = {
  readonly name: string;
  wrap(next: RunToolCall, tool: ToolSettings): RunToolCall;
};

/** The call as the application's code is told of it. */
export const viewOf = (call: ToolCall, { name, requiredPermission }: ToolSettings) => ({
  toolName: name,
  agentName: call.agentName,
  tenantId: call.tenantId,
  runId: call.runId,
  ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
  arguments: call.arguments,
  ...(requiredPermission === undefined ? {} : { requiredPermission }),
  signal: call.signal,
});
