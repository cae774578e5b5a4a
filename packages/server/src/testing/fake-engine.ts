/** An engine of plain objects: answers from data, records what it was asked. */

import {
  type AgentDefinition,
  agentDefinitionRequestSchema,
  findingsOf,
  type RunFrame,
  TraconError,
} from "@tracon/core";
import type {
  Agents,
  Approvals,
  Attachments,
  Engine,
  RecordedEvent,
  RunHandle,
  Runs,
  Sessions,
  Statistics,
} from "@tracon/engine";
import * as examples from "../openapi/examples.ts";
import * as statisticsExamples from "../openapi/examples-statistics.ts";

export const RUN_ID = examples.runRecord.id;
export const OTHER_RUN_ID = "01993c1e-7d2b-7a54-9c0e-000000000000";

/** One call the engine got: its name and arguments without the tenant. */
export type EngineCall = readonly [name: string, ...parameters: unknown[]];

export type FakeEngine = Engine & { readonly calls: readonly EngineCall[] };

type Overrides = {
  readonly agents?: Partial<Agents>;
  readonly runs?: Partial<Runs>;
  readonly sessions?: Partial<Sessions>;
  readonly approvals?: Partial<Approvals>;
  readonly statistics?: Partial<Statistics>;
  readonly attachments?: Partial<Attachments>;
  readonly storage?: Engine["storage"];
};

/** Knows the agent `support` in versions 1 to 3, one finished run of it and one session. */
export function fakeEngine(overrides: Overrides = {}): FakeEngine {
  const calls: EngineCall[] = [];
  return {
    agents: recording({ ...agents, ...overrides.agents }, calls),
    runs: recording({ ...runs, ...overrides.runs }, calls),
    sessions: recording({ ...sessions, ...overrides.sessions }, calls),
    approvals: recording({ ...approvals, ...overrides.approvals }, calls),
    statistics: recording({ ...statistics, ...overrides.statistics }, calls),
    attachments: {
      ...recording({ ...attachments, ...overrides.attachments }, calls),
      maxBytes: MAX_BYTES,
    },
    tools: () => [examples.toolDescriptor],
    models: () => [examples.modelProvider],
    extensions: () => [examples.extensionDescriptor],
    loopCriteria: () => examples.loopCriteria,
    storage: overrides.storage ?? "sqlite",
    close: () => Promise.resolve(),
    calls,
  };
}

/** The frames of a run that ends well. */
export const frames: readonly RunFrame[] = [
  {
    event: "run",
    id: 0,
    data: { runId: RUN_ID, agentName: "support", agentVersion: 3, startedAt: "2026-09-12T08:30Z" },
  },
  { event: "update", id: 1, data: { iteration: 1, kind: "text", text: 'Hé "llo"\n' } },
  { event: "done", id: 2, data: examples.runResult },
];

/** A run that streams `batches`. */
export const runHandle = (batches: AsyncIterable<readonly RunFrame[]>): RunHandle => ({
  runId: RUN_ID,
  result: Promise.resolve(examples.runResult),
  frames: () => batches,
});

export async function* inBatches<Item>(
  ...batches: readonly (readonly Item[])[]
): AsyncGenerator<readonly Item[], void, undefined> {
  yield* batches;
}

const recordedEvents: readonly RecordedEvent[] = [
  { sequence: 0, type: "RunStarted", json: '{"sequence":0}' },
  { sequence: 1, type: "MessageDelta", json: '{"sequence":1}' },
  { sequence: 2, type: "RunCompleted", json: '{"sequence":2}' },
];

const requireAgent = (name: string): void => {
  if (name !== "support") throw new TraconError("agent_not_found", `there is no agent '${name}'`);
};

const requireRun = (runId: string): void => {
  if (runId !== RUN_ID) throw new TraconError("run_not_found", "there is no such run");
};

function readDefinition(definition: unknown): AgentDefinition {
  const read = agentDefinitionRequestSchema.safeParse(definition);
  if (read.success) return { ...read.data, origin: "Database", version: 1 };
  throw new TraconError("definition_invalid", "the definition was not saved", {
    findings: findingsOf(read.error),
  });
}

const agents: Agents = {
  list: async () => [examples.agentDescriptor],
  async get(_tenant, name) {
    requireAgent(name);
    return examples.agentDetail;
  },
  create: async (_tenant, definition) => saved(readDefinition(definition), true),
  async save(_tenant, name, definition) {
    return saved(readDefinition(definition), name !== "support");
  },
  async delete(_tenant, name) {
    requireAgent(name);
  },
  validate: async () => examples.validationReport,
  async versions(_tenant, name) {
    requireAgent(name);
    return [examples.agentDefinition];
  },
  async version(_tenant, name, version) {
    requireAgent(name);
    if (version <= 3) return { ...examples.agentDefinition, version };
    throw new TraconError("agent_version_not_found", `agent '${name}' has no version ${version}`);
  },
  async rollback(tenant, name, version) {
    const old = await agents.version(tenant, name, version);
    return saved({ ...old, version: 4 }, false);
  },
};

const saved = (definition: AgentDefinition, created: boolean) => ({
  definition,
  created,
  unchanged: false,
  warnings: [],
});

const runs: Runs = {
  async start(_tenant, agentName) {
    requireAgent(agentName);
    return runHandle(inBatches(frames));
  },
  async estimate(_tenant, agentName) {
    requireAgent(agentName);
    return examples.contextWindowEstimate;
  },
  async get(_tenant, runId) {
    requireRun(runId);
    return examples.runRecord;
  },
  list: async () => [examples.runRecord],
  async tree(_tenant, runId) {
    requireRun(runId);
    return examples.runTree;
  },
  async events(_tenant, runId, { after }) {
    requireRun(runId);
    return inBatches(recordedEvents.slice(after + 1));
  },
  async eventPage(_tenant, runId, { after, take }) {
    requireRun(runId);
    return recordedEvents.slice(after + 1, after + 1 + take);
  },
  async cancel(_tenant, runId) {
    requireRun(runId);
    return examples.runRecord;
  },
  async toolInvocations(_tenant, runId) {
    requireRun(runId);
    return [examples.toolInvocation];
  },
  async trace(_tenant, runId) {
    requireRun(runId);
    return examples.runTrace;
  },
  toolUsage: async () => [examples.toolUsage],
  async input(_tenant, runId) {
    requireRun(runId);
    return examples.runInput;
  },
};

const requireApproval = (id: string): void => {
  if (id === examples.pendingApproval.id) return;
  throw new TraconError("approval_not_found", "there is no approval with that id");
};

const approvals: Approvals = {
  pending: async () => [examples.pendingApproval],
  async get(_tenant, id) {
    requireApproval(id);
    return examples.pendingApproval;
  },
  async decide(_tenant, id) {
    requireApproval(id);
    return examples.decidedApproval;
  },
  rules: async () => [examples.toolApprovalRule],
  addRule: async () => examples.toolApprovalRule,
  async removeRule(_tenant, id) {
    if (id === examples.toolApprovalRule.id) return;
    throw new TraconError("approval_rule_not_found", "there is no standing rule with that id");
  },
  scan: async () => undefined,
};

const requireSession = (sessionId: string): void => {
  if (sessionId === examples.sessionRecord.id) return;
  throw new TraconError("session_not_found", `there is no session '${sessionId}'`);
};

const sessions: Sessions = {
  list: async () => [examples.sessionRecord],
  async get(_tenant, sessionId) {
    requireSession(sessionId);
    return examples.sessionDetail;
  },
  async branch(_tenant, sessionId) {
    requireSession(sessionId);
    return examples.sessionBranchResult;
  },
  async delete(_tenant, sessionId) {
    requireSession(sessionId);
  },
};

const statistics: Statistics = {
  get: async () => statisticsExamples.runStatistics,
  timeSeries: async () => [statisticsExamples.timeSeriesPoint],
  errors: async () => [statisticsExamples.runErrorStatistics],
  criteria: async () => [statisticsExamples.criterionStatistics],
  recalculateCosts: async () => statisticsExamples.runCostRecalculation,
};

const requireAttachment = (id: string): void => {
  if (id === examples.attachment.id) return;
  throw new TraconError("attachment_not_found", "there is no such attachment");
};

/** Small, so that tests can be too large. */
export const MAX_BYTES = 1_000;
export const ATTACHED = new TextEncoder().encode("%PDF-1.7 order");

const attachments: Omit<Attachments, "maxBytes"> = {
  upload: async () => examples.attachment,
  list: async () => [examples.attachment],
  async get(_tenant, id) {
    requireAttachment(id);
    return { ...examples.attachment, byteSize: ATTACHED.length };
  },
  async content(_tenant, id) {
    requireAttachment(id);
    return ATTACHED;
  },
  async delete(_tenant, id) {
    requireAttachment(id);
  },
};

function recording<Port extends object>(port: Port, calls: EngineCall[]): Port {
  const wrapped = Object.entries(port).map(([name, method]) => [
    name,
    (tenant: string, ...parameters: unknown[]) => {
      calls.push([name, ...parameters]);
      return method(tenant, ...parameters);
    },
  ]);
  return Object.fromEntries(wrapped) as Port;
}
