/** The tools of a configuration, and what holds for those that do not say otherwise. */

import { type Finding, finding, parseDuration } from "@tracon/core";
import {
  type createToolRegistry,
  outputBytesProblem,
  type ToolDefaults,
  timeoutProblem,
} from "@tracon/engine";
import type { ToolsConfig } from "./config.ts";

/** The entries that are tools. */
export type ConfiguredTools = Parameters<typeof createToolRegistry>[0];

/**
 * Tells the two settings from the tools: a tool is an object and a setting is none, so a tool may have
 * the name of a setting.
 */
export function readTools(config: ToolsConfig): {
  readonly tools: ConfiguredTools;
  readonly defaults: ToolDefaults;
  readonly findings: readonly Finding[];
} {
  const { defaultTimeout, defaultMaxOutputBytes } = config;
  const isSetting = (value: unknown) => value !== null && typeof value !== "object";
  const settings = new Map<string, unknown>(
    Object.entries({ defaultTimeout, defaultMaxOutputBytes }).filter(
      ([, value]) => isSetting(value) && value !== undefined,
    ),
  );
  const tools = Object.entries(config).filter(
    ([name, value]) => !settings.has(name) && value !== undefined,
  );
  const timeout = settings.get("defaultTimeout");
  const maxOutputBytes = settings.get("defaultMaxOutputBytes");
  return {
    tools: Object.fromEntries(tools) as ConfiguredTools,
    defaults: {
      ...(typeof timeout === "string" ? { timeoutMs: parseDuration(timeout) } : {}),
      ...(typeof maxOutputBytes === "number" ? { maxOutputBytes } : {}),
    },
    findings: [
      ...problem("defaultTimeout", timeout, timeoutProblem),
      ...problem("defaultMaxOutputBytes", maxOutputBytes, outputBytesProblem),
    ],
  };
}

function problem(
  member: string,
  value: unknown,
  problemOf: (value: unknown) => string | undefined,
): readonly Finding[] {
  const message = value === undefined ? undefined : problemOf(value);
  return message === undefined ? [] : [finding("invalid_value", `tools.${member}`, message)];
}
