import * as z from "zod";
import { type RunCost, sumCosts } from "./cost.ts";
import { addUsage, type RunUsage } from "./usage.ts";

/**
 * What the runs of a tree cost together. The amounts are of the runs whose cost is known, and absent
 * when there is none or when they are in several currencies; `costs` then has each of them.
 */
export const runTreeCostSchema = z.object({
  inputCost: z.number().optional(),
  outputCost: z.number().optional(),
  cachedInputCost: z.number().optional(),
  totalCost: z.number().optional(),
  currency: z.string().optional(),
  /** The known cost in each currency; nothing is converted. */
  costs: z.array(z.object({ currency: z.string(), totalCost: z.number() })),
  /** Runs that a model answered and whose cost is not known. They are in no amount. */
  runsWithUnknownPricing: z.int(),
});
export type RunTreeCost = z.output<typeof runTreeCostSchema>;

/** What all runs of a tree used, each counted once. */
export type TreeTotals = {
  /** Absent when no run measured anything. */
  readonly usage?: RunUsage;
  readonly cost: RunTreeCost;
};

type Member = { readonly usage?: RunUsage | undefined; readonly cost?: RunCost | undefined };

/** The totals of the runs given. A run that goes on has its usage and cost with its end. */
export function treeTotalsOf(members: Iterable<Member>): TreeTotals {
  let usage: RunUsage | undefined;
  let runsWithUnknownPricing = 0;
  const known = new Map<string, RunCost[]>();
  for (const member of members) {
    usage = addUsage(usage, member.usage);
    if (isUnpriced(member)) runsWithUnknownPricing += 1;
    if (member.cost?.totalCost === undefined) continue;
    const currency = member.cost.currency ?? "";
    known.set(currency, [...(known.get(currency) ?? []), member.cost]);
  }
  const sums = [...known.values()].map((costs) => sumCosts(costs));
  const [only, ...others] = sums;
  return {
    ...(usage === undefined ? {} : { usage }),
    cost: {
      ...(only === undefined || others.length > 0 ? {} : amountsOf(only)),
      costs: sums.map(({ currency = "", totalCost = 0 }) => ({ currency, totalCost })),
      runsWithUnknownPricing,
    },
  };
}

/** An answer from the cache has neither usage nor cost, and no price is missing. */
const isUnpriced = ({ usage, cost }: Member): boolean =>
  cost !== undefined &&
  cost.totalCost === undefined &&
  (usage !== undefined || cost.hasUnmeasuredCalls === true);

const AMOUNTS = ["inputCost", "outputCost", "cachedInputCost", "totalCost", "currency"] as const;

const amountsOf = (sum: RunCost): Partial<Pick<RunCost, (typeof AMOUNTS)[number]>> =>
  Object.fromEntries(
    AMOUNTS.filter((name) => sum[name] !== undefined).map((name) => [name, sum[name]]),
  );
