import * as z from "zod";
import { enumMember, flag, list, text } from "../schema/member.ts";

/** The iteration ceiling of a loop that names none. The ceiling is never left open. */
export const DEFAULT_MAX_ITERATIONS = 10;

/** What a loop that is not satisfied does with the run. */
export const loopOutcomeSchema = enumMember(["ReturnLastResponse", "FailRun"]);
export type LoopOutcome = z.output<typeof loopOutcomeSchema>;

/**
 * One stop criterion, as data. Each kind reads its own members and ignores the rest:
 * `completionMarker` reads `marker`; `todoCompletion` reads `modes`; `aiJudge` reads
 * `judgeCriteria` and `judgeInstructions`; `agentReview` reads `reviewerAgent` and
 * `reviewerAgentVersion`; `backgroundTaskCompletion` and kinds registered in code read none.
 * Whether a kind has what it needs is the compiler's question, so that every problem of a loop is
 * reported at once, each with its own code.
 */
export const loopCriterionSchema = z.strictObject({
  kind: text(128).default(""),
  marker: text(4_096).optional(),
  judgeCriteria: list(text(4_096)),
  judgeInstructions: text().optional(),
  modes: list(text(128)),
  reviewerAgent: text(128).optional(),
  reviewerAgentVersion: z.int().optional(),
});
export type LoopCriterion = z.output<typeof loopCriterionSchema>;

/** The outer loop: invoke the agent again until its criteria say the work is finished. */
export const loopSettingsSchema = z.strictObject({
  criteria: list(loopCriterionSchema),
  /** Upper number of iterations; absent means {@link DEFAULT_MAX_ITERATIONS}. */
  maxIterations: z.int().optional(),
  freshContextPerIteration: flag(),
  onExhausted: loopOutcomeSchema.default("ReturnLastResponse"),
  onCriterionError: loopOutcomeSchema.default("ReturnLastResponse"),
});
export type LoopSettings = z.output<typeof loopSettingsSchema>;
