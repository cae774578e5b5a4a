/** The limits of a run tree in the configuration. A limit that is not positive limits nothing. */

import { duration, parseDuration } from "@tracon/core";
import * as z from "zod";

/** A round number far above any use, so that sums of it stay exact. */
const MAX_COUNT = 1_000_000_000_000;
const MAX_RUNS = 1_000_000;
/** Counted in billionths, this is the largest amount that stays exact. */
const MAX_COST = 9_000_000;

const count = () => z.int().min(-MAX_COUNT).max(MAX_COUNT);
const runs = () => z.int().min(-MAX_RUNS).max(MAX_RUNS);

export const agentGraphSchema = z
  .strictObject({
    maxDepth: runs().default(3),
    maxTotalTokens: count().default(200_000),
    maxTotalCost: z.number().min(-MAX_COST).max(MAX_COST).optional(),
    currency: z.string().min(1).max(16).default("USD"),
    maxTotalRuns: runs().default(25),
    maxDuration: duration().optional(),
    maxToolCalls: runs().optional(),
    childDeadline: duration().optional(),
    waitTimeout: duration().optional(),
  })
  .transform(({ maxDuration, childDeadline, waitTimeout, ...limits }) => ({
    ...limits,
    maxDurationMs: msOf(maxDuration),
    childDeadlineMs: msOf(childDeadline),
    waitTimeoutMs: msOf(waitTimeout),
  }));

const msOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseDuration(text);
