/**
 * Reserves what a call may spend before it is made, and settles it after, for runs whose tree has a
 * budget. Repetitions of a call that nobody answered lie below and use its reservation.
 */

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { outcomeOf } from "../call-outcome.ts";
import { openObserved } from "../observe-stream.ts";
import type {
  CallBudget,
  ModelCallReservation,
  ModelRequest,
  ModelRing,
  SendModelRequest,
} from "../ring.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export const budgetRing: ModelRing = {
  name: "budget",

  wrap(next, { host: { guards }, middleware }) {
    // With nobody in between, the reader of the answer says how it ended, and the stream stays bare.
    const isReadDirectly = guards === undefined && middleware.length === 0;
    return (request) => {
      const { budget } = request;
      return budget === undefined ? next(request) : send(next, request, { budget, isReadDirectly });
    };
  },
};

async function send(
  next: SendModelRequest,
  request: ModelRequest,
  { budget, isReadDirectly }: { readonly budget: CallBudget; readonly isReadDirectly: boolean },
) {
  const { signal, onEnd } = request;
  const reservation = await budget.reserve(request);
  if (signal.aborted) {
    // The run ended while it waited, so nobody is asked.
    reservation.settle(outcomeOf(undefined, { isUnanswered: true, outputLength: () => 0 }));
    throw signal.reason;
  }
  const limited = withLimit(request, reservation);
  if (onEnd === undefined || !isReadDirectly) {
    return openObserved(next, limited, observing(reservation, signal));
  }
  onEnd((outcome) => reservation.settle(outcome));
  return next(limited);
}

function withLimit(request: ModelRequest, { maxOutputTokens }: ModelCallReservation): ModelRequest {
  if (maxOutputTokens === undefined) return request;
  return { ...request, options: { ...request.options, maxOutputTokens } };
}

/** Looks on for the reservation. */
function observing(reservation: ModelCallReservation, signal: AbortSignal) {
  let finish: FinishPart | undefined;
  let length = 0;
  let hasBegun = false;
  return {
    part(part: LanguageModelV4StreamPart): void {
      if (part.type === "finish") finish = part;
      else if (part.type !== "stream-start" && part.type !== "error") hasBegun = true;
      if ("delta" in part) length += part.delta.length;
    },
    end(error?: unknown): void {
      // Of a call that was cancelled nobody knows whether the provider had begun.
      const isUnanswered = error !== undefined && !hasBegun && !signal.aborted;
      reservation.settle(outcomeOf(finish, { isUnanswered, outputLength: () => length }));
    },
  };
}
