import * as z from "zod";

/**
 * What one criterion of an agent's loop was good for, and what it took: over the agent runs that have
 * ended. What was not measured is absent, never 0.
 */
export const criterionStatisticsSchema = z.object({
  agentName: z.string(),
  /** The row stands for the criteria of agents that were too many to be counted apart. */
  isOther: z.literal(true).optional(),
  kind: z.string(),
  /** Place in the agent's list of criteria, from 0. Absent on a row with `isOther`. */
  position: z.int().optional(),
  /** Runs in which it was reached. */
  runs: z.int(),
  evaluations: z.int(),
  continued: z.int(),
  stopped: z.int(),
  failed: z.int(),
  /** Evaluations that changed the outcome: without them the loop would have gone on to the next criterion. */
  decisive: z.int(),
  /** `decisive` among `evaluations`; absent when there is none. */
  decisiveRate: z.number().optional(),
  /** Child runs of a reviewer. Their tokens and cost are theirs: see the tree of the run. */
  reviewerRuns: z.int(),
  judgeCalls: z.int(),
  /** Of the judge's model. */
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  /** Of the judge calls whose cost is known; absent when none is, or when they are in several currencies. */
  totalCost: z.number().optional(),
  currency: z.string().optional(),
  /** The known cost in each currency; nothing is converted. */
  costs: z.array(z.object({ currency: z.string(), totalCost: z.number() })),
  /** Judge calls whose cost is not known. They are in no cost. */
  unpricedCalls: z.int(),
});
export type CriterionStatistics = z.output<typeof criterionStatisticsSchema>;
