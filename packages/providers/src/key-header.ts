import type { ApiKey } from "./connection.ts";

/** What the SDK is given as its key where the real one is put in by `withKeyHeader`. */
export const KEY_SET_PER_REQUEST = "set-per-request";

const PLACEHOLDER_BEARER = `Bearer ${KEY_SET_PER_REQUEST}`;

/**
 * A fetch that sends the key in `header` and in no other place, for providers whose SDK package
 * takes no function for a key, or puts the key into a header that the provider does not read.
 */
export function withKeyHeader(
  fetch: typeof globalThis.fetch,
  header: string,
  apiKey: ApiKey,
): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get("authorization") === PLACEHOLDER_BEARER) headers.delete("authorization");
    headers.set(header, typeof apiKey === "string" ? apiKey : await apiKey());
    return fetch(input, { ...init, headers });
  };
}
