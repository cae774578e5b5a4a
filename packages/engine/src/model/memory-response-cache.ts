import type { Clock, ResponseCache } from "@tracon/core";
import { LRUCache } from "lru-cache";

/** How much a `memoryResponseCache` holds. */
export type MemoryResponseCacheOptions = {
  /** Default 1,000. */
  readonly maxEntries?: number;
  /** Keys and values together, in bytes of UTF-16 text. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Default the system's clock. */
  readonly clock?: Pick<Clock, "monotonicMs">;
};

const DEFAULT_MAX_ENTRIES = 1_000;
const DEFAULT_MAX_BYTES = 67_108_864;

/**
 * A response cache in this process. What was not asked for longest makes room; a value larger than the
 * whole cache is not kept. Nothing survives the process, and no other process sees it.
 */
export function memoryResponseCache({
  maxEntries = DEFAULT_MAX_ENTRIES,
  maxBytes = DEFAULT_MAX_BYTES,
  clock,
}: MemoryResponseCacheOptions = {}): ResponseCache {
  const entries = new LRUCache<string, string>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: (value, key) => 2 * (value.length + key.length),
    ...(clock === undefined
      ? {}
      : // A time of 0 would mean that an entry has none.
        { perf: { now: () => clock.monotonicMs() + 1 }, ttlResolution: 0 }),
  });
  return {
    get: (key) => entries.get(key),
    set: (key, value, lifetimeMs) => void entries.set(key, value, { ttl: lifetimeMs }),
  };
}
