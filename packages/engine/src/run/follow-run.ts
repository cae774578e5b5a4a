/**
 * Follows a run's journal from any sequence, live or past, in one way: the store up to where it has
 * got, then memory as it is committed. A run of another process is read from the store until it ends.
 */

import type { RunEventType } from "@tracon/core";
import { isFinalStatus, type RunStore, type StoredEvent, terminalEventTypes } from "@tracon/core";
import { EventQueue } from "./event-queue.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import type { RunRecorder } from "./recorder.ts";

/** Events read from the store at once. */
const PAGE = 500;
/** Pause between looks at a run that another process runs. */
const POLL_MS = 250;

export type FollowRequest = {
  readonly runs: RunStore;
  readonly tenantId: string;
  readonly runId: string;
  /** The recorder when this process runs it. */
  readonly recorder: RunRecorder | undefined;
  /** Events after this sequence; −1 from the start. */
  readonly after: number;
  readonly signal: AbortSignal;
};

/** The last sequence a follower has got. */
type Cursor = { after: number };
type Batches = AsyncGenerator<readonly RecordedEvent[]>;

/** Yields batches of consecutive events and ends with the run's terminal event. */
export async function* followRun(request: FollowRequest): Batches {
  const cursor = { after: request.after };
  const { recorder } = request;
  const batches =
    recorder === undefined
      ? storedBatches(request, cursor)
      : liveBatches(request, recorder, cursor);
  for await (const batch of batches) {
    yield batch;
    if (batch.some(({ type }) => terminalEventTypes.has(type))) return;
  }
}

async function* liveBatches(
  request: FollowRequest,
  recorder: RunRecorder,
  cursor: Cursor,
): Batches {
  const queue = new EventQueue();
  const stop = () => queue.close();
  const unsubscribe = recorder.subscribe((events) => queue.push(events));
  recorder.onEnd(stop);
  request.signal.addEventListener("abort", stop, { once: true });
  try {
    yield* catchUp(request, cursor, recorder.committedSequence);
    while (!request.signal.aborted) {
      await queue.ready();
      const { events, overflowed } = queue.take();
      const live = events.flatMap(({ recorded }) =>
        recorded !== undefined && recorded.sequence > cursor.after ? [recorded] : [],
      );
      if (live.length > 0) yield advance(cursor, live);
      else if (queue.isClosed && !overflowed) break;
      if (overflowed) yield* catchUp(request, cursor, recorder.committedSequence);
    }
  } finally {
    unsubscribe();
    request.signal.removeEventListener("abort", stop);
  }
}

async function* catchUp(request: FollowRequest, cursor: Cursor, upTo: number): Batches {
  while (cursor.after < upTo && !request.signal.aborted) {
    const page = await readPage(request, cursor.after);
    if (page.length === 0) return;
    yield advance(cursor, page);
  }
}

async function* storedBatches(request: FollowRequest, cursor: Cursor): Batches {
  let isLast = false;
  while (!request.signal.aborted) {
    const page = await readPage(request, cursor.after);
    if (page.length > 0) yield advance(cursor, page);
    else if (isLast) return;
    // Between a look at the events and a look at the row the last events may have come.
    else if (await hasEnded(request)) isLast = true;
    else await pause(request.signal);
  }
}

function advance(cursor: Cursor, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  cursor.after = events.at(-1)?.sequence ?? cursor.after;
  return events;
}

async function readPage(
  { runs, tenantId, runId }: FollowRequest,
  after: number,
): Promise<readonly RecordedEvent[]> {
  const events = await runs.events(tenantId, runId, { after, take: PAGE });
  return events.map(recordedOf);
}

/** Where the type stands in an event's text: after run id and sequence, which hold no quotes inside. */
const TYPE = /"type":"(\w+)"/;

/** An event of the store as followers get it. */
export function recordedOf({ sequence, json }: StoredEvent): RecordedEvent {
  const type = (TYPE.exec(json)?.[1] ?? "Custom") as RunEventType;
  return { sequence, type, json };
}

async function hasEnded({ runs, tenantId, runId }: FollowRequest): Promise<boolean> {
  const record = await runs.get(tenantId, runId);
  return record === undefined || isFinalStatus(record.status);
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, POLL_MS);
    signal.addEventListener("abort", done, { once: true });
  });
}
