import type { RunRecord } from "@tracon/core";
import { formatCosts, UNKNOWN } from "../../../design/format.ts";

/** What is known of the cost of a tree; runs without a price are named beside it. */
export const treeCostText = (cost: RunRecord["treeCost"]): string =>
  cost === undefined
    ? UNKNOWN
    : formatCosts(cost.costs, { count: cost.runsWithUnknownPricing, of: "run" });
