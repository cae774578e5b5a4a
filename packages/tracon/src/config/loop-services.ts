import type { LoopEvaluatorRegistration } from "@tracon/engine";
import type { Tracon } from "../tracon.ts";

type Registrations = Readonly<Record<string, LoopEvaluatorRegistration<Tracon>>>;

/** The registrations with factories that get what `services` gives when they are called. */
export const withServices = (
  registrations: Registrations,
  services: () => Tracon,
): Readonly<Record<string, LoopEvaluatorRegistration>> =>
  Object.fromEntries(
    Object.entries(registrations).map(([kind, registration]) => {
      if (!("create" in registration)) return [kind, registration];
      const { description } = registration;
      const create = () => registration.create(services());
      return [kind, description === undefined ? { create } : { description, create }];
    }),
  );
