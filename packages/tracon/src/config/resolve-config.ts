/** From a configuration to the parts a Tracon is made of, or to everything that is wrong with it. */

import { type Finding, finding, type Log, type ModelProvider, TraconError } from "@tracon/core";
import { checkAgents, createToolRegistry, type ToolRegistry } from "@tracon/engine";
import { createProviders } from "@tracon/providers";
import { createProblemDescriber } from "@tracon/server";
import { checkStoreUrl } from "@tracon/store";
import { LOG_LEVELS, standardErrorLog } from "../standard-error-log.ts";
import { withServices } from "./loop-services.ts";
import { type ReadConfig, readConfig } from "./read-config.ts";
import { readTools } from "./tool-settings.ts";

/** Values of environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A checked configuration with its secrets read and its providers and tools built. */
export type ResolvedConfig = Omit<ReadConfig, "providers" | "tools" | "log"> & {
  readonly providers: readonly ModelProvider[];
  readonly tools: ToolRegistry;
  readonly log: Log;
  readonly token: string | undefined;
};

/** Checks all of it and opens nothing. Throws `configuration_invalid` with every finding. */
export async function resolveConfig(config: unknown, env: Environment): Promise<ResolvedConfig> {
  const read = readConfig(config);
  // A member that cannot be read hides nothing of the others.
  const providers = await createProviders(read.parts.providers, { env });
  const given = readTools(read.parts.tools);
  const tools = await createToolRegistry(given.tools, given.defaults);
  const { config: settings } = read;
  const findings = [...read.findings, ...providers.findings, ...given.findings, ...tools.findings];
  if (settings === undefined) throw invalid(findings);

  const storage = env.DATABASE_URL || settings.storage;
  const token = readToken(settings, env);
  const level = checkLogLevel(env);
  const log =
    settings.log ?? standardErrorLog(level.length === 0 ? env.TRACON_LOG_LEVEL : undefined);
  findings.push(
    ...checkStoreUrl(settings.storage).map((it) => ({ ...it, path: "storage" })),
    ...(env.DATABASE_URL
      ? checkStoreUrl(env.DATABASE_URL).map((it) => ({ ...it, path: "env.DATABASE_URL" }))
      : []),
    ...checkPrefix(settings.server.prefix),
    ...level,
    ...token.findings,
  );
  if (!hasErrors([...providers.findings, ...tools.findings])) {
    const context = { providers: providers.providers, tools: tools.registry, log };
    const loopEvaluators = withServices(settings.loopEvaluators, nothingRuns);
    const checked = checkAgents({ ...settings, ...context, loopEvaluators });
    findings.push(...checked.filter(read.isOfGiven));
  }
  if (hasErrors(findings)) throw invalid(findings);

  return {
    ...settings,
    storage,
    server: { ...settings.server, prefix: settings.server.prefix.replace(/\/$/, "") },
    providers: providers.providers,
    tools: tools.registry,
    log,
    token: token.value,
  };
}

/** Checking a configuration calls no factory. */
function nothingRuns(): never {
  throw new TypeError("nothing is built while a configuration is checked");
}

const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "Error");

const invalid = (findings: readonly Finding[]) =>
  new TraconError("configuration_invalid", describe(findings), { findings });

/** The findings in the message too: a configuration error is read in a terminal. */
function describe(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ path, message, code }) => `\n  ${path || "config"}: ${message} (${code})`,
  );
  return `the configuration is not valid:${lines.join("")}`;
}

function checkPrefix(prefix: string): readonly Finding[] {
  try {
    createProblemDescriber(prefix);
    return [];
  } catch (error) {
    if (!TraconError.is(error, "configuration_invalid")) throw error;
    return [finding("invalid_value", "server.prefix", error.message)];
  }
}

function checkLogLevel({ TRACON_LOG_LEVEL: level }: Environment): readonly Finding[] {
  if (!level || LOG_LEVELS.includes(level)) return [];
  const message = `must be one of ${LOG_LEVELS.join(", ")}`;
  return [finding("invalid_value", "env.TRACON_LOG_LEVEL", message)];
}

function readToken(
  { server }: ReadConfig,
  env: Environment,
): { readonly value: string | undefined; readonly findings: readonly Finding[] } {
  if (env.TRACON_TOKEN) return { value: env.TRACON_TOKEN, findings: [] };
  if (server.token === undefined) return { value: undefined, findings: [] };
  const value = env[server.token.env];
  if (value) return { value, findings: [] };
  const message = "the environment variable it names is not set";
  return { value: undefined, findings: [finding("secret_missing", "server.token", message)] };
}
