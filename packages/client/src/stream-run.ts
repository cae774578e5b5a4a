/**
 * Starts a run and yields its frames to the end, also across a lost connection.
 *
 * The start itself is never repeated: a run may have begun although its first frame got lost. Once
 * the `run` frame is here, the rest can be read from the run's journal, which turns into the same
 * frames.
 */

import type { AgentRunRequest, RunFrame } from "@tracon/core";
import type { EventSourceMessage } from "eventsource-parser";
import { connectionError } from "./api-error.ts";
import { bodyOf, followEvents, isTransient, parseData } from "./follow-events.ts";
import { framesOfEvent } from "./frames-of-event.ts";
import { lastFrame } from "./last-frame.ts";
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

/** How far the frames have come. */
type Progress = { readonly runId: string | undefined; readonly lastId: number | undefined };

export async function* streamRun(
  transport: Transport,
  call: { readonly name: string; readonly request: AgentRunRequest },
  options: StreamOptions,
): AsyncGenerator<RunFrame, void, undefined> {
  let progress: Progress = { runId: undefined, lastId: undefined };
  try {
    for await (const frame of directFrames(transport, call, options)) {
      progress = {
        runId: frame.event === "run" ? frame.data.runId : progress.runId,
        lastId: frame.id ?? progress.lastId,
      };
      yield frame;
      if (frame.event === "done" || frame.event === "error") return;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isTransient(error) || progress.runId === undefined) throw error;
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
  { runId, lastId }: Progress,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunFrame, void, undefined> {
  if (runId === undefined || lastId === undefined) {
    throw connectionError("connection_lost", "the stream ended before it said which run it is");
  }
  for await (const event of followEvents(transport, runId, { after: lastId, signal })) {
    yield* framesOfEvent(event);
  }
  yield await lastFrame(transport, runId, signal);
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
