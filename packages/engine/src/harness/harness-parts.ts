/** Which parts of the harness a definition turns on. */

import { type AgentDefinitionContent, DEFAULT_HARNESS_INSTRUCTIONS } from "@tracon/core";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import type { HarnessProvider } from "./harness-provider.ts";
import { modeProvider } from "./mode-provider.ts";
import { modeTools } from "./mode-tools.ts";
import { todoProvider } from "./todo-provider.ts";
import { todoTools } from "./todo-tools.ts";

type Switches = Pick<AgentDefinitionContent, "harness" | "memory">;

export type HarnessParts = {
  /** Stand before the agent's own instructions; absent when there are none. */
  readonly instructions: string | undefined;
  /** In the order in which their additions are read. */
  readonly providers: readonly HarnessProvider[];
  readonly tools: readonly RegisteredTool[];
};

export const hasTodoList = ({ harness, memory }: Switches): boolean =>
  memory?.enableTodo === true || harness?.disableTodoProvider === false;

const hasAgentModes = ({ harness }: Switches): boolean =>
  harness?.disableAgentModeProvider === false;

export function harnessPartsOf(definition: Switches): HarnessParts {
  const parts = [
    ...(hasTodoList(definition) ? [{ provider: todoProvider, tools: todoTools }] : []),
    ...(hasAgentModes(definition) ? [{ provider: modeProvider, tools: modeTools }] : []),
  ];
  return {
    instructions: instructionsOf(definition),
    providers: parts.map(({ provider }) => provider),
    tools: parts.flatMap(({ tools }) => tools),
  };
}

/** An empty text is a wish for none. */
function instructionsOf({ harness }: Switches): string | undefined {
  if (harness === undefined) return undefined;
  const { harnessInstructions = DEFAULT_HARNESS_INSTRUCTIONS } = harness;
  return harnessInstructions === "" ? undefined : harnessInstructions;
}
