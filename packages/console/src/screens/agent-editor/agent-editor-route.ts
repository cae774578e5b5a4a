import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const agentEditorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$name/edit",
  staticData: { title: "Edit agent" },
  component: lazyRouteComponent(() => import("./agent-editor-screen.tsx"), "AgentEditorScreen"),
});

export const newAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  // Not below /agents, where it would hide an agent of that name.
  path: "/new-agent",
  staticData: { title: "New agent" },
  component: lazyRouteComponent(() => import("./new-agent-screen.tsx"), "NewAgentScreen"),
});
