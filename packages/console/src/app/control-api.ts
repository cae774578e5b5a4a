/** Operations the client package does not have yet, by the names it will have. */

import { type CallOptions, TraconApiError } from "@tracon/client";
import type { Problem } from "@tracon/core";
import type { RunErrorStatistics, RunStatistics, TimeSeriesPoint } from "./control-records.ts";

type Query = Readonly<Record<string, string | number | undefined>>;
export type ControlApi = ReturnType<typeof controlApi>;

export function controlApi(baseUrl: string, token: () => string) {
  const send = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...(token() === "" ? {} : { authorization: `Bearer ${token()}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (response.ok)
      return response.status === 204 ? undefined : ((await response.json()) as unknown);
    const problem = (await response.json()) as Problem;
    throw new TraconApiError({ ...problem, problem });
  };
  const get = (path: string, query: Query, { signal }: CallOptions) =>
    send("GET", path + searchOf(query), undefined, signal);

  return {
    stats: {
      get: (query: Query = {}, options: CallOptions = {}) =>
        get("/stats", query, options) as Promise<RunStatistics>,
      timeSeries: (query: Query = {}, options: CallOptions = {}) =>
        get("/stats/timeseries", query, options) as Promise<readonly TimeSeriesPoint[]>,
      errors: (query: Query = {}, options: CallOptions = {}) =>
        get("/stats/errors", query, options) as Promise<readonly RunErrorStatistics[]>,
    },
  };
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.append(key, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}
