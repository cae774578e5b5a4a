/** What a model reads of a call of another agent that gave no answer. */

import type { ChildOutcome } from "../scope/child-call.ts";

/**
 * Says why there is no answer, never in a provider's own words.
 *
 * The wait limits, a provider's fault and a refusal each read differently: a model that knows which it
 * was can decide whether to ask again.
 */
export function describeOutcome(outcome: ChildOutcome): string {
  switch (outcome.kind) {
    case "answered":
      return outcome.text;
    case "failed":
      return `${outcome.error.message}.`;
    case "canceled":
      return "its run was canceled.";
    case "timedOut": {
      const limit = `${outcome.limitMs / 1_000} s`;
      return outcome.layer === "deadline"
        ? `it did not finish within its limit of ${limit} and was stopped.`
        : `it did not finish within ${limit} and is waited for no longer.`;
    }
    case "refused":
      return `${outcome.reason}.`;
  }
}
