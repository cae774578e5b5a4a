/**
 * Event sinks: code of the application that gets every event of every run of this process, once it is on
 * disk and in order.
 *
 * A sink can neither hold a run nor break another sink. What it has not taken yet waits in a queue of its
 * own; one that throws, falls too far behind, or is not done some time after the run has ended, gets
 * nothing more of that run. It is there again for the next one.
 */

import { faultText, type Log, type RunEvent } from "@tracon/core";
import type { Sleep } from "../model/ring.ts";
import type { PublishedEvent } from "./published-event.ts";
import type { RunRecorder } from "./recorder.ts";

/** Gets the events of runs, to send them elsewhere or to react to them. */
export type EventSink = {
  /** For the log. */
  readonly name: string;
  /**
   * Takes one event. It is called while runs go on, so it must not take long by itself; it may give a
   * promise, and gets the run's next event when that is fulfilled. Events are shared and cannot be
   * changed. When it throws or rejects, it gets nothing more of that run.
   */
  onEvent(event: RunEvent, run: { readonly tenantId: string }): PromiseLike<void> | void;
};

/** Events of one run waiting for one sink. A sink that sends them elsewhere batches what it is given. */
const MAX_WAITING = 1_000;
/** How long a sink may still work on what a run left, once that has ended. */
const LAST_EVENTS_MS = 10_000;

type SinkHost = {
  readonly sleep: Sleep;
  /** A sink was dropped for a run. */
  readonly failed: () => void;
  readonly log: Log;
};
type FollowedRun = { readonly tenantId: string; readonly runId: string };

export class EventSinks {
  readonly #sinks: readonly EventSink[];
  readonly #host: SinkHost;
  readonly #ending = new Set<Promise<void>>();

  constructor(sinks: readonly EventSink[], host: SinkHost) {
    this.#sinks = sinks;
    this.#host = host;
  }

  /** Gives every event of a run to every sink, from the first one that is committed from now on. */
  follow(recorder: RunRecorder, run: FollowedRun): void {
    if (this.#sinks.length === 0) return;
    const feeds = this.#sinks.map((sink) => new SinkFeed(sink, run, this.#host));
    recorder.subscribe((published) => {
      const events = published.flatMap(recordedEvent);
      if (events.length > 0) for (const feed of feeds) feed.push(events);
    });
    recorder.onEnd(() => {
      for (const feed of feeds) this.#track(feed.end());
    });
  }

  /** Resolves once no sink has anything left of a run that has ended. */
  async idle(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  #track(ending: Promise<void> | undefined): void {
    if (ending === undefined) return;
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }
}

/** One sink's place in one run. */
class SinkFeed {
  readonly #sink: EventSink;
  readonly #run: FollowedRun;
  readonly #host: SinkHost;
  #waiting: RunEvent[] = [];
  #isBusy = false;
  #isDropped = false;
  #idle: (() => void) | undefined;

  constructor(sink: EventSink, run: FollowedRun, host: SinkHost) {
    this.#sink = sink;
    this.#run = run;
    this.#host = host;
  }

  push(events: readonly RunEvent[]): void {
    if (this.#isDropped) return;
    this.#waiting.push(...events);
    this.#give();
    if (this.#waiting.length > MAX_WAITING)
      this.#drop(`more than ${MAX_WAITING} events wait for it`);
  }

  /** The run has ended. The promise ends with the sink's work on it; there is none when that is done. */
  end(): Promise<void> | undefined {
    if (!this.#isBusy || this.#isDropped) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    return this.#waitFor(promise);
  }

  async #waitFor(idle: Promise<void>): Promise<void> {
    const done = new AbortController();
    const late = this.#host.sleep(LAST_EVENTS_MS, done.signal).then(
      () => this.#drop("it did not end with the run"),
      () => undefined,
    );
    await Promise.race([idle, late]);
    done.abort();
  }

  /** Gives what waits: at once as long as the sink gives no promise, one after the other otherwise. */
  #give(): void {
    while (!this.#isBusy) {
      const event = this.#waiting.shift();
      if (event === undefined) {
        this.#idle?.();
        return;
      }
      try {
        const taken = this.#sink.onEvent(event, { tenantId: this.#run.tenantId });
        if (isPromise(taken)) this.#await(taken);
      } catch (error) {
        this.#drop(faultText(error));
      }
    }
  }

  #await(taken: PromiseLike<void>): void {
    this.#isBusy = true;
    taken.then(
      () => {
        this.#isBusy = false;
        this.#give();
      },
      (error) => {
        this.#isBusy = false;
        this.#drop(faultText(error));
      },
    );
  }

  #drop(reason: string): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#waiting = [];
    this.#host.failed();
    this.#host.log.warn("an event sink gets nothing more of a run", {
      sink: this.#sink.name,
      runId: this.#run.runId,
      error: reason,
    });
    this.#idle?.();
  }
}

const isPromise = (value: unknown): value is PromiseLike<void> =>
  value !== null && typeof value === "object" && typeof Reflect.get(value, "then") === "function";

/** Made of the text that is on disk, so that nobody can change what the run or another sink sees. */
function recordedEvent({ recorded }: PublishedEvent): readonly RunEvent[] {
  return recorded === undefined ? [] : [frozen(JSON.parse(recorded.json) as RunEvent)];
}

function frozen<Value>(value: Value): Value {
  if (value === null || typeof value !== "object") return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
