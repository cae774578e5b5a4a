import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { ConsoleRouter } from "./router.ts";
import { type Services, ServicesProvider } from "./services.tsx";

/** The console: its services around its router. */
export const App = (props: {
  readonly services: Services;
  readonly queryClient: QueryClient;
  readonly router: ConsoleRouter;
}) => (
  <ServicesProvider services={props.services}>
    <QueryClientProvider client={props.queryClient}>
      <RouterProvider router={props.router} />
    </QueryClientProvider>
  </ServicesProvider>
);
