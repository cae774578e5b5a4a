export type { AttachmentLimits, Attachments, AttachmentUpload } from "./attachment/attachments.ts";
export { tooLarge as attachmentTooLarge } from "./attachment/stored-attachments.ts";
export type { AgentGraphSettings } from "./budget/tree-settings.ts";
export type { AgentSource, SourcedAgent, SourcedDefinition } from "./catalog/agent-source.ts";
export type {
  AgentFactory,
  AgentFactoryContext,
  OwnModelRequest,
  SdkAgent,
  SdkAgentStream,
} from "./catalog/sdk-agent.ts";
export type {
  AgentExtension,
  AgentOptions,
  AgentOptionsOwnedByDefinition,
  ChatClientSlot,
  ExtensionContext,
} from "./compile/agent-extension.ts";
export type { RingOptions, StructuredResponseSettings } from "./compile/ring-hosts.ts";
export {
  type CheckAgentsOptions,
  checkAgents,
  createEngine,
  type EngineOptions,
} from "./create-engine.ts";
export type { Agents, SavedAgent } from "./definitions/agents.ts";
export { type ReadCodeAgents, readCodeAgents } from "./definitions/read-code-agents.ts";
export type { Engine } from "./engine.ts";
export type {
  CalledAgent,
  LoopContext,
  LoopEvaluation,
  LoopEvaluator,
  LoopEvaluatorRegistration,
  LoopResponse,
} from "./loop/loop-evaluator.ts";
export type { Approvals, DecisionOptions } from "./mailbox/approvals.ts";
export type {
  ContentGuard,
  ContentSource,
  GuardDecision,
  GuardedContent,
  MaskSpan,
} from "./model/content-guard.ts";
export { generateResultOf } from "./model/generate-result.ts";
export {
  type MemoryResponseCacheOptions,
  memoryResponseCache,
} from "./model/memory-response-cache.ts";
export type { RetrySettings } from "./model/ring.ts";
export type { ApprovalOptions } from "./run/approval-options.ts";
export type { PreflightSettings } from "./run/estimate-prompt.ts";
export type { EventSink } from "./run/event-sinks.ts";
export type { RecordedEvent } from "./run/recorded-event.ts";
export type { RecordingOptions } from "./run/recording-options.ts";
export type { DescribeProblem } from "./run/run-frames.ts";
export { createIdSource } from "./run/run-ids.ts";
export type { RunHandle, Runs, StartOptions } from "./run/runs.ts";
export type { Statistics, TimeSeriesRequest } from "./run/statistics.ts";
export { systemClock } from "./run/system-clock.ts";
export type { Sessions } from "./session/sessions.ts";
export type { ObservabilityOptions, ObservabilityProviders } from "./telemetry/telemetry.ts";

export {
  outputBytesProblem,
  type ToolApprovalNeed,
  type ToolAuthorization,
  type ToolCallView,
  type ToolRegistration,
  timeoutProblem,
} from "./tools/tool-registration.ts";
export { createToolRegistry, type ToolDefaults, type ToolRegistry } from "./tools/tool-registry.ts";
export type { ToolEffect } from "./tools/tool-settings.ts";
export type { CircuitBreakerSettings } from "./turn/circuit-breakers.ts";
export type { ContextAddition, ContextInput, ContextProvider } from "./turn/context-provider.ts";
export type {
  StructuredResponse,
  StructuredResponseValidator,
} from "./turn/structured-response-check.ts";
