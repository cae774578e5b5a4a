import type { AgentDefinitionContent } from "@tracon/core";
import type { HarnessProvider } from "../harness/harness-provider.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { agentTools } from "./agent-tools.ts";
import { backgroundInstructions, backgroundTools } from "./background-tools.ts";
import type { Callee } from "./callee.ts";

/** Through what an agent calls others. */
export type DelegationParts = {
  readonly tools: readonly RegisteredTool[];
  readonly providers: readonly HarnessProvider[];
};

const NOTHING: DelegationParts = { tools: [], providers: [] };

export function delegationPartsOf(
  { subAgents }: Pick<AgentDefinitionContent, "subAgents">,
  callees: readonly Callee[],
): DelegationParts {
  if (callees.length === 0) return NOTHING;
  if (subAgents?.callMode === "Tool") return { tools: agentTools(callees), providers: [] };
  const addition = { instructions: backgroundInstructions(callees) };
  return {
    tools: backgroundTools(callees),
    providers: [{ name: "background-agents", before: () => addition }],
  };
}
