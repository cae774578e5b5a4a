import * as z from "zod";
import type { RunUsage } from "./usage.ts";

/** What a model costs, per million tokens of `currency`. */
export const modelPriceSchema = z.strictObject({
  currency: z.string().min(1).max(16).default("USD"),
  inputPerMillion: z.number().min(0).optional(),
  cachedInputPerMillion: z.number().min(0).optional(),
  outputPerMillion: z.number().min(0).optional(),
});
export type ModelPrice = z.output<typeof modelPriceSchema>;

/** Cost of a run at the prices of its end. A part that is not known is absent, never 0. */
export const runCostSchema = z.object({
  inputCost: z.number().optional(),
  inputPricePerMillionTokens: z.number().optional(),
  outputCost: z.number().optional(),
  outputPricePerMillionTokens: z.number().optional(),
  cachedInputCost: z.number().optional(),
  cachedInputPricePerMillionTokens: z.number().optional(),
  totalCost: z.number().optional(),
  currency: z.string().optional(),
  source: z.enum(["Catalog", "Configuration", "Unknown"]),
});
export type RunCost = z.output<typeof runCostSchema>;

const MILLION = 1_000_000;
/** Digits kept after the point: a token of the cheapest model still shows. */
const COST_DIGITS = 12;

/**
 * `(input − cached)·Input + cached·CachedInput + output·Output`; without a cached price all input
 * is charged at the input price. No usage or no price makes an unknown cost.
 */
export function costOf(usage: RunUsage | undefined, price: ModelPrice | undefined): RunCost {
  if (usage === undefined || price === undefined) return { source: "Unknown" };
  const cachedTokens =
    price.cachedInputPerMillion === undefined ? 0 : (usage.cachedInputTokens ?? 0);
  const inputTokens =
    usage.inputTokens === undefined ? undefined : Math.max(usage.inputTokens - cachedTokens, 0);

  const inputCost = charge(inputTokens, price.inputPerMillion);
  const cachedInputCost = charge(
    cachedTokens === 0 ? undefined : cachedTokens,
    price.cachedInputPerMillion,
  );
  const outputCost = charge(usage.outputTokens, price.outputPerMillion);
  const total =
    inputCost === undefined || outputCost === undefined
      ? undefined
      : round(inputCost + (cachedInputCost ?? 0) + outputCost);

  return {
    ...present("inputCost", inputCost),
    ...present("inputPricePerMillionTokens", price.inputPerMillion),
    ...present("cachedInputCost", cachedInputCost),
    ...present("cachedInputPricePerMillionTokens", price.cachedInputPerMillion),
    ...present("outputCost", outputCost),
    ...present("outputPricePerMillionTokens", price.outputPerMillion),
    ...present("totalCost", total),
    currency: price.currency,
    source: "Catalog",
  };
}

/**
 * The cost of a run that several models answered, from the cost of each. Prices per token are left
 * out, and so is any sum to which a part is not known; what is in two currencies has no sum.
 */
export function sumCosts(costs: readonly RunCost[]): RunCost {
  const [first, ...rest] = costs;
  if (first === undefined) return { source: "Unknown" };
  if (rest.length === 0) return first;
  const isComplete = costs.every(
    (cost) => cost.source !== "Unknown" && cost.currency === first.currency,
  );
  if (!isComplete) return { source: "Unknown" };
  const { currency, source } = first;
  return {
    ...present("inputCost", sumOf(costs.map((cost) => cost.inputCost))),
    ...present("cachedInputCost", knownSumOf(costs.map((cost) => cost.cachedInputCost))),
    ...present("outputCost", sumOf(costs.map((cost) => cost.outputCost))),
    ...present("totalCost", sumOf(costs.map((cost) => cost.totalCost))),
    ...(currency === undefined ? {} : { currency }),
    source,
  };
}

const sumOf = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.includes(undefined) ? undefined : knownSumOf(amounts);

function knownSumOf(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : round(known.reduce((sum, amount) => sum + amount));
}

const charge = (tokens: number | undefined, perMillion: number | undefined): number | undefined =>
  tokens === undefined || perMillion === undefined
    ? undefined
    : round((tokens * perMillion) / MILLION);

const round = (amount: number): number => Number(amount.toFixed(COST_DIGITS));

const present = <Key extends string>(
  key: Key,
  value: number | undefined,
): { readonly [K in Key]?: number } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: number };
