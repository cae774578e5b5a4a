/** Look-ups in the response cache. */

import type { Meter } from "@opentelemetry/api";

export type ModelCacheMetrics = {
  /** A cache that fails or is late is a miss: the model is asked. */
  lookedUp(provider: string, result: "hit" | "miss"): void;
};

export function modelCacheMetrics(meter: Meter): ModelCacheMetrics {
  const lookUps = meter.createCounter("tracon.model.cache", {
    description: "Look-ups in the response cache",
    unit: "{lookup}",
  });
  return {
    lookedUp(provider, result) {
      lookUps.add(1, { "tracon.model.provider": provider, "tracon.model.cache.result": result });
    },
  };
}
