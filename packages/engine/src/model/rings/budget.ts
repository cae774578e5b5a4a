/** Reserves the call's budget before it and settles it after, where the engine keeps budgets. */

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { marksOf } from "../call-marks.ts";
import { observeStream } from "../observe-stream.ts";
import type { ModelRing } from "../ring.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export const budgetRing: ModelRing = {
  name: "budget",

  wrap(next, { host: { reserve } }) {
    if (reserve === undefined) return next;
    return async (request) => {
      const reservation = await reserve(request);
      let finish: FinishPart | undefined;
      const settle = (): void =>
        reservation.settle({
          usage: finish?.usage,
          fromCache: marksOf(finish).fromCache ?? false,
          isFinished: finish !== undefined,
        });
      try {
        const result = await next(request);
        const part = (it: LanguageModelV4StreamPart): void => {
          if (it.type === "finish") finish = it;
        };
        return { ...result, stream: observeStream(result.stream, { part, end: settle }) };
      } catch (error) {
        settle();
        throw error;
      }
    };
  },
};
