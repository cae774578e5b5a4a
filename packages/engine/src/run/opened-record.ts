/** A run as it is when it begins: its row, and what is kept of its request. */

import type { ChatMessage, RecordedInput, RunRecord } from "@tracon/core";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import type { ReadRunRequest } from "./start-run.ts";

type OpenedRun = {
  readonly continuedFromRunId: string | undefined;
  readonly sessionId: string | undefined;
  readonly culture: string | undefined;
  readonly startedAt: string;
  readonly isStreaming: boolean;
};

export function openedRecord(
  id: string,
  tenantId: string,
  { name, version, lockfileHash }: RunnableAgent,
  { continuedFromRunId, culture, sessionId, startedAt, isStreaming }: OpenedRun,
): RunRecord {
  return {
    id,
    tenantId,
    agentName: name,
    agentVersion: version,
    kind: "Agent",
    status: "Running",
    startedAt,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(culture === undefined ? {} : { culture }),
    ...(continuedFromRunId === undefined ? {} : { continuedFromRunId }),
    isStreaming,
    eventCount: 0,
    depth: 0,
    childRunCount: 0,
    ...(lockfileHash === undefined ? {} : { lockfileHash }),
  };
}

export const inputOf = (
  asked: ChatMessage | undefined,
  { values }: ReadRunRequest,
): RecordedInput => ({
  messages: asked === undefined ? [] : [asked],
  ...(values === undefined ? {} : { parameters: Object.fromEntries(values) }),
});
