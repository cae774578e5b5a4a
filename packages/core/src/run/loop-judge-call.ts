/**
 * A call of a loop's judge, as the run records it: a `Custom` event of this type holds it as its data.
 * Its tokens and its cost are part of the run's; the judge's words are not in it.
 */

import * as z from "zod";
import { runCostSchema } from "./cost.ts";
import { runUsageSchema } from "./usage.ts";

/** The `customType` of the event. */
export const LOOP_JUDGE_CALLED = "tracon.loop.judge-called";

/** What the event has as its data. */
export const loopJudgeCallSchema = z.object({
  /** The iteration that was judged, from 1. */
  iteration: z.int(),
  /** Which criterion of the loop asked, from 0. */
  criterion: z.int(),
  /** Who was really asked, a fallback as well. */
  provider: z.string(),
  model: z.string(),
  /** Absent when the provider reported none, or broke off. */
  usage: runUsageSchema.optional(),
  durationMs: z.number(),
  /** What the call cost, at the price of its moment; absent when that is not known. */
  cost: runCostSchema.optional(),
});
/** A call of a loop's judge. */
export type LoopJudgeCall = z.output<typeof loopJudgeCallSchema>;
