/** An agent as a run needs it, whether it was compiled of a definition or built by code. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ContentGuards } from "../model/content-guards.ts";
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
  "tenantId" | "runId" | "isStreaming" | "signal" | "journal" | "clock" | "log"
>;

/** A compiled agent as a run needs it. */
export const runnableOf = (agent: CompiledAgent): RunnableAgent => ({
  name: agent.definition.name,
  version: agent.definition.version,
  model: { provider: agent.turn.bound.provider, model: agent.turn.bound.modelId },
  hasJsonOutput: agent.turn.format !== undefined,
  guards: agent.turn.guards,
  lockfileHash: agent.lockfileHash,
  answer: (message, run) =>
    agent.runTurn({
      ...run,
      agent: agent.turn,
      prompt: promptOf(agent, message),
      iteration: 1,
      state: createTurnState(),
    }),
});

function promptOf({ instructions, turn }: CompiledAgent, message: string): LanguageModelV4Prompt {
  const user = { role: "user" as const, content: [{ type: "text" as const, text: message }] };
  // The message was inspected before the run was recorded.
  turn.guards?.inspected.add(user);
  return instructions === undefined ? [user] : [{ role: "system", content: instructions }, user];
}
