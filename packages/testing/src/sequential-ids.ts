import type { IdSource } from "@tracon/core";
import { TEST_EPOCH_MS } from "./manual-clock.ts";

const MAX_TIMESTAMP_MS = 2 ** 48 - 1;

/**
 * Creates valid, rising UUIDv7 strings that are the same in every test: the timestamp stays at
 * `timestampMs` (2026-01-01 by default) and the last digits count from one.
 */
export function sequentialIds(timestampMs: number = TEST_EPOCH_MS): IdSource {
  if (!Number.isInteger(timestampMs) || timestampMs < 0 || timestampMs > MAX_TIMESTAMP_MS) {
    throw new RangeError("the timestamp of a UUIDv7 is a whole number of 48 bits");
  }
  const time = timestampMs.toString(16).padStart(12, "0");
  const prefix = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-`;
  let count = 0;

  return {
    next() {
      count += 1;
      return prefix + count.toString(16).padStart(12, "0");
    },
  };
}
