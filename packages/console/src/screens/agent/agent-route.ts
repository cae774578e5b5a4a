import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { homeWindows } from "../home/home-route.ts";
import { choice, wholeNumber } from "../search.ts";

export const agentViews = ["overview", "loop", "versions", "json"] as const;
export type AgentView = (typeof agentViews)[number];

export const loopWindows = [...homeWindows, "all"] as const;
export type LoopWindow = (typeof loopWindows)[number];

export type AgentSearch = {
  readonly view?: AgentView;
  /** Versions compared in the versions view. */
  readonly left?: number;
  readonly right?: number;
  /** How far back the figures of the loop go; a month when absent. */
  readonly since?: LoopWindow;
};

export const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$name",
  staticData: { title: "Agent" },
  validateSearch: (search: Record<string, unknown>): AgentSearch => ({
    ...choice("view", search.view, agentViews),
    ...wholeNumber("left", search.left),
    ...wholeNumber("right", search.right),
    ...choice("since", search.since, loopWindows),
  }),
  component: lazyRouteComponent(() => import("./agent-screen.tsx"), "AgentScreen"),
});
