import { queryOptions } from "@tanstack/react-query";
import type { TraconClient } from "@tracon/client";
import type { HomeWindow } from "./home-route.ts";

/** Figures are sums over hours and more; younger than this they would not look different. */
const REFRESH_MS = 30_000;
const HOUR_MS = 3_600_000;

export const windowHours: Readonly<Record<HomeWindow, number>> = {
  "24h": 24,
  "7d": 168,
  "30d": 720,
};
export const windowBucket: Readonly<Record<HomeWindow, "Hour" | "Day">> = {
  "24h": "Hour",
  "7d": "Day",
  "30d": "Day",
};

export const instantBefore = (since: HomeWindow): string =>
  new Date(Date.now() - windowHours[since] * HOUR_MS).toISOString();

export const statisticsQuery = (api: TraconClient, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "summary", since],
    queryFn: ({ signal }) => api.statistics.get({ startedAfter: instantBefore(since) }, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const timeSeriesQuery = (api: TraconClient, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "series", since],
    queryFn: ({ signal }) =>
      api.statistics.timeSeries(
        { from: instantBefore(since), to: new Date().toISOString(), bucket: windowBucket[since] },
        { signal },
      ),
    refetchInterval: REFRESH_MS,
  });

export const errorsQuery = (api: TraconClient, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "errors", since],
    queryFn: ({ signal }) => api.statistics.errors({ hours: windowHours[since] }, { signal }),
    refetchInterval: REFRESH_MS,
  });
