import { queryOptions } from "@tanstack/react-query";
import type { ControlApi } from "../../app/control-api.ts";
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

const instantBefore = (since: HomeWindow): string =>
  new Date(Date.now() - windowHours[since] * HOUR_MS).toISOString();

export const statisticsQuery = (api: ControlApi, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "summary", since],
    queryFn: ({ signal }) => api.stats.get({ startedAfter: instantBefore(since) }, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const timeSeriesQuery = (api: ControlApi, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "series", since],
    queryFn: ({ signal }) =>
      api.stats.timeSeries(
        { from: instantBefore(since), to: new Date().toISOString(), bucket: windowBucket[since] },
        { signal },
      ),
    refetchInterval: REFRESH_MS,
  });

export const errorsQuery = (api: ControlApi, since: HomeWindow) =>
  queryOptions({
    queryKey: ["stats", "errors", since],
    queryFn: ({ signal }) => api.stats.errors({ hours: windowHours[since] }, { signal }),
    refetchInterval: REFRESH_MS,
  });
