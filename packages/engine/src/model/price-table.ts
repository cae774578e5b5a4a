/**
 * What models cost, and since when. The entry of a model in the list of models comes first; then the
 * dated prices, the latest of which that is in force counts.
 */

import {
  type DatedPrice,
  type Finding,
  finding,
  type KnownPrice,
  type ModelDescriptor,
} from "@tracon/core";

export type PriceTable = (provider: string, model: string, at: string) => KnownPrice | undefined;

export function createPriceTable(
  models: readonly ModelDescriptor[],
  prices: readonly DatedPrice[],
): PriceTable {
  const catalog = new Map<string, KnownPrice>();
  for (const { provider, model, price } of models) {
    if (price !== undefined) catalog.set(keyOf(provider, model), { price, source: "Catalog" });
  }
  const dated = datedPrices(prices);

  return (provider, model, at) => {
    const key = keyOf(provider, model);
    return (
      catalog.get(key) ??
      // The latest comes first; times of one form are in the order of their texts.
      dated.get(key)?.find(({ validFrom }) => validFrom === undefined || validFrom <= at)
    );
  };
}

/** What is wrong with dated prices beside the models that have a price of their own. */
export function priceFindings(
  models: readonly ModelDescriptor[],
  prices: readonly DatedPrice[],
): readonly Finding[] {
  const seen = new Set<string>();
  return prices.flatMap((price, index) => {
    const { provider, model, validFrom } = price;
    const path = `prices[${index}]`;
    const name = `model '${model}' of provider '${provider}'`;
    const found: Finding[] = [];
    const listed = models.find((it) => it.provider === provider && it.model === model);
    if (listed?.price !== undefined) {
      const remedy = `${name} has its price in 'models'; move it here to date it`;
      found.push(finding("duplicate_name", path, remedy));
    }
    const key = JSON.stringify([provider, model, validFrom]);
    if (seen.has(key)) {
      const when = validFrom === undefined ? "without a date" : `from ${validFrom} on`;
      found.push(finding("duplicate_name", path, `${name} has two prices ${when}`));
    }
    seen.add(key);
    if (price.inputPerMillion === undefined && price.outputPerMillion === undefined) {
      const message = "a price needs inputPerMillion or outputPerMillion";
      found.push(finding("member_missing", path, message));
    }
    return found;
  });
}

function datedPrices(prices: readonly DatedPrice[]): ReadonlyMap<string, readonly KnownPrice[]> {
  const dated = new Map<string, KnownPrice[]>();
  for (const { provider, model, validFrom, ...price } of prices) {
    const key = keyOf(provider, model);
    const known = dated.get(key) ?? [];
    const date = validFrom === undefined ? {} : { validFrom };
    known.push({ price, source: "Configuration", ...date });
    dated.set(key, known);
  }
  for (const known of dated.values()) {
    known.sort((left, right) => ((left.validFrom ?? "") < (right.validFrom ?? "") ? 1 : -1));
  }
  return dated;
}

const keyOf = (provider: string, model: string): string => JSON.stringify([provider, model]);
