/** The members that say how models are called: schemas, with durations read into milliseconds. */

import { duration, parseDuration } from "@tracon/core";
import * as z from "zod";
import type { TraconConfig } from "./config.ts";

const MAX_COUNT = 1_000_000;

/** A duration above zero. */
export const milliseconds = () =>
  duration()
    .transform((value) => parseDuration(value) ?? 0)
    .refine((value) => value > 0, { error: "must be longer than nothing" });

const modelRetrySchema = z
  .strictObject({
    maxRetries: z.int().min(0).max(10).default(2),
    baseDelay: milliseconds().prefault("500ms"),
    maxDelay: milliseconds().prefault("30s"),
  })
  .transform(({ maxRetries, baseDelay, maxDelay }) => ({
    maxRetries,
    baseDelayMs: baseDelay,
    maxDelayMs: maxDelay,
  }));

const circuitBreakerSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    failureThreshold: z.int().min(1).max(MAX_COUNT).default(5),
    breakDuration: milliseconds().prefault("30s"),
  })
  .transform(({ breakDuration, ...rest }) => ({ ...rest, breakDurationMs: breakDuration }));

const structuredResponseSchema = z.strictObject({
  enabled: z.boolean().default(false),
  maxRepairAttempts: z.int().min(0).max(10).default(0),
});

const validatorSchema = z.custom<NonNullable<TraconConfig["structuredResponseValidator"]>>(
  (value) => typeof value === "function",
  "must be a function that throws when it refuses an answer",
);

const responseCacheSchema = z.custom<NonNullable<TraconConfig["responseCache"]>>(
  (value) => hasFunctions(value, ["get", "set"]),
  "must have the functions get and set, as memoryResponseCache() has",
);

const contentGuardSchema = z.custom<NonNullable<TraconConfig["contentGuards"]>[string]>(
  (value) => hasFunctions(value, ["inspect"]),
  "must have the function inspect",
);

/** Members of the configuration. */
export const modelSettings = {
  modelRetry: modelRetrySchema.prefault({}),
  modelConcurrency: z
    .strictObject({
      maxConcurrentCallsPerProvider: z.int().min(1).max(MAX_COUNT).optional(),
    })
    .default({}),
  circuitBreaker: circuitBreakerSchema.prefault({}),
  structuredResponse: structuredResponseSchema.prefault({}),
  structuredResponseValidator: validatorSchema.optional(),
  responseCache: responseCacheSchema.optional(),
  contentGuards: z.record(z.string().min(1).max(128), contentGuardSchema).default({}),
} as const;

const modelSettingsSchema = z.strictObject(modelSettings);
/** How models are called, with every default applied. */
export type ModelSettings = z.output<typeof modelSettingsSchema>;

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (value === null || typeof value !== "object") return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}
