/**
 * Follows a run's journal from any sequence, live or past, in one way: the store up to where it has
 * got, then memory as it is committed. A run of another process is read from the store until it ends.
 */

import { isFinalStatus, type RunStore, terminalEventTypes } from "@tracon/core";
import { EventQueue } from "./event-queue.ts";
import type { PastEvents } from "./past-events.ts";
import { type PublishedEvent, publishedOf } from "./published-event.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import type { RunRecorder } from "./recorder.ts";

/** Pause between looks at a run that another process runs. */
const POLL_MS = 250;

export type FollowRequest = {
  readonly runs: RunStore;
  readonly past: PastEvents;
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
type Reads = Pick<FollowRequest, "past" | "tenantId" | "runId"> & {
  readonly signal?: AbortSignal;
};

/** Yields batches of consecutive events and ends with the run's terminal event. */
export async function* followRun(request: FollowRequest): Batches {
  const { recorder, signal } = request;
  const cursor = { after: request.after };
  if (recorder === undefined) return yield* storedBatches(request, cursor);
  const subscription = subscribe(recorder);
  signal.addEventListener("abort", subscription.close, { once: true });
  try {
    for await (const events of publishedBatches(request, subscription, cursor)) {
      const recorded = events.flatMap((event) => event.recorded ?? []);
      if (recorded.length > 0) yield recorded;
    }
  } finally {
    signal.removeEventListener("abort", subscription.close);
    subscription.close();
  }
}

/** A follower's place in the live events of a run. */
export type Subscription = {
  readonly recorder: RunRecorder;
  readonly queue: EventQueue;
  /** Events were committed before it, so it begins with the store. */
  readonly isLate: boolean;
  /** Leaves the run. What is queued can still be taken. */
  readonly close: () => void;
};

/** Follows a run from its next event on. */
export function subscribe(recorder: RunRecorder): Subscription {
  const queue = new EventQueue();
  const unsubscribe = recorder.subscribe((events) => queue.push(events));
  const close = () => {
    unsubscribe();
    forget();
    queue.close();
  };
  const forget = recorder.onEnd(() => queue.close());
  return { recorder, queue, isLate: recorder.committedSequence >= 0, close };
}

/**
 * Every event after the cursor as it was published, those that are not recorded among them, until
 * the run has ended, the subscription is closed or `signal` fires.
 */
export async function* publishedBatches(
  reads: Reads,
  { recorder, queue, isLate }: Subscription,
  cursor: Cursor,
): AsyncGenerator<readonly PublishedEvent[]> {
  let mustCatchUp = isLate;
  while (reads.signal?.aborted !== true) {
    if (mustCatchUp) yield* catchUp(reads, cursor, recorder.committedSequence);
    await queue.ready();
    const { events, overflowed } = queue.take();
    mustCatchUp = overflowed;
    const fresh = events.filter(
      ({ recorded }) => recorded === undefined || recorded.sequence > cursor.after,
    );
    if (fresh.length > 0) yield advance(cursor, fresh);
    else if (queue.isClosed && !overflowed && events.length === 0) return;
  }
}

async function* catchUp(
  reads: Reads,
  cursor: Cursor,
  upTo: number,
): AsyncGenerator<readonly PublishedEvent[]> {
  while (cursor.after < upTo && reads.signal?.aborted !== true) {
    const page = await reads.past.page(reads.tenantId, reads.runId, cursor.after);
    if (page.length === 0) return;
    yield advance(cursor, page.map(publishedOf));
  }
}

async function* storedBatches(request: FollowRequest, cursor: Cursor): Batches {
  let isLast = false;
  while (!request.signal.aborted) {
    const page = await request.past.page(request.tenantId, request.runId, cursor.after);
    if (page.length > 0) {
      cursor.after = page.at(-1)?.sequence ?? cursor.after;
      yield page;
      if (page.some(({ type }) => terminalEventTypes.has(type))) return;
    } else if (isLast) return;
    // Between a look at the events and a look at the row the last events may have come.
    else if (await hasEnded(request)) isLast = true;
    else await pause(request.signal);
  }
}

function advance(cursor: Cursor, events: readonly PublishedEvent[]): readonly PublishedEvent[] {
  const last = events.findLast(({ recorded }) => recorded !== undefined);
  cursor.after = last?.recorded?.sequence ?? cursor.after;
  return events;
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
