/** What an application configures. `defineConfig` types it; nothing runs before `createTracon`. */

import type { Tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, Log, ResponseCache } from "@tracon/core";
import type {
  AgentExtension,
  AgentFactory,
  AgentSource,
  ContentGuard,
  EventSink,
  LoopEvaluatorRegistration,
  ObservabilityProviders,
  StructuredResponseValidator,
  ToolRegistration,
} from "@tracon/engine";
import type { ProvidersConfig } from "@tracon/providers";
import type { Tracon } from "../tracon.ts";

/** A model the configuration lists: metadata and price, never an allow-list. */
export type ModelConfig = {
  readonly provider: string;
  readonly model: string;
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  /** Default true. */
  readonly supportsTools?: boolean;
  /** Default false. */
  readonly supportsStructuredOutput?: boolean;
  /** Per million tokens. Without a price the cost of a run is unknown, never 0. */
  readonly price?: {
    /** Default `USD`. */
    readonly currency?: string;
    readonly inputPerMillion?: number;
    readonly cachedInputPerMillion?: number;
    readonly outputPerMillion?: number;
  };
};

/** What a model costs from a moment on. */
export type PriceConfig = {
  readonly provider: string;
  readonly model: string;
  /**
   * From when: a day (`2026-07-01`, UTC) or an ISO 8601 time. The latest price in force counts.
   * Default: always.
   */
  readonly validFrom?: string;
  /** Default `USD`. */
  readonly currency?: string;
  readonly inputPerMillion?: number;
  readonly cachedInputPerMillion?: number;
  readonly outputPerMillion?: number;
};

/** Whether a prompt is measured before its run. */
export type PreflightConfig = {
  /** Refuse prompts that are too large for the model's window. Default false. */
  readonly enabled?: boolean;
  /** Share of the window that stays free for the answer, from 0 to 0.95. Default 0.2. */
  readonly reserveRatio?: number;
};

/** How the HTTP API is served. */
export type ServerConfig = {
  /** Default 7717; 0 picks a free one. `TRACON_PORT` wins. */
  readonly port?: number;
  /** Default `127.0.0.1`. Another address needs a token. */
  readonly host?: string;
  /** Default `/tracon`. */
  readonly prefix?: string;
  /** Bearer token of every data call. `TRACON_TOKEN` wins. Default none: loopback callers only. */
  readonly token?: { readonly env: string };
};

/** What is recorded of runs. */
export type RunRecordingConfig = {
  /** Default true. */
  readonly recordMessageDeltas?: boolean;
  /** Default false: reasoning is streamed but not kept. */
  readonly recordReasoningDeltas?: boolean;
  /** Default true. */
  readonly recordToolPayloads?: boolean;
  /** Default true. */
  readonly recordRunInput?: boolean;
  /** Longest recorded tool argument or result in UTF-16 units; 0 keeps all. Default 8,192. */
  readonly maxPayloadLength?: number;
};

/** How long a person may take to decide about a tool call. */
export type ApprovalsConfig = {
  /** Default `24h`. */
  readonly defaultExpiration?: string;
  /** Whether what nobody decided in time is marked by itself. Default true. */
  readonly expirationEnabled?: boolean;
  /** How often that is looked after. Default `1m`. */
  readonly scanInterval?: string;
  /** Approvals looked at in one go, 1 to 10,000. Default 100. */
  readonly maxPerScan?: number;
};

/** How a model call that nobody answered is repeated: no connection, a 5xx answer or a rate limit. */
export type ModelRetryConfig = {
  /** Repetitions of one call, 0 to 10. Default 2. */
  readonly maxRetries?: number;
  /** First wait, doubled with every further one. Default `500ms`. */
  readonly baseDelay?: string;
  /** Longest wait; a provider that asks for more fails the call at once. Default `30s`. */
  readonly maxDelay?: string;
};

/** When a provider that keeps failing is no longer asked. */
export type CircuitBreakerConfig = {
  /** Default true. */
  readonly enabled?: boolean;
  /** Faults in a row that open the circuit. Default 5. */
  readonly failureThreshold?: number;
  /** How long it stays open before one run probes it. Default `30s`. */
  readonly breakDuration?: string;
};

/** Limits on calls in progress. */
export type ModelConcurrencyConfig = {
  /** Calls of one provider at a time; more of them wait. Default any number. */
  readonly maxConcurrentCallsPerProvider?: number;
};

/** Whether answers that have to be JSON are checked. */
export type StructuredResponseConfig = {
  /** Default false. */
  readonly enabled?: boolean;
  /** Further answers asked for in one run when one is rejected; never on streaming runs. Default 0. */
  readonly maxRepairAttempts?: number;
};

/** What is told of runs to OpenTelemetry. */
export type ObservabilityConfig = {
  /** Spans and metrics at all. Default true; without a registered provider they cost nothing. */
  readonly enabled?: boolean;
  /** Messages, arguments and results become attributes of spans. Default false. */
  readonly recordSensitiveData?: boolean;
  /** Metrics of runs are told apart by the version of the agent. Default true. */
  readonly includeAgentVersionTag?: boolean;
  /** Default the one registered with OpenTelemetry. */
  readonly tracerProvider?: NonNullable<ObservabilityProviders["tracerProvider"]>;
  /** Default the one registered with OpenTelemetry before Tracon is created. */
  readonly meterProvider?: NonNullable<ObservabilityProviders["meterProvider"]>;
};

/** Tools by name, and what holds for those that do not say otherwise. */
export type ToolsConfig = {
  /** Any AI SDK `tool()`, alone or with what Tracon should know about it. */
  readonly [name: string]: Tool | ToolRegistration | string | number | undefined;
  /** How long a call is waited for. Default `30s`. */
  readonly defaultTimeout?: string;
  /** Longest result in bytes, at least 57. Default any length. */
  readonly defaultMaxOutputBytes?: number;
};

/** Limits of a run and everything below it. A limit that is not positive limits nothing. */
export type AgentGraphConfig = {
  /** How deep children may be below the root, which is 0; a negative one counts as 0. Default 3. */
  readonly maxDepth?: number;
  /** Tokens of the whole tree. Default 200,000. */
  readonly maxTotalTokens?: number;
  /** Cost of the whole tree in `currency`; models without a price count by their tokens only. Default none. */
  readonly maxTotalCost?: number;
  /** Of `maxTotalCost`. Models priced in another one count as without a price. Default `USD`. */
  readonly currency?: string;
  /** Runs below the root. Default 25. */
  readonly maxTotalRuns?: number;
  /** Time of the whole tree, looked at before each model call. Default none. */
  readonly maxDuration?: string;
  /** Tool calls of the whole tree. Default none. */
  readonly maxToolCalls?: number;
  /** When a called agent is asked to stop, unless `subAgents` of its caller says otherwise. Default `120s`. */
  readonly childDeadline?: string;
  /** When a called agent is waited for no longer. Default 30 s behind the deadline. */
  readonly waitTimeout?: string;
};

/** What may be uploaded. */
export type AttachmentsConfig = {
  /** Largest file in bytes. Default 20 MiB. */
  readonly maxBytes?: number;
  /** Kinds by the media type found in their bytes. Default images, PDF, plain text and `audio/*`. */
  readonly allowedMediaTypes?: readonly string[];
};

/** The model that judges whether work is finished. The shape of its answer is fixed. */
export type JudgeConfig = Omit<AgentDefinitionRequest["model"], "responseFormat" | "toolLoop">;

/** The whole configuration. Everything may be left out. */
export type TraconConfig = {
  /** Model providers by name: a preset, or any AI SDK provider object as it is. */
  readonly providers?: ProvidersConfig;
  readonly models?: readonly ModelConfig[];
  /** Dated prices, for models that have none in `models`. */
  readonly prices?: readonly PriceConfig[];
  readonly preflight?: PreflightConfig;
  readonly tools?: ToolsConfig;
  /** Agents defined in code. */
  readonly agents?: readonly AgentDefinitionRequest[];
  /** Agents that code builds for each run, by name: any agent of the AI SDK. */
  readonly agentFactories?: Readonly<Record<string, AgentFactory>>;
  /** Where further agents come from, besides code and the database. */
  readonly agentSources?: readonly AgentSource[];
  /** Code a definition selects by name in `extensionNames`: runs when the agent is compiled. */
  readonly extensions?: Readonly<Record<string, AgentExtension>>;
  /**
   * Stop criteria in code, by the kind a definition names: `{ evaluate }`, or `{ create }` that gets the
   * running Tracon and is called when an agent that names the kind is first compiled.
   */
  readonly loopEvaluators?: Readonly<Record<string, LoopEvaluatorRegistration<Tracon>>>;
  /** The model that `aiJudge` criteria ask, as any model binding. Default none. */
  readonly judge?: JudgeConfig;
  /** `sqlite:PATH`, `postgres://…` or `memory:`. `DATABASE_URL` wins. Default `sqlite:.tracon/tracon.db`. */
  readonly storage?: string;
  readonly server?: ServerConfig;
  readonly runRecording?: RunRecordingConfig;
  readonly approvals?: ApprovalsConfig;
  readonly agentGraph?: AgentGraphConfig;
  readonly modelRetry?: ModelRetryConfig;
  readonly modelConcurrency?: ModelConcurrencyConfig;
  readonly circuitBreaker?: CircuitBreakerConfig;
  readonly structuredResponse?: StructuredResponseConfig;
  /** Refuses an answer by throwing. Asked only when `structuredResponse` is enabled. */
  readonly structuredResponseValidator?: StructuredResponseValidator;
  /** Where agents with an enabled response cache keep answers, such as `memoryResponseCache()`. Default none. */
  readonly responseCache?: ResponseCache;
  /** Inspect what models read and write, by name. Every agent passes through all of them. */
  readonly contentGuards?: Readonly<Record<string, ContentGuard>>;
  readonly attachments?: AttachmentsConfig;
  readonly observability?: ObservabilityConfig;
  /** Code that gets every event of every run once it is on disk. */
  readonly eventSinks?: readonly EventSink[];
  /** Where faults are reported. Default: JSON lines on standard error, warnings and worse. */
  readonly log?: Log;
};

/** Types a configuration. Returns it unchanged. */
export const defineConfig = (config: TraconConfig): TraconConfig => config;
