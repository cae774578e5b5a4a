/** The composition root: the only place that knows every package. */

import { type Finding, type Log, type Stores, TraconError } from "@tracon/core";
import { createEngine, createToolRegistry, type Engine, systemClock } from "@tracon/engine";
import { createProviders } from "@tracon/providers";
import { createServer, describeRunProblem } from "@tracon/server";
import { openStores } from "@tracon/store";
import type { TraconConfig } from "./config/config.ts";
import { type ReadConfig, readConfig } from "./config/read-config.ts";
import { loadConsoleFiles } from "./console-files.ts";
import { DEFAULT_TENANT, embeddedAgents, embeddedRuns } from "./embedded.ts";
import { connectionInfo } from "./http/connection-info.ts";
import { fastifyPlugin } from "./http/fastify.ts";
import { expressHandler, nodeHandler } from "./http/node.ts";
import { standardErrorLog } from "./standard-error-log.ts";
import type { Tracon } from "./tracon.ts";
import { VERSION } from "./version.ts";

/** What `createTracon` takes from outside the configuration. */
export type CreateTraconOptions = {
  /** Where `{ env }` references and `DATABASE_URL`, `TRACON_TOKEN` are read. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Answer callers from other machines. Needs a token. Default false. */
  readonly allowRemote?: boolean;
};

/**
 * Validates the configuration, opens the stores and starts. Throws `configuration_invalid` with
 * every finding, `store_unavailable` or `schema_outdated`; nothing is left open then.
 */
export async function createTracon(
  config: TraconConfig,
  options: CreateTraconOptions = {},
): Promise<Tracon> {
  const env = options.env ?? process.env;
  const read = readConfig(config);
  if (read.config === undefined) throw invalid(read.findings);
  const providers = await createProviders(read.config.providers, { env });
  const tools = await createToolRegistry(read.config.tools);
  const token = readToken(read.config, env);
  const findings = [...read.findings, ...providers.findings, ...tools.findings, ...token.findings];
  if (findings.some(({ severity }) => severity === "Error")) throw invalid(findings);

  const log = read.config.log ?? standardErrorLog();
  const stores = await openStores(env.DATABASE_URL || read.config.storage, { log });
  try {
    const engine = createEngine({
      stores,
      providers: providers.providers,
      models: read.config.models,
      tools: tools.registry,
      agents: read.config.agents,
      describeProblem: describeRunProblem(read.config.server.prefix),
      recording: read.config.runRecording,
      log,
    });
    return compose({
      engine,
      stores,
      log,
      prefix: read.config.server.prefix,
      token: token.value,
      allowRemote: options.allowRemote ?? false,
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

const invalid = (findings: readonly Finding[]) =>
  new TraconError("configuration_invalid", describe(findings), { findings });

/** The findings in the message too: a configuration error is read in a terminal. */
function describe(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ path, message, code }) => `\n  ${path || "config"}: ${message} (${code})`,
  );
  return `the configuration is not valid:${lines.join("")}`;
}

function readToken(
  { server }: ReadConfig,
  env: Readonly<Record<string, string | undefined>>,
): { readonly value: string | undefined; readonly findings: readonly Finding[] } {
  const override = env.TRACON_TOKEN;
  if (override !== undefined && override !== "") return { value: override, findings: [] };
  if (server.token === undefined) return { value: undefined, findings: [] };
  const value = env[server.token.env];
  if (value !== undefined && value !== "") return { value, findings: [] };
  const message = "the environment variable it names is not set";
  const missing = {
    code: "secret_missing",
    path: "server.token",
    message,
    severity: "Error",
  } as const;
  return { value: undefined, findings: [missing] };
}

type Parts = {
  readonly engine: Engine;
  readonly stores: Stores;
  readonly log: Log;
  readonly prefix: string;
  readonly token: string | undefined;
  readonly allowRemote: boolean;
};

function compose({ engine, stores, log, prefix, token, allowRemote }: Parts): Tracon {
  const consoleFiles = loadConsoleFiles();
  const server = createServer({
    engine,
    prefix,
    version: VERSION,
    log,
    clock: systemClock,
    allowRemote,
    ...(token === undefined ? {} : { token }),
    ...(consoleFiles === undefined ? {} : { consoleFiles }),
  });
  const fetch: Tracon["fetch"] = (request, connection) =>
    server.fetch(request, connectionInfo(request, connection));
  let closing: Promise<void> | undefined;
  return {
    async run(agentName, request, { signal } = {}) {
      const run = await engine.runs.start(DEFAULT_TENANT, agentName, request, startOptions(signal));
      return run.result;
    },
    async *stream(agentName, request, { signal } = {}) {
      const start = { ...startOptions(signal), isStreaming: true };
      const run = await engine.runs.start(DEFAULT_TENANT, agentName, request, start);
      for await (const frames of run.frames()) yield* frames;
    },
    agents: embeddedAgents(engine),
    runs: embeddedRuns(engine),
    tools: () => engine.tools(),
    models: () => engine.models(),
    prefix,
    fetch,
    node: () => nodeHandler(server),
    express: () => expressHandler(server, prefix),
    fastify: () => fastifyPlugin(server, prefix),
    close(options) {
      closing ??= engine.close(options).finally(() => stores.close());
      return closing;
    },
  };
}

const startOptions = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });
