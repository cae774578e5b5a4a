/** Waits for a free place with the provider, when their number is limited; never rejects for a full house. */

import { observeStream } from "../observe-stream.ts";
import type { ModelRing } from "../ring.ts";

export const concurrencyRing: ModelRing = {
  name: "concurrency",

  wrap(next, { host: { limits } }) {
    if (limits === undefined) return next;
    return async (request) => {
      const leave = await limits.enter(request.bound.provider, request.signal);
      try {
        const result = await next(request);
        return { ...result, stream: observeStream(result.stream, { end: leave }) };
      } catch (error) {
        leave();
        throw error;
      }
    };
  },
};
