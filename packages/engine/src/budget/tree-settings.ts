/** The limits of a run tree as the installation sets them, with the names they are set by. */

import { NANOS, type TreeLimits } from "@tracon/core";

/** Limits of a run and everything below it. A limit that is not positive limits nothing. */
export type AgentGraphSettings = {
  /** How deep children may be below the root, which is 0; a negative one counts as 0. Default 3. */
  readonly maxDepth: number;
  /** Tokens of the whole tree. Default 200,000. */
  readonly maxTotalTokens: number;
  /** Cost of the whole tree in `currency`. Default none. */
  readonly maxTotalCost?: number | undefined;
  /** Of `maxTotalCost`. A model that is priced in another one counts as a model without a price. Default `USD`. */
  readonly currency: string;
  /** Runs below the root. Default 25. */
  readonly maxTotalRuns: number;
  /** Wall clock of the whole tree in milliseconds, looked at before each model call. Default none. */
  readonly maxDurationMs?: number | undefined;
  /** Tool calls of the whole tree. Default none. */
  readonly maxToolCalls?: number | undefined;
  /** How long a child may run before it is asked to stop, in milliseconds. Default 2 minutes. */
  readonly childDeadlineMs?: number | undefined;
  /** How long a child is waited for, in milliseconds. Default 30 s beyond the deadline. */
  readonly waitTimeoutMs?: number | undefined;
};

const DEFAULTS: AgentGraphSettings = {
  maxDepth: 3,
  maxTotalTokens: 200_000,
  currency: "USD",
  maxTotalRuns: 25,
};

/** The limits of every tree of an engine. */
export type TreeSettings = {
  readonly currency: string;
  readonly maxDepth: number;
  readonly maxDurationMs: number | undefined;
  /** Those the store keeps count of. */
  readonly limits: TreeLimits;
};

export function treeSettings(given: Partial<AgentGraphSettings> = {}): TreeSettings {
  const settings = { ...DEFAULTS, ...given };
  const maxTokens = positive(settings.maxTotalTokens);
  const maxCost = positive(settings.maxTotalCost);
  const maxChildRuns = positive(settings.maxTotalRuns);
  const maxToolCalls = positive(settings.maxToolCalls);
  return {
    currency: settings.currency,
    maxDepth: Math.max(settings.maxDepth, 0),
    maxDurationMs: positive(settings.maxDurationMs),
    limits: {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(maxCost === undefined ? {} : { maxCostNanos: Math.round(maxCost * NANOS) }),
      ...(maxChildRuns === undefined ? {} : { maxChildRuns }),
      ...(maxToolCalls === undefined ? {} : { maxToolCalls }),
    },
  };
}

const positive = (limit: number | undefined): number | undefined =>
  limit !== undefined && limit > 0 ? limit : undefined;
