export type {
  AgentDefinition,
  AgentDefinitionRequest,
  AgentRunRequest,
  Finding,
  ResponseCache,
  RunEvent,
  RunFrame,
  RunRecord,
  RunResult,
  SessionDetail,
  SessionRecord,
} from "@tracon/core";
export { TraconError } from "@tracon/core";
export {
  type AgentExtension,
  type AgentFactory,
  type AgentFactoryContext,
  type AgentOptions,
  type AgentSource,
  type ChatClientSlot,
  type ContentGuard,
  type ContentSource,
  type ContextAddition,
  type ContextInput,
  type ContextProvider,
  type EventSink,
  type ExtensionContext,
  type GuardDecision,
  type GuardedContent,
  type MaskSpan,
  type MemoryResponseCacheOptions,
  memoryResponseCache,
  type OwnModelRequest,
  type SdkAgent,
  type SourcedAgent,
  type SourcedDefinition,
  type StructuredResponse,
  type StructuredResponseValidator,
  type ToolEffect,
  type ToolRegistration,
} from "@tracon/engine";
export {
  type CircuitBreakerConfig,
  defineConfig,
  type ModelConcurrencyConfig,
  type ModelConfig,
  type ModelRetryConfig,
  type ObservabilityConfig,
  type RunRecordingConfig,
  type ServerConfig,
  type StructuredResponseConfig,
  type TraconConfig,
} from "./config/config.ts";
export { type CreateTraconOptions, createTracon } from "./create-tracon.ts";
export type { FastifyPlugin } from "./http/fastify.ts";
export type { NextFunction } from "./http/node.ts";
export type { RunOptions, Tracon, TraconAgents, TraconRuns, TraconSessions } from "./tracon.ts";
