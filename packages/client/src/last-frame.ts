/**
 * The last frame of a run whose stream was lost, put together from its record and the end of its
 * journal.
 */

import type { RunEvent, RunFrame, RunRecord, RunResult } from "@tracon/core";
import { persistently } from "./follow-events.ts";
import type { Transport } from "./transport.ts";

/** Events read from the end: the last answer is followed by its tool calls and the run's end. */
const TAIL_LENGTH = 200;

/** The `done` or `error` frame of a run that has ended. */
export async function lastFrame(
  transport: Transport,
  runId: string,
  signal: AbortSignal | undefined,
): Promise<RunFrame> {
  const record = await persistently(transport, signal, () =>
    transport.json("runs.get", { path: { runId }, signal }),
  );
  const before = record.eventCount - 1 - TAIL_LENGTH;
  const query = { ...(before < 0 ? {} : { after: before }), take: TAIL_LENGTH };
  const tail = await persistently(transport, signal, () =>
    transport.json("runs.events", { path: { runId }, query, signal }),
  );
  const id = record.eventCount - 1;
  if (record.status === "Failed" || record.status === "Canceled") {
    return { event: "error", id, data: { ...problemOf(record, tail.at(-1)), runId } };
  }
  return { event: "done", id, data: resultOf(record, tail) };
}

function problemOf(record: RunRecord, last: RunEvent | undefined) {
  if (record.status === "Canceled") {
    const detail = last?.type === "RunCanceled" ? last.payload.reason : "the run was canceled";
    return {
      type: "about:blank",
      title: "The run was canceled",
      status: 409,
      detail,
      code: "canceled",
    };
  }
  const detail = record.error?.message ?? "the run failed";
  const code = record.error?.type ?? "internal";
  return { type: "about:blank", title: "The run failed", status: 500, detail, code };
}

function resultOf(record: RunRecord, tail: readonly RunEvent[]): RunResult {
  const { sessionId, agentVersion, modelProvider, modelId, usage, cost } = record;
  const answer = tail.findLast((event) => event.type === "MessageCompleted");
  const iterations = answer?.payload.iteration ?? 1;
  // Every agent answers in an iteration, but only one with a loop has counted them.
  const hasLoop = iterations > 1 || tail.some((event) => event.type === "LoopIterationCompleted");
  return {
    runId: record.id,
    status: record.status,
    output: answer?.text ?? "",
    ...(sessionId === undefined ? {} : { sessionId }),
    agentName: record.agentName,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(modelProvider === undefined ? {} : { modelProvider }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    ...(hasLoop ? { iterations } : {}),
  };
}
