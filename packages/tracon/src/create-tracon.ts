/** The composition root: the only place that knows every package. */

import { LOOP_UNSATISFIED, type Log, type RunResult, type Stores, TraconError } from "@tracon/core";
import { createEngine, type Engine, systemClock } from "@tracon/engine";
import { createProblemDescriber, createServer } from "@tracon/server";
import { openStores } from "@tracon/store";
import type { TraconConfig } from "./config/config.ts";
import { withServices } from "./config/loop-services.ts";
import { type Environment, resolveConfig } from "./config/resolve-config.ts";
import { loadConsoleFiles } from "./console-files.ts";
import {
  DEFAULT_TENANT,
  embeddedAgents,
  embeddedApprovals,
  embeddedAttachments,
  embeddedRuns,
  embeddedSessions,
  embeddedStatistics,
} from "./embedded.ts";
import { connectionInfo } from "./http/connection-info.ts";
import { fastifyPlugin } from "./http/fastify.ts";
import { expressHandler, nodeHandler } from "./http/node.ts";
import type { Tracon } from "./tracon.ts";
import { VERSION } from "./version.ts";

/** What `createTracon` takes from outside the configuration. */
export type CreateTraconOptions = {
  /** Where `{ env }` references and `DATABASE_URL`, `TRACON_TOKEN` are read. Default `process.env`. */
  readonly env?: Environment;
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
  const { storage, server, log, token, loopEvaluators, ...parts } = await resolveConfig(
    config,
    options.env ?? process.env,
  );
  const stores = await openStores(storage, { log });
  try {
    const engine = createEngine({
      stores,
      ...parts,
      loopEvaluators: withServices(loopEvaluators, () => tracon),
      describeProblem: createProblemDescriber(server.prefix),
      recording: parts.runRecording,
      tracerProvider: parts.observability.tracerProvider,
      meterProvider: parts.observability.meterProvider,
      log,
    });
    const allowRemote = options.allowRemote ?? false;
    const tracon = compose({ engine, stores, log, prefix: server.prefix, token, allowRemote });
    return tracon;
  } catch (error) {
    await stores.close();
    throw error;
  }
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
    async run(agentName, request, options = {}) {
      const run = await engine.runs.start(DEFAULT_TENANT, agentName, request, options);
      const result = await run.result;
      if (result.error?.type === LOOP_UNSATISFIED) throw unsatisfied(result, run.fault);
      return result;
    },
    async *stream(agentName, request, options = {}) {
      const start = { ...options, isStreaming: true };
      const run = await engine.runs.start(DEFAULT_TENANT, agentName, request, start);
      for await (const frames of run.frames()) yield* frames;
    },
    estimate: (agentName, request, options) =>
      engine.runs.estimate(DEFAULT_TENANT, agentName, request, options),
    agents: embeddedAgents(engine),
    runs: embeddedRuns(engine),
    sessions: embeddedSessions(engine),
    approvals: embeddedApprovals(engine),
    statistics: embeddedStatistics(engine),
    attachments: embeddedAttachments(engine),
    tools: () => engine.tools(),
    models: () => engine.models(),
    loopCriteria: () => engine.loopCriteria(),
    prefix,
    fetch,
    node: () => nodeHandler(server),
    express: () => expressHandler(server, prefix),
    fastify: () => fastifyPlugin(server, prefix),
    close(options) {
      closing ??= closeAll({ engine, stores }, options);
      return closing;
    },
  };
}

async function closeAll(
  { engine, stores }: Pick<Parts, "engine" | "stores">,
  options: Parameters<Tracon["close"]>[0],
): Promise<void> {
  try {
    await engine.close(options);
  } finally {
    await stores.close();
  }
}

/** What is thrown for a loop that failed its run; the result, with the last draft, is in its extensions. */
function unsatisfied(result: RunResult, fault: TraconError | undefined): TraconError {
  const message = fault?.message ?? result.error?.message ?? "the loop was not satisfied";
  const { extensions, ...details } = fault?.details ?? {};
  return new TraconError(LOOP_UNSATISFIED, message, {
    ...details,
    extensions: { ...extensions, result },
    cause: fault,
  });
}
