/**
 * Where answers of models are kept for equal requests. Shared by tenants; the key tells them apart.
 *
 * Both calls may fail: a failure is a miss or a write that did not happen, never a failed run. A value
 * is given back as it was, or not at all. Whoever made the cache owns its lifetime.
 */
export interface ResponseCache {
  /** The value, or `undefined` when there is none or its lifetime is over. */
  get(key: string): PromiseLike<string | undefined> | string | undefined;
  /** Keeps `value` for `lifetimeMs` milliseconds at most; it may be dropped earlier. */
  set(key: string, value: string, lifetimeMs: number): PromiseLike<void> | void;
}
