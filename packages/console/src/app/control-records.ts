/** The budget of a run's tree, as far as the server sends it. */

export type TreeBudget = {
  readonly rootRunId: string;
  readonly usedTokens: number;
  readonly estimatedTokens: number;
  readonly reservedTokens: number;
  readonly maxTokens?: number | undefined;
  readonly usedCost: number;
  readonly reservedCost: number;
  readonly maxCost?: number | undefined;
  readonly currency: string;
  readonly childRuns: number;
  readonly maxChildRuns?: number | undefined;
  readonly toolCalls: number;
  readonly maxToolCalls?: number | undefined;
};
