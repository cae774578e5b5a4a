/** The members that hold code which agents are made of: extensions. */

import * as z from "zod";
import type { TraconConfig } from "./config.ts";

/** What a definition can name. */
const extensionName = z.string().min(1).max(128);

const extensionSchema = z.custom<NonNullable<TraconConfig["extensions"]>[string]>((value) => {
  if (value === null || typeof value !== "object") return false;
  const { description, apply } = value as Partial<Record<string, unknown>>;
  return typeof apply === "function" && ["string", "undefined"].includes(typeof description);
}, "must have the function apply, and may have a description");

/** Members of the configuration. */
export const codeSettings = {
  extensions: z.record(extensionName, extensionSchema).default({}),
} as const;

const codeSettingsSchema = z.strictObject(codeSettings);
/** The code agents are made of. */
export type CodeSettings = z.output<typeof codeSettingsSchema>;
