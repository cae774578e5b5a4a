import type { RunUsage } from "@tracon/core";
import type { Fact } from "../../design/facts.tsx";
import { UNKNOWN } from "../../design/format.ts";

/** Every counter that was measured; nothing measured at all is said. */
export function usageFacts(usage: RunUsage | undefined): readonly Fact[] {
  if (usage === undefined) return [["Tokens", UNKNOWN]];
  return [
    ["Input tokens", usage.inputTokens ?? UNKNOWN],
    ["of it cached", usage.cachedInputTokens],
    ["Output tokens", usage.outputTokens ?? UNKNOWN],
    ["of it reasoning", usage.reasoningTokens],
  ];
}
