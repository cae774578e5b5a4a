import type {
  AgentDefinition,
  AgentDescriptor,
  AgentDetail,
  AttachmentDescriptor,
  ContextWindowEstimate,
  CriterionStatistics,
  ExtensionDescriptor,
  LoopCriteria,
  ModelProviderDescriptor,
  PendingApproval,
  RunCostRecalculation,
  RunErrorStatistics,
  RunEvent,
  RunInput,
  RunRecord,
  RunResult,
  RunStatistics,
  RunTrace,
  SessionBranchResult,
  SessionDetail,
  SessionRecord,
  TimeSeriesPoint,
  ToolApprovalRule,
  ToolDescriptor,
  ToolInvocation,
  ToolUsage,
  ValidationReport,
} from "@tracon/core";

import type { TraconMeta } from "./meta.ts";
import type { OperationName } from "./operations.ts";

/** Two versions of a definition, as they were saved. */
export type AgentVersions = {
  readonly left: AgentDefinition;
  readonly right: AgentDefinition;
};

/** What an operation answers as JSON. */
export type OperationResult<Name extends OperationName> = Results[Name];

type Results = {
  readonly meta: TraconMeta;
  readonly "agents.list": readonly AgentDescriptor[];
  readonly "agents.get": AgentDetail;
  readonly "agents.create": AgentDefinition;
  readonly "agents.save": AgentDefinition;
  readonly "agents.delete": undefined;
  readonly "agents.validate": ValidationReport;
  readonly "agents.versions": readonly AgentDefinition[];
  readonly "agents.version": AgentDefinition;
  readonly "agents.diff": AgentVersions;
  readonly "agents.rollback": AgentDefinition;
  readonly "agents.estimate": ContextWindowEstimate;
  readonly "agents.run": RunResult;
  readonly "runs.list": readonly RunRecord[];
  readonly "runs.get": RunRecord;
  readonly "runs.tree": readonly RunRecord[];
  readonly "runs.events": readonly RunEvent[];
  readonly "runs.cancel": RunRecord;
  readonly "runs.tools": readonly ToolInvocation[];
  readonly "runs.trace": RunTrace;
  readonly "runs.input": RunInput;
  readonly "sessions.list": readonly SessionRecord[];
  readonly "sessions.get": SessionDetail;
  readonly "sessions.delete": undefined;
  readonly "sessions.branch": SessionBranchResult;
  readonly "approvals.pending": readonly PendingApproval[];
  readonly "approvals.get": PendingApproval;
  readonly "approvals.decide": PendingApproval;
  readonly "approvals.rules": readonly ToolApprovalRule[];
  readonly "approvals.createRule": ToolApprovalRule;
  readonly "approvals.deleteRule": undefined;
  readonly "attachments.upload": AttachmentDescriptor;
  readonly "attachments.list": readonly AttachmentDescriptor[];
  /** Not JSON: its bytes. */
  readonly "attachments.content": Blob;
  readonly "attachments.delete": undefined;
  readonly "tools.list": readonly ToolDescriptor[];
  readonly "tools.usage": readonly ToolUsage[];
  readonly "statistics.get": RunStatistics;
  readonly "statistics.timeSeries": readonly TimeSeriesPoint[];
  readonly "statistics.errors": readonly RunErrorStatistics[];
  readonly "statistics.criteria": readonly CriterionStatistics[];
  readonly "statistics.recalculateCosts": RunCostRecalculation;
  readonly "models.list": readonly ModelProviderDescriptor[];
  readonly "extensions.list": readonly ExtensionDescriptor[];
  readonly "loopCriteria.list": LoopCriteria;
};
