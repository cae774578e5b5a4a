import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents",
  staticData: { title: "Agents" },
  component: lazyRouteComponent(() => import("./agents-screen.tsx"), "AgentsScreen"),
});
