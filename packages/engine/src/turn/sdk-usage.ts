/** Tokens as the AI SDK counts them for a step, in the form of the provider specification. */

import type { JSONObject, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { RunUsage } from "@tracon/core";
import { rawUsageOf, usageOf } from "../model/model-usage.ts";

/** Counters of a step; what is no number is read as not measured. */
type StepUsage = {
  readonly inputTokens?: number;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number };
  readonly outputTokens?: number;
  readonly outputTokenDetails?: { readonly reasoningTokens?: number };
  readonly raw?: JSONObject;
};

/** The members of a recorded answer that say what it used. */
export function sdkUsage(value: unknown): {
  readonly usage?: RunUsage;
  readonly rawUsage?: Record<string, unknown>;
} {
  if (value === null || typeof value !== "object") return {};
  const step = value as StepUsage;
  const measured: LanguageModelV4Usage = {
    inputTokens: {
      total: step.inputTokens,
      noCache: undefined,
      cacheRead: step.inputTokenDetails?.cacheReadTokens,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: step.outputTokens,
      text: undefined,
      reasoning: step.outputTokenDetails?.reasoningTokens,
    },
    ...(step.raw === undefined ? {} : { raw: step.raw }),
  };
  const usage = usageOf(measured);
  const rawUsage = rawUsageOf(measured);
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(rawUsage === undefined ? {} : { rawUsage: { ...rawUsage } }),
  };
}
