/** The members that say to whom is told what runs do. */

import { type Finding, finding } from "@tracon/core";
import * as z from "zod";
import type { ObservabilityConfig, TraconConfig } from "./config.ts";

const tracerProviderSchema = z.custom<NonNullable<ObservabilityConfig["tracerProvider"]>>(
  (value) => hasFunction(value, "getTracer"),
  "must be a tracer provider of OpenTelemetry: it has the function getTracer",
);

const meterProviderSchema = z.custom<NonNullable<ObservabilityConfig["meterProvider"]>>(
  (value) => hasFunction(value, "getMeter"),
  "must be a meter provider of OpenTelemetry: it has the function getMeter",
);

const eventSinkSchema = z.custom<NonNullable<TraconConfig["eventSinks"]>[number]>(
  (value) => hasFunction(value, "onEvent") && isName(Reflect.get(value, "name")),
  "must have a name and the function onEvent",
);

/** More of them would make every commit wait. */
const MAX_SINKS = 32;

/** Members of the configuration. */
export const observabilitySettings = {
  observability: z
    .strictObject({
      enabled: z.boolean().default(true),
      recordSensitiveData: z.boolean().default(false),
      includeAgentVersionTag: z.boolean().default(true),
      tracerProvider: tracerProviderSchema.optional(),
      meterProvider: meterProviderSchema.optional(),
    })
    .prefault({}),
  eventSinks: z.array(eventSinkSchema).max(MAX_SINKS).default([]),
} as const;

const observabilitySettingsSchema = z.strictObject(observabilitySettings);
/** To whom is told what runs do, with every default applied. */
export type ObservabilitySettings = z.output<typeof observabilitySettingsSchema>;

/** The log names sinks, so no two have one name. */
export const repeatedSinks = ({
  eventSinks,
}: Pick<ObservabilitySettings, "eventSinks">): readonly Finding[] =>
  eventSinks.flatMap(({ name }, index) =>
    eventSinks.findIndex((other) => other.name === name) === index
      ? []
      : [finding("duplicate_name", `eventSinks[${index}].name`, `two sinks are named '${name}'`)],
  );

const isName = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && value.length <= 128;

function hasFunction(value: unknown, name: string): value is object {
  return (
    value !== null && typeof value === "object" && typeof Reflect.get(value, name) === "function"
  );
}
