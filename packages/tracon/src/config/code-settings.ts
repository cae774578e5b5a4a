/** The members that hold code which agents are made of, and where further agents come from. */

import { agentDefinitionSchema, judgeBindingSchema } from "@tracon/core";
import * as z from "zod";
import type { TraconConfig } from "./config.ts";

/** What a definition can name. */
const extensionName = z.string().min(1).max(128);
/** Longest kind of a criterion in a definition. */
const MAX_KIND_LENGTH = 128;

const extensionSchema = z.custom<NonNullable<TraconConfig["extensions"]>[string]>(
  (value) => hasFunctions(value, ["apply"]) && isDescribed(value),
  "must have the function apply, and may have a description",
);

/** One of the two: what has both would leave open which one counts. */
const loopEvaluatorSchema = z.custom<NonNullable<TraconConfig["loopEvaluators"]>[string]>(
  (value) =>
    hasFunctions(value, ["evaluate"]) !== hasFunctions(value, ["create"]) &&
    isDescribed(value as object),
  "must have the function evaluate or the function create, and may have a description",
);

const factorySchema = z.custom<NonNullable<TraconConfig["agentFactories"]>[string]>(
  (value) => typeof value === "function",
  "must be a function that gives an agent of the AI SDK",
);

const sourceSchema = z.custom<NonNullable<TraconConfig["agentSources"]>[number]>(
  (value) => hasFunctions(value, ["list", "find"]),
  "must have a name, a priority, and the functions list and find",
);

/** A factory is an agent, so its name keeps the rules of every agent's. */
const agentName = agentDefinitionSchema.shape.name;

/** Members of the configuration. */
export const codeSettings = {
  extensions: z.record(extensionName, extensionSchema).default({}),
  agentFactories: z.record(agentName, factorySchema).default({}),
  agentSources: z.array(sourceSchema).default([]),
  loopEvaluators: z.record(z.string().max(MAX_KIND_LENGTH), loopEvaluatorSchema).default({}),
  judge: judgeBindingSchema.optional(),
} as const;

const codeSettingsSchema = z.strictObject(codeSettings);
/** The code agents are made of. */
export type CodeSettings = z.output<typeof codeSettingsSchema>;

const isDescribed = (value: object): boolean =>
  ["string", "undefined"].includes(typeof Reflect.get(value, "description"));

function hasFunctions(value: unknown, names: readonly string[]): value is object {
  if (value === null || typeof value !== "object") return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}
