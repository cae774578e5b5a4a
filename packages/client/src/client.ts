import type {
  AgentRunRequest,
  ExtensionDescriptor,
  LoopCriteria,
  ModelProviderDescriptor,
  RunFrame,
  RunResult,
  ToolDescriptor,
  ToolUsage,
} from "@tracon/core";
import { type AgentsClient, agentsClient } from "./agents-client.ts";
import { type ApprovalsClient, approvalsClient } from "./approvals-client.ts";
import { type AttachmentsClient, attachmentsClient } from "./attachments-client.ts";
import type { TraconMeta } from "./meta.ts";
import { type RunsClient, runsClient } from "./runs-client.ts";
import { type SessionsClient, sessionsClient } from "./sessions-client.ts";
import { type StatisticsClient, statisticsClient } from "./statistics-client.ts";
import { type StreamOptions, streamRun } from "./stream-run.ts";
import { type CallOptions, createTransport, type TraconClientOptions } from "./transport.ts";

/** Tracon's HTTP API. Every call rejects with a `TraconApiError` when it does not go through. */
export type TraconClient = {
  /** What the server is, how it is guarded and what the caller may do. Needs no token. */
  meta(options?: CallOptions): Promise<TraconMeta>;
  readonly agents: AgentsClient;
  readonly runs: RunsClient;
  readonly sessions: SessionsClient;
  readonly approvals: ApprovalsClient;
  readonly attachments: AttachmentsClient;
  /** Runs an agent and answers when the run has ended. A failed run answers too: look at `status`. */
  run(name: string, request: AgentRunRequest, options?: CallOptions): Promise<RunResult>;
  /**
   * Runs an agent and yields its frames: `run` first, `done` or `error` last. A connection lost in
   * between is continued from the run's journal. The run starts with the iteration. A `done` that
   * had to be put together after a lost connection has no `outputJson`.
   */
  stream(
    name: string,
    request: AgentRunRequest,
    options?: StreamOptions,
  ): AsyncGenerator<RunFrame, void, undefined>;
  readonly tools: {
    list(options?: CallOptions): Promise<readonly ToolDescriptor[]>;
    /** `startedAfter` is ISO 8601, UTC. `maxTools` is 50 when absent. */
    usage(
      query?: { readonly startedAfter?: string; readonly maxTools?: number },
      options?: CallOptions,
    ): Promise<readonly ToolUsage[]>;
  };
  readonly statistics: StatisticsClient;
  readonly models: {
    list(options?: CallOptions): Promise<readonly ModelProviderDescriptor[]>;
  };
  readonly extensions: {
    /** The agent extensions a definition can name. */
    list(options?: CallOptions): Promise<readonly ExtensionDescriptor[]>;
  };
  readonly loopCriteria: {
    /** The stop criteria a loop can be made of, and the judge. */
    list(options?: CallOptions): Promise<LoopCriteria>;
  };
};

/** A client of the server at `baseUrl`. Opens no connection by itself and keeps none. */
export function createTraconClient(options: TraconClientOptions): TraconClient {
  const transport = createTransport(options);
  return {
    meta: ({ signal } = {}) => transport.json("meta", { path: {}, signal }),
    agents: agentsClient(transport),
    runs: runsClient(transport),
    sessions: sessionsClient(transport),
    approvals: approvalsClient(transport),
    attachments: attachmentsClient(transport),
    run: (name, request, { signal } = {}) =>
      transport.json("agents.run", { path: { name }, body: request, signal }),
    stream: (name, request, streamOptions = {}) =>
      streamRun(transport, { name, request }, streamOptions),
    tools: {
      list: ({ signal } = {}) => transport.json("tools.list", { path: {}, signal }),
      usage: (query = {}, { signal } = {}) =>
        transport.json("tools.usage", { path: {}, query, signal }),
    },
    statistics: statisticsClient(transport),
    models: {
      list: ({ signal } = {}) => transport.json("models.list", { path: {}, signal }),
    },
    extensions: {
      list: ({ signal } = {}) => transport.json("extensions.list", { path: {}, signal }),
    },
    loopCriteria: {
      list: ({ signal } = {}) => transport.json("loopCriteria.list", { path: {}, signal }),
    },
  };
}
