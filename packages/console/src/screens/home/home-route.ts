import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice } from "../search.ts";

export const homeWindows = ["24h", "7d", "30d"] as const;
export type HomeWindow = (typeof homeWindows)[number];

export const windowNames: Readonly<Record<HomeWindow, string>> = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

export type HomeSearch = {
  /** How far back the figures go; a week when absent. */
  readonly since?: HomeWindow;
};

/** The start page. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  staticData: { title: "Home" },
  validateSearch: (search: Record<string, unknown>): HomeSearch =>
    choice("since", search.since, homeWindows),
  component: lazyRouteComponent(() => import("./home-screen.tsx"), "HomeScreen"),
});
