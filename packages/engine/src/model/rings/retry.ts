/**
 * Asks again when a call was not answered: the connection failed, the provider was down or its rate
 * limit hit. This is the only place that repeats a model call; providers never retry by themselves.
 *
 * Once a provider has begun to answer, nothing is repeated: what was received may have been shown.
 */

import { TraconError } from "@tracon/core";
import { isTransientFault, providerFault } from "../provider-fault.ts";
import { retryAfterMs } from "../retry-after.ts";
import type { ModelHost, ModelRequest, ModelRing } from "../ring.ts";

export const retryRing: ModelRing = {
  name: "retry",

  wrap(next, { host }) {
    const { maxRetries } = host.retry;
    if (maxRetries === 0) return next;
    return async (request) => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await next(request);
        } catch (error) {
          request.signal.throwIfAborted();
          if (attempt === maxRetries) throw error;
          await waitToRepeat(error, attempt, request, host);
        }
      }
    };
  },
};

/** Waits until the call may be repeated; throws the fault when it must not be. */
async function waitToRepeat(
  error: unknown,
  attempt: number,
  { bound, clock, log, signal, runId }: ModelRequest,
  { retry, random, sleep }: ModelHost,
): Promise<void> {
  const fault = providerFault(bound.provider, error);
  if (!isTransientFault(fault)) throw error;
  const askedMs = retryAfterMs(error, clock.now());
  if (askedMs !== undefined && askedMs > retry.maxDelayMs) {
    const asked = `${Math.ceil(askedMs / 1_000)} s`;
    const message = `${fault.message} and asks to wait ${asked}, longer than the limit`;
    throw new TraconError(fault.code, message, { cause: error });
  }
  // A hint of zero is still followed by a wait, so that many runs do not come back at once.
  const delayMs = Math.max(askedMs ?? 0, backoffMs(attempt, retry, random));
  log.info("a model call is repeated", {
    runId,
    provider: bound.provider,
    model: bound.modelId,
    code: fault.code,
    attempt: attempt + 1,
    delayMs,
  });
  await sleep(delayMs, signal);
}

/** Between half of the doubled delay and all of it, so that runs that failed together come apart. */
function backoffMs(
  attempt: number,
  { baseDelayMs, maxDelayMs }: ModelHost["retry"],
  random: () => number,
): number {
  const fullMs = Math.min(baseDelayMs * 2 ** attempt, maxDelayMs);
  return Math.round(fullMs * (0.5 + random() / 2));
}
