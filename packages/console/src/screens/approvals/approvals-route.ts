import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice, text } from "../search.ts";

export const approvalViews = ["waiting", "rules"] as const;
export type ApprovalView = (typeof approvalViews)[number];

export type ApprovalsSearch = {
  readonly view?: ApprovalView;
  /** Id of the approval whose card is shown, in whatever state it is. */
  readonly at?: string;
};

export const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals",
  staticData: { title: "Approvals" },
  validateSearch: (search: Record<string, unknown>): ApprovalsSearch => ({
    ...choice("view", search.view, approvalViews),
    ...text("at", search.at),
  }),
  component: lazyRouteComponent(() => import("./approvals-screen.tsx"), "ApprovalsScreen"),
});
