/**
 * Starts a run and yields its frames to the end, also across a lost connection.
 *
 * The start itself is never repeated: a run may have begun although its first frame got lost. Once
 * the `run` frame is here, the rest can be read from the run's journal, which turns into the same
 * frames.
 */

import type { AgentRunRequest, RunEvent, RunFrame, RunRecord, RunResult } from "@tracon/core";
import type { EventSourceMessage } from "eventsource-parser";
import { connectionError } from "./api-error.ts";
import { bodyOf, followEvents, isTransient, parseData, persistently } from "./follow-events.ts";
import { framesOfEvent } from "./frames-of-event.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import type { Transport } from "./transport.ts";

/** How a streamed run is followed. */
export type StreamOptions = {
  /** Ends the iteration and its connection. The run goes on unless `abortOnDisconnect` is set. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The server cancels the run when this connection ends before the run does, whoever or whatever
   * ended it. Default false: a lost connection is continued.
   */
  readonly abortOnDisconnect?: boolean;
};

type Run = Extract<RunFrame, { readonly event: "run" }>["data"];

/** What the frames so far say, as far as the last one needs it. */
type Progress = {
  readonly run: Run | undefined;
  readonly lastId: number | undefined;
  readonly iteration: number;
  /** Text of that iteration. */
  readonly output: string;
  readonly hasEnded: boolean;
};

const NOTHING: Progress = {
  run: undefined,
  lastId: undefined,
  iteration: 1,
  output: "",
  hasEnded: false,
};

export async function* streamRun(
  transport: Transport,
  call: { readonly name: string; readonly request: AgentRunRequest },
  options: StreamOptions,
): AsyncGenerator<RunFrame, void, undefined> {
  let progress = NOTHING;
  try {
    for await (const frame of directFrames(transport, call, options)) {
      progress = advance(progress, frame);
      yield frame;
      if (progress.hasEnded) return;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isTransient(error) || progress.run === undefined) throw error;
  }
  yield* remainingFrames(transport, progress, options.signal);
}

async function* directFrames(
  transport: Transport,
  { name, request }: { readonly name: string; readonly request: AgentRunRequest },
  { signal, abortOnDisconnect }: StreamOptions,
): AsyncGenerator<RunFrame, void, undefined> {
  const response = await transport.send("agents.run", {
    path: { name },
    query: { abortOnDisconnect },
    body: request,
    accept: "text/event-stream",
    signal,
  });
  for await (const message of serverSentEvents(bodyOf(response), transport)) {
    const frame = frameOf(message);
    if (frame !== undefined) yield frame;
  }
}

async function* remainingFrames(
  transport: Transport,
  before: Progress,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunFrame, void, undefined> {
  if (before.run === undefined || before.lastId === undefined) {
    throw connectionError("connection_lost", "the stream ended before it said which run it is");
  }
  const { runId } = before.run;
  let progress = before;
  let last: RunEvent | undefined;
  for await (const event of followEvents(transport, runId, { after: before.lastId, signal })) {
    for (const frame of framesOfEvent(event)) {
      progress = advance(progress, frame);
      yield frame;
    }
    last = event;
  }
  const record = await persistently(transport, signal, () =>
    transport.json("runs.get", { path: { runId }, signal }),
  );
  yield lastFrame(record, progress, last?.sequence ?? before.lastId);
}

/** The frame names there are. A name that a newer server adds is not one this client can promise to type. */
const FRAME_NAMES: ReadonlySet<string> = new Set([
  "run",
  "update",
  "loop.iteration-completed",
  "approvals",
  "custom",
  "done",
  "error",
] satisfies RunFrame["event"][]);

function frameOf(message: EventSourceMessage): RunFrame | undefined {
  if (message.event === undefined || !FRAME_NAMES.has(message.event)) return undefined;
  const isRecorded = message.id !== undefined && /^\d+$/.test(message.id);
  return {
    event: message.event,
    ...(isRecorded ? { id: Number(message.id) } : {}),
    data: parseData<unknown>(message.data),
  } as RunFrame;
}

function advance(before: Progress, frame: RunFrame): Progress {
  const progress = { ...before, lastId: frame.id ?? before.lastId };
  switch (frame.event) {
    case "run":
      return { ...progress, run: frame.data };
    case "update":
      return { ...progress, ...outputAfter(before, frame.data) };
    case "done":
    case "error":
      return { ...progress, hasEnded: true };
    default:
      return progress;
  }
}

function outputAfter(
  { iteration, output }: Progress,
  update: Extract<RunFrame, { readonly event: "update" }>["data"],
): Pick<Progress, "iteration" | "output"> {
  const kept = update.iteration === iteration ? output : "";
  return {
    iteration: update.iteration,
    output: update.kind === "text" ? kept + update.text : kept,
  };
}

function lastFrame(record: RunRecord, progress: Progress, id: number): RunFrame {
  if (record.status === "Failed") {
    const detail = record.error?.message ?? "the run failed";
    const code = record.error?.type ?? "internal";
    const problem = { type: "about:blank", title: "Run failed", status: 500, detail, code };
    return { event: "error", id, data: { ...problem, runId: record.id } };
  }
  return { event: "done", id, data: resultOf(record, progress) };
}

function resultOf(record: RunRecord, progress: Progress): RunResult {
  const { sessionId, agentVersion, modelProvider, modelId, usage, cost, error } = record;
  return {
    runId: record.id,
    status: record.status,
    output: progress.output,
    ...(sessionId === undefined ? {} : { sessionId }),
    agentName: record.agentName,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(modelProvider === undefined ? {} : { modelProvider }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    iterations: progress.iteration,
    ...(error === undefined ? {} : { error }),
  };
}
