/** What a run costs, as a fold over its model calls: each at the price of its own moment. */

import {
  costOf,
  type KnownPrice,
  type RunCost,
  type RunEventPayload,
  type RunUsage,
  sumCosts,
} from "@tracon/core";

/** The price that is in force for a model at a moment (ISO 8601). */
export type PriceOf = (provider: string, model: string, at: string) => KnownPrice | undefined;

type Answer = RunEventPayload<"MessageCompleted">;

/** A call of any model: what it used, and what it cost when that is known already. */
type MeasuredCall = {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly usage: RunUsage | undefined;
  readonly cost: RunCost | undefined;
};

export class CostFold {
  readonly #priceOf: PriceOf;
  readonly #costs: RunCost[] = [];
  #isUnpriced = false;
  #isUnmeasured = false;
  /** Of the answer that has begun and is not complete. */
  #begun: number | undefined;

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  /** A model has begun to answer in a step; when it does not end, nobody says what it used. */
  begin(step: number): void {
    this.#leave(step);
    this.#begun = step;
  }

  /** Takes an answer of the agent's model; answers with what it cost, when that is known. */
  add(answer: Answer, timestamp: string): RunCost | undefined {
    const { usage, cost, fromCache, modelProvider: provider, modelId: model } = answer;
    this.#leave(answer.step);
    // An answer out of the cache costs nothing that is not known.
    if (fromCache === true && usage === undefined) return undefined;
    return this.addCall({ provider, model, usage, cost }, timestamp);
  }

  /** Takes a call of another model that the run pays for; answers as `add` does. */
  addCall(call: MeasuredCall, timestamp: string): RunCost | undefined {
    const { usage } = call;
    const cost = call.cost ?? costOf(usage, this.#known(call, timestamp));
    this.#costs.push(cost);
    this.#isUnpriced ||= cost.totalCost === undefined;
    this.#isUnmeasured ||= usage === undefined;
    return cost.source === "Unknown" ? undefined : cost;
  }

  /** A model answered, and what that cost is not known. */
  get isUnpriced(): boolean {
    return this.#isUnpriced || this.#begun !== undefined;
  }

  total(): RunCost {
    if (!this.#isUnmeasured && this.#begun === undefined) return sumCosts(this.#costs);
    return { ...sumCosts([...this.#costs, { source: "Unknown" }]), hasUnmeasuredCalls: true };
  }

  /** Whatever was begun in another step was cut off: a fallback has taken its place. */
  #leave(step: number): void {
    if (this.#begun !== undefined && this.#begun !== step) {
      this.#costs.push({ source: "Unknown" });
      this.#isUnpriced = true;
      this.#isUnmeasured = true;
    }
    this.#begun = undefined;
  }

  #known({ provider, model }: MeasuredCall, timestamp: string): KnownPrice | undefined {
    if (provider === undefined || model === undefined) return undefined;
    return this.#priceOf(provider, model, timestamp);
  }
}
