import { expect, it } from "vitest";
import { costOf, type RunCost } from "./cost.ts";
import { treeTotalsOf } from "./tree-totals.ts";
import type { RunUsage } from "./usage.ts";

const DOLLARS = { currency: "USD", inputPerMillion: 1_000_000, outputPerMillion: 2_000_000 };

it("adds up usage and cost of every run, each counted once", () => {
  const totals = treeTotalsOf([run(10, 1), run(20, 2), run(40, 4)]);

  expect(totals).toEqual({
    usage: { inputTokens: 70, outputTokens: 7 },
    cost: {
      inputCost: 70,
      outputCost: 14,
      totalCost: 84,
      currency: "USD",
      costs: [{ currency: "USD", totalCost: 84 }],
      runsWithUnknownPricing: 0,
    },
  });
});

it("counts a run without a known price and keeps the amounts of the others", () => {
  const unpriced = { usage: { inputTokens: 5 }, cost: { source: "Unknown" } } as const;
  const unmeasured = { cost: { source: "Unknown", hasUnmeasuredCalls: true } } as const;

  const totals = treeTotalsOf([run(1, 1), unpriced, unmeasured]);

  expect(totals.usage).toEqual({ inputTokens: 6, outputTokens: 1 });
  expect(totals.cost).toMatchObject({ totalCost: 3, runsWithUnknownPricing: 2 });
});

it("misses no price of a run that called no model, was answered by the cache or goes on", () => {
  const { usage, cost } = treeTotalsOf([{ cost: { source: "Unknown" } }, { usage: {} }, {}]);

  expect(usage).toEqual({});
  expect(cost).toEqual({ costs: [], runsWithUnknownPricing: 0 });
});

it("makes one amount of several currencies never, and shows each", () => {
  const { cost } = treeTotalsOf([run(1, 0), run(2, 0, "EUR"), run(3, 0)]);

  expect(cost).toEqual({
    costs: [
      { currency: "USD", totalCost: 4 },
      { currency: "EUR", totalCost: 2 },
    ],
    runsWithUnknownPricing: 0,
  });
});

it("knows no usage when nobody measured any", () => {
  expect(treeTotalsOf([{}, {}])).not.toHaveProperty("usage");
});

it("leaves out an amount that one of the runs does not know", () => {
  const lump: RunCost = { totalCost: 5, currency: "USD", source: "Configuration" };

  const { cost } = treeTotalsOf([run(1, 1), { cost: lump }]);

  expect(cost).toMatchObject({ totalCost: 8, currency: "USD" });
  expect(cost).not.toHaveProperty("inputCost");
});

function run(inputTokens: number, outputTokens: number, currency = "USD") {
  const usage: RunUsage = { inputTokens, outputTokens };
  return { usage, cost: costOf(usage, { price: { ...DOLLARS, currency }, source: "Catalog" }) };
}
