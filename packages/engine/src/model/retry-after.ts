/** Milliseconds a provider asks to wait before the next call, or `undefined` when it says nothing usable. */

import { APICallError } from "@ai-sdk/provider";

const SECONDS = /^\d{1,9}(?:\.\d{1,3})?$/;

/** Reads `retry-after-ms` and `retry-after` (seconds or an HTTP date) of what a provider threw. */
export function retryAfterMs(fault: unknown, nowMs: number): number | undefined {
  const headers = APICallError.isInstance(fault) ? fault.responseHeaders : undefined;
  if (headers === undefined) return undefined;
  const exactMs = numberOf(headers["retry-after-ms"]);
  if (exactMs !== undefined) return exactMs;
  const value = headers["retry-after"];
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds * 1_000;
  const dateMs = value === undefined ? Number.NaN : Date.parse(value);
  // A date that has passed says no more than that the server's clock is another.
  return dateMs > nowMs ? dateMs - nowMs : undefined;
}

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && SECONDS.test(text.trim()) ? Number(text) : undefined;
