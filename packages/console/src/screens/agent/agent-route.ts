import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice, wholeNumber } from "../search.ts";

export const agentViews = ["overview", "versions", "json"] as const;
export type AgentView = (typeof agentViews)[number];

export type AgentSearch = {
  readonly view?: AgentView;
  /** Versions compared in the versions view. */
  readonly left?: number;
  readonly right?: number;
};

export const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$name",
  staticData: { title: "Agent" },
  validateSearch: (search: Record<string, unknown>): AgentSearch => ({
    ...choice("view", search.view, agentViews),
    ...wholeNumber("left", search.left),
    ...wholeNumber("right", search.right),
  }),
  component: lazyRouteComponent(() => import("./agent-screen.tsx"), "AgentScreen"),
});
