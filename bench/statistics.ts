/** Quantiles of samples, and medians with their spread over rounds. */

/** The value below which `share` of the sorted values lie. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** A median with the lowest and the highest value. */
export type Spread = { readonly median: number; readonly low: number; readonly high: number };

/** `undefined` when there is no finite value. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const low = sorted[0];
  const high = sorted.at(-1);
  if (low === undefined || high === undefined) return undefined;
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? low;
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? upper);
  return { median: (lower + upper) / 2, low, high };
}
