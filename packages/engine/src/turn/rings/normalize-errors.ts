/** Makes every fault of a turn one of ours. What the run's own signal caused stays that. */

import { TraconError } from "@tracon/core";
import type { TurnRing } from "../ring.ts";

export const normalizeErrorsRing: TurnRing = {
  name: "normalize-errors",

  wrap: (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (TraconError.is(error)) throw error;
      const name = error instanceof Error ? error.name : "Error";
      throw new TraconError("internal", `${name} failed`, { cause: error });
    }
  },
};
