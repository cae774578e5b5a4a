import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { choice } from "../search.ts";

export const editorViews = ["form", "json", "preview"] as const;
/** `preview` is a view of its own where the screen has no room for it beside the form. */
export type EditorView = (typeof editorViews)[number];
export type EditorSearch = { readonly view?: EditorView };

const readSearch = (search: Record<string, unknown>): EditorSearch =>
  choice("view", search.view, editorViews);

export const agentEditorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/$name/edit",
  staticData: { title: "Edit agent" },
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import("./agent-editor-screen.tsx"), "AgentEditorScreen"),
});

export const newAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  // Not below /agents, where it would hide an agent of that name.
  path: "/new-agent",
  staticData: { title: "New agent" },
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import("./new-agent-screen.tsx"), "NewAgentScreen"),
});
