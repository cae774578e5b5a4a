/** An agent as a run needs it, whether it was compiled of a definition or built by code. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ContentGuards } from "../model/content-guards.ts";
import type { Conversation } from "../session/conversation.ts";
import { createTurnState, type TurnRequest } from "../turn/step.ts";
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
  /** Answers one message, reporting everything to the journal. */
  answer(message: string, run: AgentRun): Promise<unknown>;
};

/** The run an agent answers in. */
export type AgentRun = Pick<
  TurnRequest,
  "tenantId" | "runId" | "sessionId" | "isStreaming" | "signal" | "journal" | "clock" | "log"
> & {
  /** What the message continues. */
  readonly conversation: Conversation;
};

/** A compiled agent as a run needs it. */
export const runnableOf = (agent: CompiledAgent): RunnableAgent => ({
  name: agent.definition.name,
  version: agent.definition.version,
  model: { provider: agent.turn.bound.provider, model: agent.turn.bound.modelId },
  hasJsonOutput: agent.turn.format !== undefined,
  guards: agent.turn.guards,
  lockfileHash: agent.lockfileHash,
  answer: (message, { conversation, ...run }) =>
    agent.runTurn({
      ...run,
      agent: agent.turn,
      hasSession: conversation.isSaved,
      prompt: promptOf(agent, conversation, message),
      iteration: 1,
      state: createTurnState(conversation),
    }),
});

function promptOf(
  { instructions, turn }: CompiledAgent,
  { history }: Conversation,
  message: string,
): LanguageModelV4Prompt {
  const user = { role: "user" as const, content: [{ type: "text" as const, text: message }] };
  const said = [...history, user];
  // The message was inspected before the run was recorded, and the history when it came.
  for (const it of said) turn.guards?.inspected.add(it);
  return instructions === undefined ? said : [{ role: "system", content: instructions }, ...said];
}
