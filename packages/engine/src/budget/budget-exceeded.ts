import { type BudgetLimit, NANOS, TraconError } from "@tracon/core";
import type { TreeSettings } from "./tree-settings.ts";

/** Everything that can run out. */
export type ExceededLimit = BudgetLimit | "depth" | "duration";

/** The setting and what it limits, as a message names them. */
const WORDS: Readonly<
  Record<ExceededLimit, (settings: TreeSettings) => readonly [string, string]>
> = {
  tokens: ({ limits }) => ["maxTotalTokens", `${limits.maxTokens} tokens`],
  cost: ({ limits, currency }) => [
    "maxTotalCost",
    `${(limits.maxCostNanos ?? 0) / NANOS} ${currency}`,
  ],
  childRuns: ({ limits }) => ["maxTotalRuns", `${limits.maxChildRuns} child runs`],
  toolCalls: ({ limits }) => ["maxToolCalls", `${limits.maxToolCalls} tool calls`],
  depth: ({ maxDepth }) => ["maxDepth", `${maxDepth} levels of child runs`],
  duration: ({ maxDurationMs = 0 }) => ["maxDuration", `${maxDurationMs / 1_000} s`],
};

/** What a model reads, and a record says, when the tree has no room for what comes next. */
export function budgetExceeded(limit: ExceededLimit, settings: TreeSettings): TraconError {
  const [setting, amount] = WORDS[limit](settings);
  const message = `the run tree has no room left within its limit of ${amount}; raise 'agentGraph.${setting}' or ask for less`;
  return new TraconError("budget_exceeded", message, {
    extensions: { limit: `agentGraph.${setting}` },
  });
}
