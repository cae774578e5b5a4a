import type { TreeBudget } from "@tracon/core";
import { expect, it } from "vitest";
import { budgetRows } from "./budget-rows.ts";

it("says what is spent, set aside and allowed, and leaves out what says nothing", () => {
  const rows = budgetRows(
    budget({ usedTokens: 12_300, reservedTokens: 4_000, maxTokens: 200_000 }),
  );

  expect(rows.map(({ name, text }) => [name, text])).toEqual([
    ["Tokens", "12.3 k of 200 k, 4000 set aside"],
    ["Child runs", "0 of 25"],
  ]);
});

it("shows a cost that nothing limits, once there is one", () => {
  const [, cost] = budgetRows(budget({ usedCost: 0.0123 }));

  expect(cost).toMatchObject({ name: "Cost", text: "$0.012, no limit", max: undefined });
});

const budget = (over: Partial<TreeBudget>): TreeBudget => ({
  rootRunId: "r",
  usedTokens: 0,
  estimatedTokens: 0,
  reservedTokens: 0,
  maxTokens: 200_000,
  usedCost: 0,
  reservedCost: 0,
  currency: "USD",
  childRuns: 0,
  maxChildRuns: 25,
  toolCalls: 0,
  ...over,
});
