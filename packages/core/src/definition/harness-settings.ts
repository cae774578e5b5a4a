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
