import { expect, it } from "vitest";
import { costOf, type KnownPrice, type ModelPrice, type RunCost, sumCosts } from "./cost.ts";

const price: ModelPrice = {
  currency: "EUR",
  inputPerMillion: 3,
  cachedInputPerMillion: 0.3,
  outputPerMillion: 15,
};

it("charges cached input at its own price and the rest at the full one", () => {
  const cost = costOf(
    { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 100 },
    known(price),
  );

  expect(cost).toEqual({
    inputCost: 0.0018,
    inputPricePerMillionTokens: 3,
    cachedInputCost: 0.00012,
    cachedInputPricePerMillionTokens: 0.3,
    outputCost: 0.0015,
    outputPricePerMillionTokens: 15,
    totalCost: 0.00342,
    currency: "EUR",
    source: "Catalog",
  });
});

it("charges all input at the full price when there is no price for cached input", () => {
  const { cachedInputPerMillion: _, ...uncached } = price;

  const cost = costOf(
    { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 0 },
    known(uncached),
  );

  expect(cost).toMatchObject({ inputCost: 0.003, totalCost: 0.003 });
  expect(cost).not.toHaveProperty("cachedInputCost");
});

it.each([
  [undefined, known(price)],
  [{ inputTokens: 1 }, undefined],
])("does not know the cost of %j at %j", (usage, at) => {
  expect(costOf(usage, at)).toEqual({ source: "Unknown" });
});

it("knows no total when a part of it is unknown", () => {
  const { outputPerMillion: _, ...inputOnly } = price;

  expect(costOf({ inputTokens: 1_000 }, known(price))).not.toHaveProperty("totalCost");
  expect(costOf({ inputTokens: 1_000, outputTokens: 1 }, known(inputOnly))).not.toHaveProperty(
    "totalCost",
  );
});

it("shows the cost of a single token of a cheap model, without the noise of binary fractions", () => {
  const cheap: ModelPrice = { currency: "USD", inputPerMillion: 0.1, outputPerMillion: 0.2 };

  expect(costOf({ inputTokens: 1, outputTokens: 1 }, known(cheap))).toMatchObject({
    inputCost: 0.0000001,
    totalCost: 0.0000003,
  });
});

it("charges nothing for more cached input than there was input", () => {
  const cost = costOf({ inputTokens: 10, cachedInputTokens: 20, outputTokens: 0 }, known(price));

  expect(cost.inputCost).toBe(0);
});

it("says where the price is from and since when it is in force", () => {
  const validFrom = "2026-07-01T00:00:00.000Z";

  const cost = costOf({ inputTokens: 1 }, { price, source: "Configuration", validFrom });

  expect(cost).toMatchObject({ source: "Configuration", priceValidFrom: validFrom });
});

it("adds the costs of calls, and keeps the prices they have in common", () => {
  const call = costOf({ inputTokens: 1_000, outputTokens: 100 }, known(price));

  const sum = sumCosts([call, call, call]);

  expect(sum).toEqual({ ...call, inputCost: 0.009, outputCost: 0.0045, totalCost: 0.0135 });
});

it.each<[string, RunCost]>([
  ["a call whose cost is not known", { source: "Unknown" }],
  ["another currency", costOf({ inputTokens: 1, outputTokens: 1 }, known({ currency: "USD" }))],
])("knows no sum with %s", (_, other) => {
  const call = costOf({ inputTokens: 1, outputTokens: 1 }, known(price));

  expect(sumCosts([call, other])).toEqual({ source: "Unknown" });
});

function known(at: ModelPrice): KnownPrice {
  return { price: at, source: "Catalog" };
}
