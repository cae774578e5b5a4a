import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice, text } from "../search.ts";

export type PlaygroundSearch = {
  readonly agent?: string;
  /** The session that goes on; a new one with the first message when absent. */
  readonly session?: string;
  /** `off`: each message is a run without a session. */
  readonly memory?: "off";
};

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  staticData: { title: "Playground" },
  validateSearch: (search: Record<string, unknown>): PlaygroundSearch => ({
    ...text("agent", search.agent),
    ...text("session", search.session),
    ...choice("memory", search.memory, ["off"]),
  }),
  component: lazyRouteComponent(() => import("./playground-screen.tsx"), "PlaygroundScreen"),
});
