/** What the contract cases write: records, entries and definitions with nothing left to chance. */

import { randomUUID } from "node:crypto";
import {
  type AgentDefinitionContent,
  type AppendOutcome,
  agentDefinitionRequestSchema,
  type ChatMessage,
  type CriterionTally,
  contentHash,
  type DeleteCondition,
  type FoundSession,
  type JournalEntry,
  type RunRecord,
  type RunTally,
  type SessionWrite,
  type StoredApproval,
  type StoredDefinition,
  type ToolCallTally,
} from "@tracon/core";
import { sequentialIds } from "../sequential-ids.ts";
import type { ContractStores } from "./contract.ts";

export const STARTED_AT = "2026-01-01T00:00:00.000Z";

export const newTenant = (): string => `tenant-${randomUUID()}`;

/** Rising ids; the same ones in every case, so that tenants are all that keeps cases apart. */
export function runIds(count: number): readonly string[] {
  const ids = sequentialIds();
  return Array.from({ length: count }, () => ids.next());
}

export const runRecord = (id: string, over: Partial<RunRecord> = {}): RunRecord => ({
  id,
  agentName: "support",
  kind: "Agent",
  status: "Running",
  startedAt: STARTED_AT,
  isStreaming: false,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
  ...over,
});

type EntryParts = Partial<Omit<JournalEntry, "tenantId" | "runId">>;

export const entry = (tenantId: string, runId: string, parts: EntryParts = {}): JournalEntry => ({
  tenantId,
  runId,
  ...parts,
});

/** The first entry of a run. */
export const opening = (
  tenantId: string,
  record: RunRecord,
  parts: EntryParts = {},
): JournalEntry => entry(tenantId, record.id, { opened: { record }, ...parts });

/** Events from `first` on, one for each text. */
export const events = (first: number, ...texts: readonly string[]) => ({
  firstSequence: first,
  lastSequence: first + texts.length - 1,
  lines: texts.map(eventJson).join("\n"),
});

export const eventJson = (text: string): string => JSON.stringify({ type: "Custom", text });

export const toolCalls = (over: Partial<ToolCallTally> = {}): ToolCallTally => ({
  toolName: "look_up",
  calls: 1,
  failedCalls: 0,
  durationMs: 1,
  lastCalledAt: STARTED_AT,
  ...over,
});

/** A judge that was asked once, and satisfied. */
export const criterion = (over: Partial<CriterionTally> = {}): CriterionTally => ({
  kind: "aiJudge",
  position: 1,
  continued: 0,
  stopped: 1,
  failed: 0,
  decisive: 0,
  reviewerRuns: 0,
  judgeCalls: 1,
  costs: [{ currency: "USD", totalCost: 0.5 }],
  unpricedCalls: 0,
  ...over,
});

export const tally = (record: RunRecord, over: Partial<RunTally> = {}): RunTally => ({
  record,
  isUnpriced: false,
  toolCalls: [],
  criteria: [],
  ...over,
});

/** A message of somebody. */
export const said = (text: string, role: ChatMessage["role"] = "user"): ChatMessage => ({
  role,
  contents: [{ $type: "text", text }],
});

export const sessionWrite = (
  sessionId: string,
  items: readonly ChatMessage[],
  over: Partial<SessionWrite> = {},
): SessionWrite => ({
  sessionId,
  agentName: "support",
  openedAt: STARTED_AT,
  savedAt: STARTED_AT,
  items,
  ...over,
});

/** The last entry of a run that opens with it, with what it appends to a session. */
export const turn = (tenantId: string, runId: string, session: SessionWrite): JournalEntry =>
  opening(tenantId, runRecord(runId, { sessionId: session.sessionId }), {
    events: events(0, "start", "end"),
    changed: { status: "Completed", eventCount: 2, completedAt: session.savedAt },
    session,
  });

/** An approval of a run's first call, pending until `EXPIRES_AT`. */
export const approval = (
  tenantId: string,
  id: string,
  over: Partial<StoredApproval> = {},
): StoredApproval => ({
  id,
  requestId: id,
  tenantId,
  runId: id,
  sessionId: "s",
  agentName: "support",
  iteration: 1,
  step: 0,
  position: 0,
  callId: "call-1",
  toolName: "refund",
  arguments: '{"amount":5}',
  argumentsHash: contentHash({ amount: 5 }),
  contentHash: contentHash("definition"),
  status: "Pending",
  createdAt: STARTED_AT,
  expiresAt: EXPIRES_AT,
  continuationRunId: `continuation-of-${over.runId ?? id}`,
  ...over,
});

/** When approvals expire, unless told otherwise. */
export const EXPIRES_AT = "2026-01-02T00:00:00.000Z";

/** The last entry of a run that opens with it and stops for approvals. */
export const stop = (
  tenantId: string,
  runId: string,
  opened: readonly StoredApproval[],
): JournalEntry =>
  opening(tenantId, runRecord(runId, { sessionId: "s" }), {
    events: events(0, "start", "end"),
    changed: { status: "AwaitingApproval", eventCount: 2, completedAt: STARTED_AT },
    approvals: { opened },
  });

/** The session as it stands, to be written to. */
export async function baseOf(
  { sessions }: ContractStores,
  tenantId: string,
  sessionId: string,
): Promise<FoundSession> {
  const record = await sessions.get(tenantId, sessionId);
  if (record === undefined) throw new Error(`there is no session '${sessionId}'`);
  const { version, createdAt, itemCount } = record;
  return { version, createdAt, itemCount };
}

/** The messages of a session, in order. */
export async function messagesOf(
  { sessions }: ContractStores,
  tenantId: string,
  sessionId: string,
): Promise<readonly ChatMessage[]> {
  const items = await sessions.history(tenantId, sessionId, { after: -1, take: 1_000 });
  return items.map(({ json }) => JSON.parse(json));
}

/** Opens a run for each record, in one batch. */
export async function openRuns(
  { journal }: ContractStores,
  tenantId: string,
  records: readonly RunRecord[],
): Promise<void> {
  await journal.commit(records.map((record) => opening(tenantId, record)));
}

/** Opens and ends the runs, many with one commit. */
export async function writeEnded(
  { journal }: ContractStores,
  tenant: string,
  tallies: readonly RunTally[],
): Promise<void> {
  for (let at = 0; at < tallies.length; at += 50) {
    const batch = tallies.slice(at, at + 50);
    await journal.commit(batch.map(({ record }) => opening(tenant, opened(record))));
    await journal.commit(batch.map((it) => ended(tenant, it)));
  }
}

const opened = (record: RunRecord): RunRecord => ({
  ...runRecord(record.id),
  kind: record.kind,
  agentName: record.agentName,
  startedAt: record.startedAt,
  depth: record.depth,
  ...(record.parentRunId === undefined ? {} : { parentRunId: record.parentRunId }),
  ...(record.rootRunId === undefined ? {} : { rootRunId: record.rootRunId }),
  ...(record.userId === undefined ? {} : { userId: record.userId }),
});

function ended(tenantId: string, counted: RunTally): JournalEntry {
  const { status, eventCount, completedAt, usage, cost, error } = counted.record;
  const changed = { status, eventCount, completedAt, usage, cost, error };
  const given = Object.entries(changed).filter(([, value]) => value !== undefined);
  return entry(tenantId, counted.record.id, {
    changed: Object.fromEntries(given) as NonNullable<JournalEntry["changed"]>,
    tally: counted,
  });
}

export function definition(
  name: string,
  over: Partial<AgentDefinitionContent> = {},
): AgentDefinitionContent {
  const model = { provider: "scripted", model: "any" };
  return { ...agentDefinitionRequestSchema.parse({ name: "any", model }), name, ...over };
}

/** A save with the hash of its content and no condition, unless `over` says otherwise. */
export const save = (
  { definitions }: ContractStores,
  tenantId: string,
  content: AgentDefinitionContent,
  over: Partial<Parameters<ContractStores["definitions"]["append"]>[0]> = {},
) =>
  definitions.append({
    tenantId,
    content,
    contentHash: contentHash(content),
    condition: "any",
    savedAt: STARTED_AT,
    ...over,
  });

const DELETED_AT = "2026-01-02T00:00:00.000Z";

/** Deletes a definition; answers in a word what became of it. */
export async function remove(
  stores: ContractStores,
  tenantId: string,
  name: string,
  condition: DeleteCondition = "present",
): Promise<string> {
  const request = { tenantId, name, condition, deletedAt: DELETED_AT };
  const deleted = await stores.definitions.delete(request);
  return deleted.outcome === "stale" ? `stale ${deleted.currentVersion}` : deleted.outcome;
}

/** What became of a save, in a word. */
export function summary(outcome: AppendOutcome): string {
  if (outcome.outcome === "saved") return `saved ${outcome.stored.definition.version}`;
  if (outcome.outcome === "stale") return `stale ${outcome.currentVersion}`;
  return outcome.outcome;
}

export const versionOf = ({ definition: { version } }: StoredDefinition): number => version;

/** More savers at once than a pool has connections. */
export const SAVERS = 16;
export const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

export const atOnce = <Result>(work: (saver: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(numbersTo(SAVERS).map(work));
