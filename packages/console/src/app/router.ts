import { createRouter } from "@tanstack/react-router";
import { screens } from "../screens/index.ts";
import { NotFound } from "../shell/not-found.tsx";
import { ScreenFailure } from "../shell/screen-failure.tsx";
import { rootRoute } from "./root-route.tsx";

const routeTree = rootRoute.addChildren(screens);

/** The router of the console under the path it is served from. */
export const createConsoleRouter = ({ basepath }: { readonly basepath: string }) =>
  createRouter({
    routeTree,
    basepath,
    defaultPreload: "intent",
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ScreenFailure,
    scrollRestoration: false,
  });

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: ConsoleRouter;
  }
  interface StaticDataRouteOption {
    /** Name of the screen, in the document's title and the palette. */
    readonly title?: string;
  }
}
