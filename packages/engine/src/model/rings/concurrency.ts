/** Waits for a free place with the provider, when their number is limited; never rejects for a full house. */

import { openObserved } from "../observe-stream.ts";
import type { ModelRing } from "../ring.ts";

export const concurrencyRing: ModelRing = {
  name: "concurrency",

  wrap(next, { host: { limits } }) {
    if (limits === undefined) return next;
    return async (request) => {
      const leave = await limits.enter(request.bound.provider, request.signal);
      return openObserved(next, request, { end: leave });
    };
  },
};
