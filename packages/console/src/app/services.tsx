import type { TraconClient } from "@tracon/client";
import { createContext, type ReactNode, use } from "react";
import type { Theme } from "./theme.ts";
import type { ToastQueue } from "./toast-queue.ts";
import type { TokenDesk } from "./token-desk.ts";
import type { ValueStore } from "./value-store.ts";

/** What screens reach for: made once in main.tsx, passed down, never imported as an instance. */
export type Services = {
  readonly api: TraconClient;
  /** A client with a token that is not stored yet, to try it. */
  readonly apiWith: (token: string) => TraconClient;
  readonly desk: TokenDesk;
  readonly toasts: ToastQueue;
  readonly theme: ValueStore<Theme>;
};

const ServicesContext = createContext<Services | undefined>(undefined);

export const ServicesProvider = (props: {
  readonly services: Services;
  readonly children: ReactNode;
}) => <ServicesContext value={props.services}>{props.children}</ServicesContext>;

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error("assertion failed: rendered outside of the console");
  return services;
}
