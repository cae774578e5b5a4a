import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { text } from "../search.ts";

export type SessionsSearch = { readonly agent?: string };

export const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sessions",
  staticData: { title: "Sessions" },
  validateSearch: (search: Record<string, unknown>): SessionsSearch => text("agent", search.agent),
  component: lazyRouteComponent(() => import("./sessions-screen.tsx"), "SessionsScreen"),
});
