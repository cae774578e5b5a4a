import * as z from "zod";

/**
 * Tokens of one model call, one step or one run. Every counter may be absent: absent is "not
 * measured", 0 is measured. Cached and audio input count inside `inputTokens`, reasoning and audio
 * output inside `outputTokens`.
 */
export const runUsageSchema = z.object({
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  totalTokens: z.int().optional(),
  cachedInputTokens: z.int().optional(),
  audioInputTokens: z.int().optional(),
  reasoningTokens: z.int().optional(),
  audioOutputTokens: z.int().optional(),
});

export type RunUsage = Readonly<z.output<typeof runUsageSchema>>;

const COUNTERS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cachedInputTokens",
  "audioInputTokens",
  "reasoningTokens",
  "audioOutputTokens",
] as const;

/**
 * The sum of two usages, as a new object. A counter is known when either side measured it.
 * `undefined` means that a side reported nothing at all.
 */
export function addUsage(
  left: RunUsage | undefined,
  right: RunUsage | undefined,
): RunUsage | undefined {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const sum: { -readonly [Counter in keyof RunUsage]: RunUsage[Counter] } = {};
  for (const counter of COUNTERS) {
    const a = left[counter];
    const b = right[counter];
    if (a !== undefined || b !== undefined) sum[counter] = (a ?? 0) + (b ?? 0);
  }
  return sum;
}
