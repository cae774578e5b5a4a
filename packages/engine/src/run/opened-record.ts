/** A run as it is when it begins: its row, and what is kept of its request. */

import type { ChatMessage, RecordedInput, RunRecord } from "@tracon/core";
import type { RunTree } from "../budget/run-budget.ts";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import type { ReadRunRequest } from "./start-run.ts";

/** Where a run below another one stands. */
type PlaceBelow = Pick<RunTree, "rootRunId" | "depth"> & { readonly parentRunId: string };

type OpenedRun = {
  /** Absent for a root. */
  readonly below: PlaceBelow | undefined;
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
  { below, continuedFromRunId, culture, sessionId, startedAt, isStreaming }: OpenedRun,
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
    ...(below === undefined ? {} : { parentRunId: below.parentRunId, rootRunId: below.rootRunId }),
    depth: below?.depth ?? 0,
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
