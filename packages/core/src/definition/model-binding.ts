import * as z from "zod";
import { duration } from "../schema/duration.ts";
import {
  count,
  enumMember,
  flag,
  jsonObject,
  list,
  referenceText,
  text,
} from "../schema/member.ts";

/** The shape the answer must have. `schema` belongs to `JsonSchema` alone. */
export const agentResponseFormatSchema = z.strictObject({
  kind: enumMember(["Text", "Json", "JsonSchema"]),
  schema: jsonObject().optional(),
  schemaName: text(64).optional(),
  schemaDescription: text(4_096).optional(),
});
export type AgentResponseFormat = z.output<typeof agentResponseFormatSchema>;

/** A model to try when the one before it cannot be reached. Nothing but the two names carries over. */
export const modelFallbackSchema = z.strictObject({
  provider: referenceText(),
  model: referenceText(),
});
export type ModelFallback = z.output<typeof modelFallbackSchema>;

/** Whether equal requests may be answered from the registered cache, and for how long. */
export const responseCacheSchema = z.strictObject({
  enabled: flag(),
  lifetime: duration().default("00:10:00"),
});
export type ResponseCacheSettings = z.output<typeof responseCacheSchema>;

/** Settings of the inner model and tool loop. */
export const toolLoopSchema = z.strictObject({
  /** Run the tool calls of one model answer at the same time. Off by default. */
  allowConcurrentToolCalls: flag(),
});
export type ToolLoopSettings = z.output<typeof toolLoopSchema>;

/** Which model answers, and with which settings. Credentials are configuration, never data. */
export const modelBindingSchema = z.strictObject({
  provider: referenceText(),
  model: referenceText(),
  /** Sampling temperature, 0 to 2. Left to the provider when absent. */
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count().optional(),
  topP: z.number().min(0).max(1).optional(),
  reasoningEffort: text(32).optional(),
  /** Vendor settings by `"{provider}.{setting}"`; an unknown key does not compile. */
  providerSettings: jsonObject().default({}),
  responseFormat: agentResponseFormatSchema.optional(),
  fallbacks: list(modelFallbackSchema),
  responseCache: responseCacheSchema.optional(),
  toolLoop: toolLoopSchema.default({ allowConcurrentToolCalls: false }),
});
export type ModelBinding = z.output<typeof modelBindingSchema>;

/**
 * The model that judges whether work is finished, with how it is asked. The shape of its answer is
 * fixed, and it has no tools.
 */
export const judgeBindingSchema = modelBindingSchema.omit({ responseFormat: true, toolLoop: true });
export type JudgeBinding = z.output<typeof judgeBindingSchema>;
