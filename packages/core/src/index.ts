export {
  type ApprovalDecision,
  type ApprovalDecisionRequest,
  type ApprovalRequest,
  type ApprovalStatus,
  approvalDecisionSchema,
  approvalRequestSchema,
  approvalStatuses,
  approvalStatusSchema,
  type ClientToolCall,
  clientToolCallSchema,
  MAX_REASON_LENGTH,
  type PendingApproval,
  pendingApprovalSchema,
  type ToolApprovalPresentation,
  toolApprovalPresentationSchema,
} from "./approval/pending-approval.ts";
export {
  type ToolApprovalRule,
  type ToolApprovalRuleRequest,
  type ToolArgumentCondition,
  toolApprovalRuleRequestSchema,
  toolApprovalRuleSchema,
  toolArgumentConditionSchema,
} from "./approval/tool-approval-rule.ts";
export { canonicalJson, contentHash } from "./canonical.ts";
export {
  type AgentDescriptor,
  type AgentDetail,
  agentDescriptorSchema,
  agentDetailSchema,
  type ExtensionDescriptor,
  extensionDescriptorSchema,
  type LoopCriteria,
  type LoopCriterionDescriptor,
  loopCriteriaSchema,
  type ModelDescriptor,
  type ModelProviderDescriptor,
  modelDescriptorSchema,
  modelProviderDescriptorSchema,
  type ToolDescriptor,
  toolDescriptorSchema,
  type ValidationReport,
  validationReportSchema,
} from "./catalog/descriptors.ts";
export {
  type AgentDefinition,
  type AgentDefinitionContent,
  type AgentDefinitionRequest,
  type AgentOrigin,
  agentDefinitionRequestSchema,
  agentDefinitionSchema,
} from "./definition/agent-definition.ts";
export { type AgentParameter, MAX_PARAMETER_VALUE_BYTES } from "./definition/agent-parameter.ts";
export type { CallableAgentReference } from "./definition/callable-agent-reference.ts";
export type { CompactionSettings } from "./definition/compaction-settings.ts";
export {
  DEFAULT_HARNESS_INSTRUCTIONS,
  type HarnessSettings,
} from "./definition/harness-settings.ts";
export {
  DEFAULT_MAX_ITERATIONS,
  type LoopCriterion,
  type LoopOutcome,
  type LoopSettings,
} from "./definition/loop-settings.ts";
export type { MemorySettings } from "./definition/memory-settings.ts";
export {
  type AgentResponseFormat,
  type JudgeBinding,
  judgeBindingSchema,
  type ModelBinding,
  type ModelFallback,
  modelBindingSchema,
  type ResponseCacheSettings,
  type ToolLoopSettings,
} from "./definition/model-binding.ts";
export { DEFAULT_MAX_REPEATS, type ProgressSettings } from "./definition/progress-settings.ts";
export type { SkillSettings } from "./definition/skill-settings.ts";
export type { SubAgentCallMode, SubAgentSettings } from "./definition/sub-agent-settings.ts";
export type { WorkspaceSettings } from "./definition/workspace-settings.ts";
export {
  assert,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  faultText,
  LOOP_UNSATISFIED,
  TraconError,
} from "./errors.ts";
export {
  type Finding,
  type FindingCode,
  finding,
  findingCodes,
  findingPath,
  findingSchema,
  findingsOf,
  warning,
} from "./finding.ts";
export type {
  ApprovalChange,
  ApprovalClaim,
  ApprovalPage,
  ApprovalStore,
  StoredApproval,
} from "./ports/approval-store.ts";
export type { AttachmentPage, AttachmentStore } from "./ports/attachment-store.ts";
export type {
  AppendCondition,
  AppendOutcome,
  DefinitionStore,
  DeleteCondition,
  DeleteOutcome,
  StoredDefinition,
} from "./ports/definition-store.ts";
export type { LanguageModel, ModelProvider, ProviderSetting } from "./ports/model-provider.ts";
export type { ResponseCache } from "./ports/response-cache.ts";
export type {
  CommitOutcome,
  JournalEntry,
  RunJournal,
  RunRowChange,
} from "./ports/run-journal.ts";
export type { RunFilter, RunPage, RunStore, StoredEvent } from "./ports/run-store.ts";
export type {
  FoundSession,
  SessionBranch,
  SessionPage,
  SessionStore,
  SessionWrite,
  StoredSessionItem,
} from "./ports/session-store.ts";
export type {
  CostCorrection,
  StatisticsFilter,
  StatisticsStore,
  TimeSeriesQuery,
} from "./ports/statistics-store.ts";
export type { Stores } from "./ports/stores.ts";
export type { Clock, IdSource, Log } from "./ports/system.ts";
export {
  ATTACHMENT_PROVIDER,
  type AttachmentDescriptor,
  attachmentDescriptorSchema,
} from "./run/attachment.ts";
export {
  type ContextWindowEstimate,
  contextWindowEstimateSchema,
} from "./run/context-window-estimate.ts";
export {
  costOf,
  type DatedPrice,
  datedPriceSchema,
  type KnownPrice,
  type ModelPrice,
  modelPriceSchema,
  type RunCost,
  runCostSchema,
  sumCosts,
} from "./run/cost.ts";
export {
  type CriterionStatistics,
  criterionStatisticsSchema,
} from "./run/criterion-statistics.ts";
export {
  LOOP_JUDGE_CALLED,
  type LoopJudgeCall,
  loopJudgeCallSchema,
} from "./run/loop-judge-call.ts";
export {
  type ChatContent,
  type ChatMessage,
  chatMessageSchema,
  MESSAGE_FORMAT,
  type RecordedInput,
  type RunInput,
  runInputSchema,
} from "./run/message.ts";
export {
  loopIterationPayloadSchema,
  type RunEvent,
  type RunEventDraft,
  type RunEventPayload,
  type RunEventType,
  runEventFrames,
  runEventPayloads,
  runEventSchema,
  terminalEventTypes,
} from "./run/run-events.ts";
export {
  isFinalStatus,
  type RunError,
  type RunErrorClass,
  type RunKind,
  type RunRecord,
  type RunStatus,
  runErrorClassSchema,
  runKindSchema,
  runRecordSchema,
  runStatuses,
  runStatusSchema,
} from "./run/run-record.ts";
export {
  type AgentRunRequest,
  type AgentRunRequestContent,
  agentRunRequestSchema,
} from "./run/run-request.ts";
export {
  type Problem,
  problemSchema,
  type RunFrame,
  type RunResult,
  type RunUpdate,
  runResultSchema,
} from "./run/run-result.ts";
export {
  type RunCostRecalculation,
  type RunErrorStatistics,
  type RunStatistics,
  runCostRecalculationSchema,
  runErrorStatisticsSchema,
  runStatisticsSchema,
  type TimeBucket,
  type TimeSeriesPoint,
  timeBucketSchema,
  timeSeriesPointSchema,
} from "./run/run-statistics.ts";
export type { CriterionTally, RunTally, ToolCallTally } from "./run/run-tally.ts";
export { type RunTrace, runTraceSchema, type TraceSpan } from "./run/run-trace.ts";
export {
  MAX_SESSION_ID_LENGTH,
  type SessionBranchRequest,
  type SessionBranchResult,
  type SessionDetail,
  type SessionRecord,
  sessionBranchRequestSchema,
  sessionBranchResultSchema,
  sessionDetailSchema,
  sessionIdText,
  sessionRecordSchema,
} from "./run/session.ts";
export {
  type ToolInvocation,
  type ToolUsage,
  toolInvocationSchema,
  toolUsageSchema,
} from "./run/tool-invocation.ts";
export {
  type BudgetChange,
  type BudgetLimit,
  type BudgetRefusal,
  type BudgetReservation,
  type BudgetSettlement,
  budgetLimits,
  NANOS,
  type TreeBudget,
  type TreeLimits,
  treeBudgetSchema,
} from "./run/tree-budget.ts";
export { type RunTreeCost, type TreeTotals, treeTotalsOf } from "./run/tree-totals.ts";
export { addUsage, type RunUsage, runUsageSchema } from "./run/usage.ts";
export { duration, formatDuration, parseDuration } from "./schema/duration.ts";
