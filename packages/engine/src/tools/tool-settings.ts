/** A tool as its chain works with it: what was registered, with every default applied. */

import type { Tool } from "@ai-sdk/provider-utils";
import type { ToolCallView } from "./tool-registration.ts";
import type { ToolSchema } from "./tool-schema.ts";

/** Whether a call of a tool has to be approved, as code decides it. */
export type ApprovalPolicy =
  /** No call has to be. */
  | "never"
  /** Every call has to be, unless a standing rule covers it. */
  | "unless-covered"
  | ((call: ToolCallView, conversation: ToolConversation) => unknown);

/** What the AI SDK tells a tool's own functions of a call. */
export type ToolConversation = {
  readonly toolCallId: string;
  readonly messages: () => readonly unknown[];
};

export type ToolSettings = {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: ToolSchema;
  readonly effect: ToolEffect | undefined;
  readonly safeToRepeat: boolean;
  /** Equal calls with equal results wait for something. */
  readonly isPolled: boolean;
  /** What it does is done by other agents, whose runs are their own. */
  readonly isDelegation: boolean;
  /** Name of the agent that a call asks and waits for; absent when it asks none. */
  readonly asksAgent: string | undefined;
  readonly strict: boolean | undefined;
  /** Why no provider could keep strictly to the schema of a strict tool. */
  readonly strictProblems: readonly string[];
  /** Absent when the client answers the calls. */
  readonly execute: Tool["execute"];
  readonly toModelOutput: Tool["toModelOutput"];
  readonly authorize: ((call: ToolCallView) => unknown) | undefined;
  readonly approval: ApprovalPolicy;
  /** What a person is shown of a call besides its arguments. */
  readonly present: ((call: ToolCallView) => unknown) | undefined;
  readonly requiredPermission: string | undefined;
  /** How long a call is waited for, in milliseconds. */
  readonly timeoutMs: number;
  /** Longest result in bytes of UTF-8; absent when any length is passed on. */
  readonly maxOutputBytes: number | undefined;
};

/** What running a tool may change. Information for people and for continuation after a crash. */
export type ToolEffect = "read" | "idempotent" | "reversible" | "irreversible";
