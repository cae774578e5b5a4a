import type { RunRecord } from "@tracon/core";
import { formatMoney, UNKNOWN } from "../../../design/format.ts";

/** What is known of the cost of a tree, in each currency; runs without a price are named beside it. */
export function treeCostText(cost: RunRecord["treeCost"]): string {
  if (cost === undefined || cost.costs.length === 0) return UNKNOWN;
  const known = cost.costs.map(({ totalCost, currency }) =>
    formatMoney(totalCost, currency || "USD"),
  );
  const unknown = cost.runsWithUnknownPricing;
  const without = `without ${unknown} run${unknown === 1 ? "" : "s"} of unknown price`;
  return [known.join(" + "), ...(unknown === 0 ? [] : [without])].join(", ");
}
