import { createRoute, redirect } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

/** The start page: runs, what operators keep open. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/runs", replace: true });
  },
});
