/** The example of every body, in the OpenAPI document and on the reference page. */

import type {
  AgentDefinition,
  AgentDefinitionRequest,
  AgentDescriptor,
  AgentDetail,
  AgentRunRequest,
  AttachmentDescriptor,
  ContextWindowEstimate,
  ExtensionDescriptor,
  LoopCriteria,
  ModelProviderDescriptor,
  PendingApproval,
  RunEvent,
  RunFrame,
  RunInput,
  RunRecord,
  RunResult,
  RunTrace,
  SessionBranchRequest,
  SessionBranchResult,
  SessionDetail,
  SessionRecord,
  ToolApprovalRule,
  ToolDescriptor,
  ToolInvocation,
  ToolUsage,
  ValidationReport,
} from "@tracon/core";

import { recordedEventFrames, runFrames } from "../sse/frame.ts";

const RUN_ID = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const STARTED_AT = "2026-09-12T08:30:00.000Z";
const COMPLETED_AT = "2026-09-12T08:30:02.400Z";
const ANSWER = "Order ORD-3 ships today.";

export const agentDefinitionRequest: AgentDefinitionRequest = {
  name: "support",
  instructions: "Answer questions about orders. Use get_order_status.",
  model: { provider: "openai", model: "gpt-5.4-mini" },
  toolNames: ["get_order_status"],
};

export const agentDefinition: AgentDefinition = {
  name: "support",
  instructions: "Answer questions about orders. Use get_order_status.",
  model: {
    provider: "openai",
    model: "gpt-5.4-mini",
    providerSettings: {},
    fallbacks: [],
    toolLoop: { allowConcurrentToolCalls: false },
  },
  toolNames: ["get_order_status"],
  skillNames: [],
  callableAgents: [],
  extensionNames: [],
  mcpResourceUris: [],
  parameters: [],
  metadata: {},
  origin: "Database",
  version: 3,
  tenantId: "default",
  updatedAt: STARTED_AT,
};

export const agentDescriptor: AgentDescriptor = {
  name: "support",
  origin: "Database",
  sourceName: "database",
  version: 3,
  model: agentDefinition.model,
  toolNames: ["get_order_status"],
  skillNames: [],
  callableAgentNames: [],
  usesHarness: false,
  updatedAt: STARTED_AT,
};

export const agentDetail: AgentDetail = {
  descriptor: agentDescriptor,
  definition: agentDefinition,
  isEditable: true,
};

export const validationReport: ValidationReport = {
  valid: false,
  inconclusive: false,
  messages: [
    {
      code: "unknown_tool",
      path: "toolNames[0]",
      message: "no tool 'get_order_state' is registered",
      severity: "Error",
    },
  ],
};

export const versionPair = { left: { ...agentDefinition, version: 2 }, right: agentDefinition };

export const runRequest: AgentRunRequest = { message: "Where is ORD-3?" };

export const contextWindowEstimate: ContextWindowEstimate = {
  promptTokens: 74,
  contextWindowTokens: 400_000,
  allowedPromptTokens: 320_000,
  wouldBeRejected: false,
};

export const runResult: RunResult = {
  runId: RUN_ID,
  status: "Completed",
  output: ANSWER,
  agentName: "support",
  agentVersion: 3,
  modelProvider: "openai",
  modelId: "gpt-5.4-mini",
  usage: { inputTokens: 212, outputTokens: 9, totalTokens: 221 },
  iterations: 1,
};

export const runRecord: RunRecord = {
  id: RUN_ID,
  agentName: "support",
  agentVersion: 3,
  kind: "Agent",
  status: "Completed",
  startedAt: STARTED_AT,
  completedAt: COMPLETED_AT,
  modelProvider: "openai",
  modelId: "gpt-5.4-mini",
  isStreaming: true,
  usage: { inputTokens: 212, outputTokens: 9, totalTokens: 221 },
  eventCount: 6,
  depth: 0,
  childRunCount: 0,
};

const CHILD_RUN_ID = "01993c1e-7f14-7d0a-8a51-0b6c2f9d4e37";

/** A root with one run below it. */
export const runTree: readonly RunRecord[] = [
  { ...runRecord, childRunCount: 1 },
  {
    ...runRecord,
    id: CHILD_RUN_ID,
    agentName: "researcher",
    agentVersion: 1,
    parentRunId: RUN_ID,
    rootRunId: RUN_ID,
    depth: 1,
  },
];

export const runEvent: RunEvent = {
  runId: RUN_ID,
  sequence: 4,
  type: "MessageDelta",
  timestamp: COMPLETED_AT,
  text: ANSWER,
  payload: { iteration: 1, step: 1 },
};

export const runEventStream: string = recordedEventFrames([
  { sequence: runEvent.sequence, type: runEvent.type, json: JSON.stringify(runEvent) },
]);

const frames: readonly RunFrame[] = [
  {
    event: "run",
    id: 0,
    data: { runId: RUN_ID, agentName: "support", agentVersion: 3, startedAt: STARTED_AT },
  },
  { event: "update", id: 4, data: { iteration: 1, kind: "text", text: ANSWER } },
  { event: "done", id: 6, data: runResult },
];
export const runStream: string = runFrames(frames);

export const runInput: RunInput = {
  runId: RUN_ID,
  createdAt: STARTED_AT,
  messages: [{ role: "user", contents: [{ $type: "text", text: "Where is ORD-3?" }] }],
};

export const sessionRecord: SessionRecord = {
  id: "chat-4711",
  agentName: "support",
  tenantId: "default",
  createdAt: STARTED_AT,
  updatedAt: COMPLETED_AT,
  version: 1,
  itemCount: 2,
  state: {},
  stateSchemaVersion: 1,
};

export const sessionDetail: SessionDetail = {
  ...sessionRecord,
  messages: [
    { role: "user", contents: [{ $type: "text", text: "Where is ORD-3?" }] },
    { role: "assistant", contents: [{ $type: "text", text: ANSWER }] },
  ],
};

export const sessionBranchRequest: SessionBranchRequest = { upToSequence: 1 };

export const sessionBranchResult: SessionBranchResult = {
  sessionId: "01993c1e-7d2b-7a54-9c0e-6e2f0b7c8d9e",
  conversationId: "01993c1e-7d2b-7a54-9c0e-6e2f0b7c8d9e",
  parentSessionId: "chat-4711",
  parentConversationId: "chat-4711",
  branchFromSequence: 1,
  copiedItemCount: 2,
};

export const toolInvocation: ToolInvocation = {
  runId: RUN_ID,
  iteration: 1,
  step: 0,
  position: 0,
  toolCallId: "call_1",
  toolName: "get_order_status",
  arguments: '{"orderId":"ORD-3"}',
  result: "ready for dispatch",
  createdAt: STARTED_AT,
  durationMs: 42,
  succeeded: true,
};

export const runTrace: RunTrace = {
  id: RUN_ID,
  traceId: "01993c1e7d2b7a549c0e5d1f0a6b7c8d",
  runId: RUN_ID,
  tenantId: "default",
  startedAt: STARTED_AT,
  endedAt: COMPLETED_AT,
  spans: [
    {
      id: "3f1c9a0e5b7d2468",
      spanId: "3f1c9a0e5b7d2468",
      name: "tracon.run",
      kind: "Internal",
      startedAt: STARTED_AT,
      endedAt: COMPLETED_AT,
      status: "Ok",
      attributes: { "gen_ai.operation.name": "invoke_agent", "tracon.agent.name": "support" },
    },
    {
      id: "9b2e6f4a8c1d0357",
      parentId: "3f1c9a0e5b7d2468",
      spanId: "9b2e6f4a8c1d0357",
      name: "execute_tool get_order_status",
      kind: "Internal",
      startedAt: STARTED_AT,
      endedAt: COMPLETED_AT,
      status: "Ok",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_order_status",
      },
    },
  ],
};

export const attachment: AttachmentDescriptor = {
  id: "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8e",
  tenantId: "default",
  fileName: "order.pdf",
  mediaType: "application/pdf",
  byteSize: 48_213,
  sha256: "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
  createdAt: STARTED_AT,
};

export const toolUsage: ToolUsage = {
  toolName: "get_order_status",
  totalCalls: 128,
  failedCalls: 2,
  averageDurationMs: 41.5,
  lastCalledAt: STARTED_AT,
  errorRate: 0.015625,
};

export const toolDescriptor: ToolDescriptor = {
  name: "get_order_status",
  description: "The status of an order by its number.",
  inputSchema: {
    type: "object",
    properties: { orderId: { type: "string" } },
    required: ["orderId"],
  },
  effect: "read",
  safeToRepeat: false,
  requiresApproval: false,
  runsOnClient: false,
  timeout: "00:00:30",
};

const EXPIRES_AT = "2026-09-13T08:30:00.000Z";

export const pendingApproval: PendingApproval = {
  id: "01993c1e-7d2b-7a54-9c0e-4a1b2c3d4e5f",
  requestId: "01993c1e-7d2b-7a54-9c0e-4a1b2c3d4e5f",
  tenantId: "default",
  runId: runRecord.id,
  sessionId: "customer-42",
  agentName: "support",
  toolName: "refund",
  arguments: '{"orderId":"ORD-3","amount":20}',
  presentation: { entityType: "Order", entityId: "ORD-3", message: "Refund 20 USD?" },
  status: "Pending",
  createdAt: STARTED_AT,
  expiresAt: EXPIRES_AT,
  continuationRunId: "01993c1e-7d2b-7a54-9c0e-5a1b2c3d4e5f",
};

export const approvalDecision = { approved: true };

export const decidedApproval: PendingApproval = {
  ...pendingApproval,
  status: "Approved",
  decidedAt: STARTED_AT,
};

export const toolApprovalRuleRequest = {
  toolName: "refund",
  agentName: "support",
  argumentConditions: [{ path: "amount", operator: "LessThanOrEqual", value: 20 }],
};

export const toolApprovalRule: ToolApprovalRule = {
  id: "01993c1e-7d2b-7a54-9c0e-6a1b2c3d4e5f",
  tenantId: "default",
  toolName: "refund",
  agentName: "support",
  argumentConditions: [{ path: "amount", operator: "LessThanOrEqual", value: 20 }],
  createdAt: STARTED_AT,
};

export const extensionDescriptor: ExtensionDescriptor = {
  name: "house-policy",
  description: "Adds the house policy to the instructions.",
};

export const loopCriteria: LoopCriteria = {
  criteria: [
    {
      kind: "completionMarker",
      description: "The answer contains a marker text.",
      isBuiltIn: true,
      fields: ["marker"],
    },
    {
      kind: "hasCitations",
      description: "Every claim has a numbered citation.",
      isBuiltIn: false,
      fields: [],
    },
  ],
  judge: { provider: "openai", model: "gpt-5.4-mini" },
};

export const modelProvider: ModelProviderDescriptor = {
  name: "openai",
  kind: "openai",
  models: [
    {
      provider: "openai",
      model: "gpt-5.4-mini",
      contextWindowTokens: 400_000,
      supportsTools: true,
      supportsStructuredOutput: true,
    },
  ],
};
