/** What an application configures. `defineConfig` types it; nothing runs before `createTracon`. */

import type { Tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, Log } from "@tracon/core";
import type { ToolRegistration } from "@tracon/engine";
import type { ProvidersConfig } from "@tracon/providers";

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

/** The whole configuration. Everything may be left out. */
export type TraconConfig = {
  /** Model providers by name: a preset, or any AI SDK provider object as it is. */
  readonly providers?: ProvidersConfig;
  readonly models?: readonly ModelConfig[];
  /** Tools by name: any AI SDK `tool()`, alone or with what Tracon should know about it. */
  readonly tools?: Readonly<Record<string, Tool | ToolRegistration>>;
  /** Agents defined in code. */
  readonly agents?: readonly AgentDefinitionRequest[];
  /** `sqlite:PATH`, `postgres://…` or `memory:`. `DATABASE_URL` wins. Default `sqlite:.tracon/tracon.db`. */
  readonly storage?: string;
  readonly server?: ServerConfig;
  readonly runRecording?: RunRecordingConfig;
  /** Where faults are reported. Default: JSON lines on standard error, warnings and worse. */
  readonly log?: Log;
};

/** Types a configuration. Returns it unchanged. */
export const defineConfig = (config: TraconConfig): TraconConfig => config;
