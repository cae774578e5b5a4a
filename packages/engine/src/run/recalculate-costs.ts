/**
 * Prices runs whose cost was unknown at their end, as a fold over their journals with the prices
 * known now. Neither the journal nor the run's row is touched: the store keeps the cost beside them.
 */

import {
  type Clock,
  LOOP_JUDGE_CALLED,
  type RunCost,
  type RunCostRecalculation,
  type RunEvent,
  type RunRecord,
  type RunStore,
  type StatisticsStore,
} from "@tracon/core";
import { CostFold, type PriceOf } from "./cost-fold.ts";
import { judgeCallOf } from "./judge-call-of.ts";

/** What a cost is made of, and where it is kept. */
export type CostSources = {
  readonly statistics: StatisticsStore;
  readonly runs: RunStore;
  readonly priceOf: PriceOf;
  readonly clock: Clock;
};

/** Runs that one call looks at, so that it ends while somebody waits for it. */
const MAX_RUNS = 5_000;
const RUNS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 2_000;

export async function recalculateCosts(
  options: CostSources,
  tenantId: string,
  after: string | undefined,
): Promise<RunCostRecalculation> {
  const { statistics, clock } = options;
  const pricedAt = new Date(clock.now()).toISOString();
  const sums = { runsConsidered: 0, runsUpdated: 0, runsStillUnknown: 0, runsSkipped: 0 };
  let last = after;
  while (sums.runsConsidered < MAX_RUNS) {
    const position = last === undefined ? {} : { after: last };
    const records = await statistics.unpricedRuns(tenantId, { ...position, take: RUNS_AT_ONCE });
    const priced: { record: RunRecord; cost: RunCost }[] = [];
    for (const record of records) {
      if (record.cost?.hasUnmeasuredCalls === true) continue;
      const cost = await costOfRun(options, tenantId, record.id);
      if (cost.totalCost !== undefined) priced.push({ record, cost: { ...cost, pricedAt } });
    }
    const updated = await statistics.correctCosts(tenantId, priced);
    sums.runsConsidered += records.length;
    sums.runsUpdated += updated.length;
    sums.runsSkipped += priced.length - updated.length;
    sums.runsStillUnknown += records.length - priced.length;
    last = records.at(-1)?.id;
    if (records.length < RUNS_AT_ONCE || last === undefined) return sums;
  }
  return { ...sums, ...(last === undefined ? {} : { continueAfter: last }) };
}

const CALLS = ['"type":"MessageCompleted"', `"customType":"${LOOP_JUDGE_CALLED}"`];

function addCall(costs: CostFold, event: RunEvent): void {
  if (event.type === "MessageCompleted") costs.add(event.payload, event.timestamp);
  const judged = event.type === "Custom" ? judgeCallOf(event.payload) : undefined;
  if (judged === undefined) return;
  const { provider, model, usage, cost } = judged;
  costs.addCall({ provider, model, usage, cost }, event.timestamp);
}

async function costOfRun(
  { runs, priceOf }: CostSources,
  tenantId: string,
  runId: string,
): Promise<RunCost> {
  const costs = new CostFold(priceOf);
  for (let after = -1; ; ) {
    const events = await runs.events(tenantId, runId, { after, take: EVENTS_AT_ONCE });
    for (const { json } of events) {
      // Deltas make up most of a journal; calls of models are told apart before parsing.
      if (CALLS.some((it) => json.includes(it))) addCall(costs, JSON.parse(json) as RunEvent);
    }
    if (events.length < EVENTS_AT_ONCE) return costs.total();
    after = events.at(-1)?.sequence ?? after;
  }
}
