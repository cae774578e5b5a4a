/**
 * Turns journal entries into rows, and refuses an entry that contradicts itself.
 *
 * The row of a run counts its events, so the count is also the guard: an entry is accepted only by
 * a run that is open and has exactly the events before the entry's first one. One statement on one
 * row thereby notices an unknown run, an ended run, a repeated sequence and a gap.
 */

import {
  assert,
  type JournalEntry,
  MESSAGE_FORMAT,
  type RecordedInput,
  type RunRecord,
  type RunRowChange,
  type SessionWrite,
} from "@tracon/core";
import { putApprovalRows } from "./approval-entry-rows.ts";
import { putBudgetRows } from "./budget-rows.ts";
import type { PutRow } from "./journal-rows.ts";
import type { SqlValue } from "./sql-value.ts";
import { storedOptional, storedText, storedTime } from "./stored-values.ts";

/** Calls `put` for every row of the entry, the run's own row first. */
export function putEntryRows(entry: JournalEntry, put: PutRow): void {
  const key: RunKey = [storedText(entry.tenantId), storedText(entry.runId)];
  assertConsistent(entry);

  if (entry.opened === undefined) {
    // What a run has spent may be known only after its end, which its row would not accept.
    if (!isBudgetAlone(entry)) putUpdate(key, entry, put);
  } else {
    const { record, input } = entry.opened;
    put("run", openedValues(key, { ...record, ...entry.changed }, countAfter(entry) ?? 0));
    if (input !== undefined) put("input", inputValues(key, input));
  }
  if (entry.events !== undefined) {
    const { firstSequence, lastSequence, lines } = entry.events;
    put("chunk", [...key, firstSequence, lastSequence, lines]);
  }
  if (entry.budget !== undefined) putBudgetRows(key[0], entry.budget, put);
  if (entry.session !== undefined) putSessionRows(key, entry.session, put);
  if (entry.approvals !== undefined) putApprovalRows(...key, entry.approvals, put);
}

/** The session's own row first: it is what tells whether the turn may follow. */
function putSessionRows([tenantId, runId]: RunKey, write: SessionWrite, put: PutRow): void {
  const { base, items } = write;
  const state = optionalJson(write.state);
  const key = [tenantId, storedText(write.sessionId)];
  const before = base?.itemCount ?? 0;
  const count = before + items.length;
  const savedAt = storedTime(write.savedAt);
  if (base === undefined) {
    const openedAt = storedTime(write.openedAt);
    const agent = storedText(write.agentName);
    put("session", [...key, agent, 1, openedAt, savedAt, count, MESSAGE_FORMAT, state]);
  } else {
    const { version, createdAt } = base;
    put("version", [...key, version, storedTime(createdAt), version + 1, savedAt, count, state]);
  }
  if (items.length === 0) return;
  const lines = items.map((message) => JSON.stringify(message)).join("\n");
  put("turn", [...key, before, items.length, runId, lines]);
}

const isBudgetAlone = ({ budget, events, changed, ...rest }: JournalEntry): boolean =>
  budget !== undefined &&
  events === undefined &&
  changed === undefined &&
  rest.session === undefined &&
  rest.approvals === undefined &&
  rest.tally === undefined;

const inputValues = (key: RunKey, { messages, parameters }: RecordedInput): SqlValue[] => [
  ...key,
  JSON.stringify(messages),
  parameters === undefined ? null : JSON.stringify(parameters),
];

function putUpdate(key: RunKey, entry: JournalEntry, put: PutRow): void {
  const { events, changed } = entry;
  if (changed !== undefined || events === undefined) put("change", changeValues(key, entry));
  else put("progress", [...key, events.firstSequence, events.lastSequence + 1]);
}

type RunKey = readonly [tenantId: string, runId: string];

function assertConsistent(entry: JournalEntry): void {
  const { opened, events, changed } = entry;
  if (events !== undefined) {
    const { firstSequence, lastSequence, lines } = events;
    assert(firstSequence >= 0 && lastSequence >= firstSequence, "events are in sequence");
    assert(
      countLines(lines) === lastSequence - firstSequence + 1,
      "an entry has one line for every sequence",
    );
    assert(opened === undefined || firstSequence === 0, "the events of a new run start at 0");
    assert(
      changed === undefined || changed.eventCount === lastSequence + 1,
      "the changed row counts the events of its entry",
    );
  }
  if (opened !== undefined) {
    const { id, tenantId = entry.tenantId } = opened.record;
    assert(id === entry.runId && tenantId === entry.tenantId, "a record is of its entry's run");
  }
}

function countLines(lines: string): number {
  let count = 1;
  for (let at = lines.indexOf("\n"); at !== -1; at = lines.indexOf("\n", at + 1)) count++;
  return count;
}

const countAfter = ({ events, changed }: JournalEntry): number | undefined =>
  events === undefined ? changed?.eventCount : events.lastSequence + 1;

function openedValues(key: RunKey, record: RunRecord, eventCount: number): readonly SqlValue[] {
  return [
    ...key,
    storedOptional(record.parentRunId),
    storedOptional(record.rootRunId),
    record.depth,
    record.kind,
    storedText(record.agentName),
    record.agentVersion ?? null,
    record.status,
    storedTime(record.startedAt),
    optionalTime(record.completedAt),
    eventCount,
    record.isStreaming ? 1 : 0,
    storedOptional(record.userId),
    storedOptional(record.sessionId),
    storedOptional(record.culture),
    storedOptional(record.modelProvider),
    storedOptional(record.modelId),
    ...measuredValues(record),
    optionalJson(record.labels),
    storedOptional(record.replayOfRunId),
    storedOptional(record.continuedFromRunId),
    storedOptional(record.lockfileHash),
  ];
}

function changeValues(key: RunKey, entry: JournalEntry): readonly SqlValue[] {
  const { events, changed } = entry;
  return [
    ...key,
    events?.firstSequence ?? changed?.eventCount ?? null,
    countAfter(entry) ?? null,
    changed?.status ?? null,
    optionalTime(changed?.completedAt),
    storedOptional(changed?.sessionId),
    storedOptional(changed?.modelProvider),
    storedOptional(changed?.modelId),
    ...measuredValues(changed ?? {}),
  ];
}

type Measured = Pick<RunRowChange, "usage" | "cost" | "error">;

/** The numbers that statistics add up stand in columns of their own beside the JSON they are from. */
const measuredValues = ({ usage, cost, error }: Measured): readonly SqlValue[] => [
  usage?.inputTokens ?? null,
  usage?.outputTokens ?? null,
  usage?.totalTokens ?? null,
  cost?.totalCost ?? null,
  storedOptional(error?.type),
  optionalJson(usage),
  optionalJson(cost),
  optionalJson(error),
];

const optionalTime = (iso: string | undefined): number | null =>
  iso === undefined ? null : storedTime(iso);

const optionalJson = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);
