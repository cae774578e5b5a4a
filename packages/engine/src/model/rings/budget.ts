/** Reserves the call's budget before it and settles it after, where the engine keeps budgets. */

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { marksOf } from "../call-marks.ts";
import { openObserved } from "../observe-stream.ts";
import type { ModelCallReservation, ModelRing } from "../ring.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export const budgetRing: ModelRing = {
  name: "budget",

  wrap(next, { host: { reserve } }) {
    if (reserve === undefined) return next;
    return async (request) => openObserved(next, request, settling(await reserve(request)));
  },
};

function settling(reservation: ModelCallReservation) {
  let finish: FinishPart | undefined;
  return {
    part(part: LanguageModelV4StreamPart): void {
      if (part.type === "finish") finish = part;
    },
    end(): void {
      reservation.settle({
        usage: finish?.usage,
        fromCache: marksOf(finish).fromCache ?? false,
        isFinished: finish !== undefined,
      });
    },
  };
}
