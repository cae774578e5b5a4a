import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { RunUsage } from "@tracon/core";

/** The counters a provider measured. What it did not report stays absent; nothing at all is `undefined`. */
export function usageOf(usage: LanguageModelV4Usage | undefined): RunUsage | undefined {
  const input = counter(usage?.inputTokens?.total);
  const output = counter(usage?.outputTokens?.total);
  const cached = counter(usage?.inputTokens?.cacheRead);
  const reasoning = counter(usage?.outputTokens?.reasoning);
  if (input === undefined && output === undefined) return undefined;
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(input === undefined || output === undefined ? {} : { totalTokens: input + output }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

/** More tokens than any answer has. What lies beyond is no count, and sums of it would lose digits. */
const MAX_TOKENS = 1_000_000_000_000;

/** Providers report negative, fractional and not-a-number counts; a count that cannot be is none. */
const counter = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS
    ? (value as number)
    : undefined;

/** Longest usage kept as the provider sent it, as JSON text in UTF-16 units. */
const MAX_RAW_LENGTH = 16_384;

/** The usage as the provider sent it, when JSON can express it. */
export function rawUsageOf(
  usage: LanguageModelV4Usage | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (usage?.raw === undefined) return undefined;
  try {
    const text = JSON.stringify(usage.raw);
    return text.startsWith("{") && text.length <= MAX_RAW_LENGTH ? usage.raw : undefined;
  } catch {
    // It is evidence beside the counters, which are read for themselves: no reason to fail a run.
    return undefined;
  }
}
