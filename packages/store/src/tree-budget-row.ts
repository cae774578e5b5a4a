import { NANOS, type TreeBudget } from "@tracon/core";
import type { BudgetsTable } from "./schema.ts";
import { originalText } from "./stored-values.ts";

export const treeBudget = (row: BudgetsTable): TreeBudget => ({
  rootRunId: originalText(row.root_run_id),
  usedTokens: row.used_tokens,
  estimatedTokens: row.estimated_tokens,
  reservedTokens: row.reserved_tokens,
  ...(row.max_tokens === null ? {} : { maxTokens: row.max_tokens }),
  usedCost: row.used_cost_nanos / NANOS,
  reservedCost: row.reserved_cost_nanos / NANOS,
  ...(row.max_cost_nanos === null ? {} : { maxCost: row.max_cost_nanos / NANOS }),
  currency: originalText(row.currency),
  childRuns: row.child_runs,
  ...(row.max_child_runs === null ? {} : { maxChildRuns: row.max_child_runs }),
  toolCalls: row.tool_calls,
  ...(row.max_tool_calls === null ? {} : { maxToolCalls: row.max_tool_calls }),
});
