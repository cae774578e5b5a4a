/** What a run costs, as a fold over its model calls: each at the price of its own moment. */

import {
  costOf,
  type KnownPrice,
  type RunCost,
  type RunEventPayload,
  sumCosts,
} from "@tracon/core";

/** The price that is in force for a model at a moment (ISO 8601). */
export type PriceOf = (provider: string, model: string, at: string) => KnownPrice | undefined;

type Answer = RunEventPayload<"MessageCompleted">;

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

  /** Takes a model call; answers with what it cost, when that is known. */
  add(answer: Answer, timestamp: string): RunCost | undefined {
    const { usage, fromCache } = answer;
    this.#leave(answer.step);
    // An answer out of the cache costs nothing that is not known.
    if (fromCache === true && usage === undefined) return undefined;
    const cost = answer.cost ?? costOf(usage, this.#known(answer, timestamp));
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

  #known({ modelProvider, modelId }: Answer, timestamp: string): KnownPrice | undefined {
    if (modelProvider === undefined || modelId === undefined) return undefined;
    return this.#priceOf(modelProvider, modelId, timestamp);
  }
}
