/**
 * A run's journal as one uninterrupted sequence, whatever the connection does.
 *
 * Each event carries its sequence, so continuing is asking for what comes after the last one.
 * An event that was seen is dropped and one that is missing breaks the connection off, so that what
 * comes out never repeats and never skips.
 */

import type { RunEvent, RunEventType, RunStatus } from "@tracon/core";
import { connectionError, TraconApiError } from "./api-error.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import type { Transport } from "./transport.ts";

/** Where to start following and when to stop. */
export type FollowOptions = {
  /** Sequence of the last event already known. Default −1: from the first event. */
  readonly after?: number;
  readonly signal?: AbortSignal | undefined;
};

// Core's own lists come with its schemas; these two keep the client free of them. Tests compare.
const TERMINAL: ReadonlySet<RunEventType> = new Set([
  "RunCompleted",
  "RunFailed",
  "RunCanceled",
  "RunAwaitingInput",
]);
const UNFINISHED: ReadonlySet<RunStatus> = new Set(["Queued", "Running"]);

/** Whether an event of this type is a run's last. */
export const isTerminalEvent = (type: RunEventType): boolean => TERMINAL.has(type);

/** Whether a run of this status writes no more events. */
export const isFinished = (status: RunStatus): boolean => !UNFINISHED.has(status);

/** Not 501: what is not part of the server will not be a moment later. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;

export async function* followEvents(
  transport: Transport,
  runId: string,
  { after = -1, signal }: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  let last = after;
  let failures = 0;
  for (;;) {
    let cause: unknown;
    try {
      for await (const event of eventsAfter(transport, runId, { after: last, signal })) {
        last = event.sequence;
        failures = 0;
        yield event;
        if (isTerminalEvent(event.type)) return;
      }
      if (await endsAt(transport, runId, { after: last, signal })) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      cause = error;
    }
    failures += 1;
    await waitToRetry(transport, { failures, signal, cause });
  }
}

/** Asks again until an answer arrives or the attempts are used up; for reads only. */
export async function persistently<Result>(
  transport: Transport,
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      await waitToRetry(transport, { failures, signal, cause: error });
    }
  }
}

/** Whether the same request may succeed a moment later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof TraconApiError)) return false;
  if (error.code === "connection_failed" || error.code === "connection_lost") return true;
  return TRANSIENT_STATUSES.has(error.status);
}

async function waitToRetry(
  transport: Transport,
  attempt: {
    readonly failures: number;
    readonly signal: AbortSignal | undefined;
    readonly cause: unknown;
  },
): Promise<void> {
  if (attempt.failures > transport.reconnectAttempts) {
    const detail = "the stream broke off and the server could not be reached again";
    throw connectionError("connection_lost", detail, attempt.cause);
  }
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt.failures - 1), LONGEST_BACKOFF_MS);
  await transport.delay(backoffMs, attempt.signal ?? new AbortController().signal);
}

type Position = { readonly after: number; readonly signal: AbortSignal | undefined };

async function* eventsAfter(
  transport: Transport,
  runId: string,
  { after, signal }: Position,
): AsyncGenerator<RunEvent, void, undefined> {
  const response = await transport.send("runs.events", {
    path: { runId },
    accept: "text/event-stream",
    ...(after < 0 ? {} : { headers: { "last-event-id": String(after) } }),
    signal,
  });

  let last = after;
  for await (const message of serverSentEvents(bodyOf(response), transport)) {
    const event = parseData<RunEvent>(message.data);
    if (event.sequence <= last) continue;
    if (event.sequence !== last + 1) {
      throw connectionError("connection_lost", `event ${last + 1} of run ${runId} is missing`);
    }
    last = event.sequence;
    yield event;
  }
}

/**
 * Whether the run has nothing after `after`. A stream that ends without a terminal event may have
 * been asked to start behind it, or belong to a run whose recording stopped.
 */
async function endsAt(
  transport: Transport,
  runId: string,
  { after, signal }: Position,
): Promise<boolean> {
  const run = await transport.json("runs.get", { path: { runId }, signal });
  return isFinished(run.status) && after >= run.eventCount - 1;
}

/** The body of a stream's answer. */
export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "none";
  if (response.body === null || !type.startsWith("text/event-stream")) {
    throw connectionError("response_invalid", `expected an event stream, got ${type}`);
  }
  return response.body;
}

/** The JSON of one server-sent event. */
export function parseData<Data>(data: string): Data {
  try {
    return JSON.parse(data) as Data;
  } catch (error) {
    throw connectionError("response_invalid", "an event of the stream is not JSON", error);
  }
}
