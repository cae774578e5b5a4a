import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice, text } from "../search.ts";

export const runViews = ["timeline", "tree", "trace", "events"] as const;
export type RunView = (typeof runViews)[number];

export type RunSearch = {
  readonly view?: RunView;
  /** Key of the chapter that the inspector shows. */
  readonly at?: string;
  /** How the tree is shown; as a graph when it is not said. */
  readonly as?: "graph" | "table";
};

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$runId",
  staticData: { title: "Run" },
  validateSearch: (search: Record<string, unknown>): RunSearch => ({
    ...choice("view", search.view, runViews),
    ...text("at", search.at),
    ...choice("as", search.as, ["graph", "table"]),
  }),
  component: lazyRouteComponent(() => import("./run-screen.tsx"), "RunScreen"),
});
