/** What a turn works with: fixed by the compiler, given by the run, or known of one step. */

import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Clock, Log, RunEventDraft } from "@tracon/core";
import type { ContentGuards } from "../model/content-guards.ts";
import type { BoundModel } from "../model/provider-registry.ts";
import type { CallBudget, SendModelRequest } from "../model/ring.ts";
import type { RunProgress } from "../progress/run-progress.ts";
import type { RunScope } from "../scope/run-scope.ts";
import { type Conversation, newConversation } from "../session/conversation.ts";
import type { TurnTranscript } from "../session/turn-transcript.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { PendingCall, ToolHost, ToolOutcome } from "../tools/chain/tool-link.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import type { ToolLedger } from "./tool-ledger.ts";

/** Where a turn reports what happens. */
export type TurnJournal = {
  emit(event: RunEventDraft): void;
  textDelta(step: number, delta: string): void;
  reasoningDelta(step: number, delta: string): void;
  /** Resolves when everything emitted so far is on disk, or recording has stopped. */
  committed(): Promise<void>;
};

/** Options of a model call; the prompt and the signal are added for each. */
export type TurnCallOptions = Omit<LanguageModelV4CallOptions, "prompt" | "abortSignal">;

/** What a turn works with, fixed when the agent was compiled. */
export type TurnAgent = {
  readonly bound: BoundModel;
  /** The way to the provider, through all rings. */
  readonly send: SendModelRequest;
  /** Sampling, provider options and function tools. */
  readonly callOptions: TurnCallOptions;
  /** The same for a call that has to be an answer: it offers no function tools. */
  readonly finalOptions: TurnCallOptions;
  /** The shape of the answer; absent when it is text. */
  readonly format: AnswerFormat | undefined;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly limits: TurnLimits;
  readonly allowConcurrentToolCalls: boolean;
  readonly toolPolicy: ToolPolicy;
  readonly guards: ContentGuards | undefined;
  /** Absent when nothing is told of tool calls. */
  readonly tracing: Tracing | undefined;
  /** The same agent with further tools, which only one run has. */
  readonly offering: ((added: readonly RegisteredTool[]) => TurnAgent) | undefined;
};

/** What an agent says of all its tool calls. */
export type ToolPolicy = {
  readonly host: ToolHost;
  readonly agentName: string;
  /** Every call waits for a decision, whatever its tool and the standing rules say. */
  readonly asksAlways: boolean;
};

/** The JSON an answer has to be. */
export type AnswerFormat = {
  readonly kind: "Json" | "JsonSchema";
  readonly schemaName: string | undefined;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** The format is asked for in a last call without tools, unless the answer already `fits`. */
  readonly isDeferred: boolean;
  /** Whether a text already is what is asked for. */
  fits(text: string): boolean;
};

export type TurnLimits = {
  /** Model calls that may ask for tools; one more follows that offers none. */
  readonly maximumIterations: number;
  /** Tool batches in a row that may hold a failed call. */
  readonly maximumConsecutiveErrors: number;
};

/** What goes on when a turn is begun again with another model: nothing in it is used twice. */
export type TurnState = {
  /** Number of the next model call. */
  nextStep: number;
  /** Ids of tool calls already used in the turn's history. */
  readonly usedCallIds: Set<string>;
  /** What the run says, for its session. */
  readonly transcript: TurnTranscript;
  /** Number of the first model call: answering the calls of an earlier run is a step before it. */
  firstStep: number;
  /** What made calls of an earlier run fail when this one ran them. */
  earlierFailures: readonly unknown[];
  /** Outcomes of earlier attempts; absent when there can be none. */
  ledger: ToolLedger | undefined;
};

/** A call of an earlier run: to be run now, because a person approved it, or with its answer. */
export type ResumedCall = {
  /** Its id in the history. */
  readonly callId: string;
  readonly toolName: string;
  /** JSON text of its arguments. */
  readonly input: string;
  readonly answer: "run" | ToolOutcome;
};

export const createTurnState = (conversation: Conversation = newConversation()): TurnState => ({
  nextStep: 0,
  firstStep: 0,
  earlierFailures: [],
  usedCallIds: new Set(conversation.callIds),
  transcript: conversation.transcript,
  ledger: undefined,
});

/** The last answer of a turn, and who gave it. */
export type TurnAnswer = {
  readonly text: string;
  readonly bound: BoundModel;
  /** Calls of the answer that nobody has answered yet, in order; the turn ends with them. */
  readonly stopped?: readonly StoppedCall[];
};

/** A call with which a turn ends: somebody decides or answers it, and another run goes on. */
export type StoppedCall = PendingCall & {
  readonly iteration: number;
  readonly step: number;
  readonly position: number;
  /** Unique in the conversation. */
  readonly callId: string;
  readonly toolName: string;
};

export type TurnRequest = {
  readonly agent: TurnAgent;
  /** Tools that only this run has: the agent offers them already, a fallback has to as well. */
  readonly addedTools?: readonly RegisteredTool[];
  readonly tenantId: string;
  readonly runId: string;
  readonly sessionId?: string | undefined;
  /** Whether somebody follows the answer as it comes. */
  readonly isStreaming: boolean;
  /** The turn is saved in a session. Default false. */
  readonly hasSession?: boolean;
  readonly state: TurnState;
  /** The conversation; the turn appends to it. */
  readonly prompt: LanguageModelV4Prompt;
  /** Iteration of the outer loop, from 1. */
  readonly iteration: number;
  readonly signal: AbortSignal;
  /** Fires when a tool that does not listen to `signal` is waited for no longer; absent when that is at once. */
  readonly abandoned?: AbortSignal | undefined;
  /** Nobody decides or answers calls of the run: it is one below another. Default false. */
  readonly isChild?: boolean | undefined;
  readonly journal: TurnJournal;
  readonly clock: Clock;
  readonly log: Log;
  readonly budget?: TurnBudget | undefined;
  readonly scope: RunScope;
  /** Watches whether the run gets anywhere; absent when nobody does. */
  readonly progress?: RunProgress | undefined;
  /** The model may only answer: it is offered no tools. Default false. */
  readonly mustAnswer?: boolean | undefined;
};

/** The run's share of its tree's budget. */
export type TurnBudget = {
  /** Absent when nothing limits what model calls spend. */
  readonly forCalls: CallBudget | undefined;
  /** Counts tool calls before they run; rejects with `budget_exceeded` when there are none left. */
  reserveToolCalls(count: number): Promise<void>;
};

export const DEFAULT_TURN_LIMITS: TurnLimits = {
  maximumIterations: 40,
  maximumConsecutiveErrors: 3,
};

/** What one step knows of its turn. */
export type StepContext = TurnRequest & {
  readonly step: number;
};

/** Milliseconds with the microseconds a timer really has. */
export const roundMs = (durationMs: number): number => Math.round(durationMs * 1_000) / 1_000;
