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

/** A day or an instant, as prices are dated. */
const validFrom = z.iso
  .date()
  .or(z.iso.datetime({ offset: true }))
  .transform((text) => new Date(text).toISOString());

/**
 * A price of a model from a moment on, until a later one of the same model takes over. Without
 * `validFrom` it has always been in force.
 */
export const datedPriceSchema = modelPriceSchema.extend({
  provider: z.string().min(1).max(128),
  model: z.string().min(1).max(256),
  validFrom: validFrom.optional(),
});
export type DatedPrice = z.output<typeof datedPriceSchema>;

/** A price, and where it was found. */
export type KnownPrice = {
  readonly price: ModelPrice;
  readonly source: "Catalog" | "Configuration";
  /** ISO 8601, UTC; absent when the price is not dated. */
  readonly validFrom?: string;
};

/**
 * Cost of a model call or a run, with the prices it was computed at: later prices never change it.
 * A part that is not known is absent, never 0.
 */
export const runCostSchema = z.object({
  inputCost: z.number().optional(),
  inputPricePerMillionTokens: z.number().optional(),
  outputCost: z.number().optional(),
  outputPricePerMillionTokens: z.number().optional(),
  cachedInputCost: z.number().optional(),
  cachedInputPricePerMillionTokens: z.number().optional(),
  totalCost: z.number().optional(),
  currency: z.string().optional(),
  /** `Catalog`: the model's own entry; `Configuration`: the dated price table. */
  source: z.enum(["Catalog", "Configuration", "Unknown"]),
  /** Since when the price of the table was in force. */
  priceValidFrom: z.string().optional(),
  /** A model call reported no usage or was cut off: no price could make the cost known. */
  hasUnmeasuredCalls: z.literal(true).optional(),
  /** When the cost became known, for a run whose price was missing at its end. */
  pricedAt: z.string().optional(),
});
export type RunCost = z.output<typeof runCostSchema>;

const MILLION = 1_000_000;
/** Digits kept after the point: a token of the cheapest model still shows. */
const COST_DIGITS = 12;

/**
 * `(input − cached)·Input + cached·CachedInput + output·Output`; without a cached price all input
 * is charged at the input price. Reasoning and audio count inside input and output. No usage or no
 * price makes an unknown cost.
 */
export function costOf(usage: RunUsage | undefined, known: KnownPrice | undefined): RunCost {
  if (usage === undefined || known === undefined) return { source: "Unknown" };
  const { price, source, validFrom } = known;
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
    source,
    ...(validFrom === undefined ? {} : { priceValidFrom: validFrom }),
  };
}

/**
 * The cost of a run from the costs of its model calls. Prices stay where all calls had the same; any
 * sum to which a part is not known is left out, and what is in two currencies has no sum.
 */
export function sumCosts(costs: readonly RunCost[]): RunCost {
  const [first, ...rest] = costs;
  if (first === undefined) return { source: "Unknown" };
  if (rest.length === 0) return first;
  const isComplete = costs.every(
    (cost) => cost.source !== "Unknown" && cost.currency === first.currency,
  );
  if (!isComplete) return { source: "Unknown" };
  const { currency, source, priceValidFrom } = first;
  const hasOneDate = costs.every((cost) => cost.priceValidFrom === priceValidFrom);
  return {
    ...present("inputCost", sumOf(costs.map((cost) => cost.inputCost))),
    ...present("cachedInputCost", knownSumOf(costs.map((cost) => cost.cachedInputCost))),
    ...present("outputCost", sumOf(costs.map((cost) => cost.outputCost))),
    ...present("totalCost", sumOf(costs.map((cost) => cost.totalCost))),
    ...unitPrices(first, rest),
    ...(currency === undefined ? {} : { currency }),
    source: costs.every((cost) => cost.source === source) ? source : "Configuration",
    ...(priceValidFrom === undefined || !hasOneDate ? {} : { priceValidFrom }),
  };
}

const UNIT_PRICES = [
  "inputPricePerMillionTokens",
  "cachedInputPricePerMillionTokens",
  "outputPricePerMillionTokens",
] as const;

function unitPrices(first: RunCost, rest: readonly RunCost[]): Partial<RunCost> {
  const isOne = rest.every((cost) => UNIT_PRICES.every((unit) => cost[unit] === first[unit]));
  if (!isOne) return {};
  return Object.assign({}, ...UNIT_PRICES.map((unit) => present(unit, first[unit])));
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
