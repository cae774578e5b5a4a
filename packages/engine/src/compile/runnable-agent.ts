/** An agent as a run needs it, whether it was compiled of a definition or built by code. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type AgentDefinitionContent, type ChatMessage, parseDuration } from "@tracon/core";
import type { EstimatedCall } from "../budget/call-estimate.ts";
import { takeProgress } from "../loop/loop-progress.ts";
import { type IterationJournal, type LoopRun, runLoop } from "../loop/run-loop.ts";
import type { ContentGuards } from "../model/content-guards.ts";
import type { BoundModel } from "../model/provider-registry.ts";
import type { AgentProgress } from "../progress/run-progress.ts";
import type { Conversation } from "../session/conversation.ts";
import { promptOfHistory } from "../session/history-prompt.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { settleResumed } from "../turn/resumed-calls.ts";
import {
  createTurnState,
  type ResumedCall,
  type StoppedCall,
  type TurnRequest,
} from "../turn/step.ts";
import type { CompiledAgent } from "./compile-agent.ts";

export type RunnableAgent = {
  readonly name: string;
  readonly version: number;
  /** Who is asked first; absent when nobody said. */
  readonly model: { readonly provider: string; readonly model: string } | undefined;
  /** The agent answers in JSON. */
  readonly hasJsonOutput: boolean;
  readonly guards: ContentGuards | undefined;
  /** Absent for an agent that code builds: what shaped it cannot be hashed. */
  readonly lockfileHash: string | undefined;
  /** Hash of the definition's content; absent for an agent that code builds. */
  readonly definitionHash: string | undefined;
  /** How long the agent waits for those it calls, where its definition says so. */
  readonly childWaits: { readonly childDeadlineMs?: number; readonly waitTimeoutMs?: number };
  /** What is done about runs of it that get nowhere; absent for an agent that code builds. */
  readonly progress: AgentProgress | undefined;
  /** The tools of the definition. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** The model call an answer begins with, as far as it is known; absent when it is not. */
  firstCall?(
    asked: ChatMessage | undefined,
    conversation: Conversation,
  ): EstimatedCall & { readonly bound: BoundModel };
  /**
   * Answers one message, or goes on without one, reporting everything to the journal. Resolves with the
   * calls with which the turn ends, if there are any.
   */
  answer(asked: ChatMessage | undefined, run: AgentRun): Promise<readonly StoppedCall[]>;
};

/** The run an agent answers in. */
export type AgentRun = Pick<
  TurnRequest,
  | "tenantId"
  | "runId"
  | "sessionId"
  | "isStreaming"
  | "signal"
  | "clock"
  | "log"
  | "budget"
  | "scope"
  | "abandoned"
  | "isChild"
  | "progress"
> & {
  readonly journal: IterationJournal;
  /** What the message continues. */
  readonly conversation: Conversation;
  /** Calls of an earlier run that this one answers first. */
  readonly resumed: readonly ResumedCall[];
  /**
   * The run goes on where the earlier one stopped, whether or not it was told something besides; otherwise
   * its message is a new one, and what was left open is closed.
   */
  readonly continuesTurn: boolean;
};

/** A compiled agent as a run needs it. */
export const runnableOf = (agent: CompiledAgent): RunnableAgent => ({
  name: agent.definition.name,
  version: agent.definition.version,
  model: { provider: agent.turn.bound.provider, model: agent.turn.bound.modelId },
  hasJsonOutput: agent.turn.format !== undefined,
  guards: agent.turn.guards,
  lockfileHash: agent.lockfileHash,
  definitionHash: agent.definitionHash,
  childWaits: waitsOf(agent.definition),
  progress: {
    settings: agent.definition.harness?.progress,
    hasDrafts: agent.loop !== undefined,
  },
  tools: agent.turn.tools,
  firstCall: (asked, conversation) => ({
    ...agent.turn.callOptions,
    bound: agent.turn.bound,
    prompt: promptOf(agent, conversation.history, listOf(asked)),
  }),
  answer: (asked, run) =>
    agent.loop === undefined
      ? answerOnce(agent, asked, run)
      : runLoop(agent.loop, loopRunOf(agent, asked, run)),
});

function waitsOf({ subAgents }: AgentDefinitionContent): RunnableAgent["childWaits"] {
  const { childDeadline, waitTimeout } = subAgents ?? {};
  const childDeadlineMs = childDeadline === undefined ? undefined : parseDuration(childDeadline);
  const waitTimeoutMs = waitTimeout === undefined ? undefined : parseDuration(waitTimeout);
  return {
    ...(childDeadlineMs === undefined ? {} : { childDeadlineMs }),
    ...(waitTimeoutMs === undefined ? {} : { waitTimeoutMs }),
  };
}

async function answerOnce(
  agent: CompiledAgent,
  asked: ChatMessage | undefined,
  run: AgentRun,
): Promise<readonly StoppedCall[]> {
  const { conversation, resumed, scope } = run;
  // The agent may have had a loop when an earlier run stopped.
  takeProgress(scope.state);
  const request: TurnRequest = {
    ...requestOf(agent, run),
    prompt: promptOf(agent, conversation.history, listOf(asked)),
    iteration: 1,
    state: createTurnState(conversation),
  };
  await settleResumed(request, resumed);
  const { stopped = [] } = await agent.runTurn(request);
  return stopped;
}

function loopRunOf(agent: CompiledAgent, asked: ChatMessage | undefined, run: AgentRun): LoopRun {
  const { conversation, resumed, continuesTurn, journal } = run;
  return {
    ...{ asked, conversation, resumed, continuesTurn, journal },
    agentName: agent.definition.name,
    request: requestOf(agent, run),
    runTurn: agent.runTurn,
    promptOf: (history, messages) => promptOf(agent, history, messages),
  };
}

const requestOf = (
  { turn: agent }: CompiledAgent,
  { conversation, resumed: _, continuesTurn: __, ...run }: AgentRun,
): LoopRun["request"] => ({ ...run, agent, hasSession: conversation.isSaved });

const listOf = (asked: ChatMessage | undefined): readonly ChatMessage[] =>
  asked === undefined ? [] : [asked];

function promptOf(
  { instructions, turn }: CompiledAgent,
  history: LanguageModelV4Prompt,
  messages: readonly ChatMessage[],
): LanguageModelV4Prompt {
  const said = [...history, ...promptOfHistory(messages).prompt];
  // Messages were inspected before anything of them was recorded, and the history when it came.
  for (const it of said) turn.guards?.inspected.add(it);
  return instructions === undefined ? said : [{ role: "system", content: instructions }, ...said];
}
