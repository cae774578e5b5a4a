import * as z from "zod";
import { count, enumMember, text } from "../schema/member.ts";
import { modelBindingSchema } from "./model-binding.ts";

/** How history is shortened before it outgrows the model. Triggers are alternatives. */
export const compactionSettingsSchema = z.strictObject({
  strategy: enumMember([
    "None",
    "SlidingWindow",
    "Truncation",
    "ToolResult",
    "Summarization",
    "ContextWindow",
    "Pipeline",
  ]).default("None"),
  triggerTokens: count().optional(),
  triggerMessages: count().optional(),
  triggerTurns: count().optional(),
  minimumPreservedTurns: count(0).optional(),
  minimumPreservedGroups: count(0).optional(),
  maxContextWindowTokens: count().optional(),
  maxOutputTokens: count().optional(),
  summarizationPrompt: text().optional(),
  summarizationModel: modelBindingSchema.optional(),
});
export type CompactionSettings = z.output<typeof compactionSettingsSchema>;
