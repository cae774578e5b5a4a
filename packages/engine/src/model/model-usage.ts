import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { RunUsage } from "@tracon/core";

/** The counters a provider measured. What it did not report stays absent; nothing at all is `undefined`. */
export function usageOf(usage: LanguageModelV4Usage | undefined): RunUsage | undefined {
  if (usage === undefined) return undefined;
  const input = usage.inputTokens?.total;
  const output = usage.outputTokens?.total;
  const cached = usage.inputTokens?.cacheRead;
  const reasoning = usage.outputTokens?.reasoning;
  if (input === undefined && output === undefined) return undefined;
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(input === undefined || output === undefined ? {} : { totalTokens: input + output }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}
