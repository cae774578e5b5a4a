/** Spares a provider that keeps failing: its turns fail at once until a probe succeeds. */

import { isTransientFault } from "../../model/provider-fault.ts";
import type { TurnRing } from "../ring.ts";

export const circuitBreakerRing: TurnRing = {
  name: "circuit-breaker",

  wrap(next, { host: { breakers } }) {
    if (breakers === undefined) return next;
    return async (request) => {
      const leave = breakers.enter(request.agent.bound.provider);
      try {
        const answer = await next(request);
        leave("answered");
        return answer;
      } catch (error) {
        // A cancelled run and a refused request say nothing of whether the provider is well.
        leave(!request.signal.aborted && isTransientFault(error) ? "failed" : "neutral");
        throw error;
      }
    };
  },
};
