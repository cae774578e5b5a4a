import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { RunStatus } from "@tracon/core";
import { rootRoute } from "../../app/root-route.tsx";
import { statusNames } from "../../design/status.tsx";
import { choice, text } from "../search.ts";

export const timeWindows = ["1h", "24h", "7d", "30d"] as const;
export type TimeWindow = (typeof timeWindows)[number];

export type RunsSearch = {
  readonly agent?: string;
  readonly status?: RunStatus;
  /** How far back; everything when absent. */
  readonly since?: TimeWindow;
  /** Id of the session the runs belong to. */
  readonly session?: string;
};

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  staticData: { title: "Runs" },
  validateSearch: (search: Record<string, unknown>): RunsSearch => ({
    ...text("agent", search.agent),
    ...choice("status", search.status, statusNames),
    ...choice("since", search.since, timeWindows),
    ...text("session", search.session),
  }),
  component: lazyRouteComponent(() => import("./runs-screen.tsx"), "RunsScreen"),
});
