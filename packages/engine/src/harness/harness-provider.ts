/**
 * What the harness adds to the context of every turn, beside the context providers of extensions and in
 * front of them. Nothing of it is stored: each turn has it anew, so nothing piles up in a history.
 */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { RunScope } from "../scope/run-scope.ts";

/** What one part of the harness adds to one turn. */
export type HarnessAddition = {
  /** Joined to the agent's instructions. */
  readonly instructions?: string;
  /** Put before the caller's message. */
  readonly messages?: LanguageModelV4Prompt;
};

/** A part of the harness. One object serves all runs: what it knows of a run is in the scope. */
export type HarnessProvider = {
  /** Unique among the parts of an agent. */
  readonly name: string;
  /** Called at the start of every turn of a run; must not throw. */
  before(scope: RunScope): HarnessAddition | undefined;
};

/** A message in the name of the user, as models read what is neither instruction nor answer. */
export const noteToModel = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text }],
});
