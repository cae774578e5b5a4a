/** What the contract cases write: records, entries and definitions with nothing left to chance. */

import { randomUUID } from "node:crypto";
import {
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  contentHash,
  type JournalEntry,
  type RunRecord,
  type ToolInvocation,
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
  toolInvocations: [],
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

export const toolInvocation = (
  runId: string,
  over: Partial<ToolInvocation> = {},
): ToolInvocation => ({
  runId,
  iteration: 1,
  step: 0,
  position: 0,
  toolCallId: "call-1",
  toolName: "look_up",
  createdAt: STARTED_AT,
  succeeded: true,
  ...over,
});

/** Opens a run for each record, in one batch. */
export async function openRuns(
  { journal }: ContractStores,
  tenantId: string,
  records: readonly RunRecord[],
): Promise<void> {
  await journal.commit(records.map((record) => opening(tenantId, record)));
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
