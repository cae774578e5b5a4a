import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sessions/$sessionId",
  staticData: { title: "Session" },
  component: lazyRouteComponent(() => import("./session-screen.tsx"), "SessionScreen"),
});
