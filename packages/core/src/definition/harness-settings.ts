import * as z from "zod";
import { count, flag, text } from "../schema/member.ts";
import { loopSettingsSchema } from "./loop-settings.ts";
import { progressSettingsSchema } from "./progress-settings.ts";

/** Turns the harness on: compaction, todo tracking, agent modes, and what is asked for by name. */
export const harnessSettingsSchema = z.strictObject({
  maxContextWindowTokens: count().optional(),
  maxOutputTokens: count().optional(),
  /** Ceiling of the inner tool loop of one invocation; the last model call offers no tools. */
  maximumIterationsPerRequest: count().optional(),
  harnessInstructions: text().optional(),
  disableCompaction: flag(),
  disableTodoProvider: flag(),
  disableFileMemory: flag(),
  disableWebSearch: flag(),
  enableWebSearch: flag(),
  disableToolAutoApproval: flag(),
  disableAgentSkillsProvider: flag(),
  disableAgentModeProvider: flag(),
  loop: loopSettingsSchema.optional(),
  progress: progressSettingsSchema.optional(),
});
export type HarnessSettings = z.output<typeof harnessSettingsSchema>;

/** What an agent in the harness is told when its definition has no `harnessInstructions`. */
export const DEFAULT_HARNESS_INSTRUCTIONS = `You work on a task until it is done.
- Find out with your tools what you do not know; do not guess.
- After each result of a tool, decide what is still missing and go on.
- Check what you did before you say that it is done.
- When you cannot finish, say what is missing and why.`;
