/**
 * Events on their way to one follower: what was committed together arrives together.
 *
 * The queue is bounded. A follower that falls behind loses what is queued after the bound, not
 * recorded events: it goes on from the store at the sequence it has reached. Deltas that are not
 * recorded exist nowhere else, so a follower that falls behind misses those.
 */

import type { PublishedEvent } from "./published-event.ts";

/** Text waiting for one slow follower, in UTF-16 units, before it must read from the store. */
const MAX_QUEUED_LENGTH = 1_048_576;
/** What an event takes besides its text, so that a million empty ones are not free. */
const EVENT_LENGTH = 64;

export type QueuedEvents = {
  readonly events: readonly PublishedEvent[];
  /** Later events were dropped: what follows must come from the store. */
  readonly overflowed: boolean;
};

export class EventQueue {
  #events: PublishedEvent[] = [];
  #queuedLength = 0;
  #wake: (() => void) | undefined;
  #overflowed = false;
  #closed = false;

  push(events: readonly PublishedEvent[]): void {
    if (this.#closed || this.#overflowed) return;
    for (const event of events) {
      this.#queuedLength += lengthOf(event);
      if (this.#queuedLength > MAX_QUEUED_LENGTH) {
        this.#overflowed = true;
        break;
      }
      this.#events.push(event);
    }
    this.#wakeUp();
  }

  /** Nothing is added any more; what is queued can still be taken. */
  close(): void {
    this.#closed = true;
    this.#wakeUp();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Takes what has arrived. */
  take(): QueuedEvents {
    const taken = { events: this.#events, overflowed: this.#overflowed };
    this.#events = [];
    this.#queuedLength = 0;
    this.#overflowed = false;
    return taken;
  }

  /** Resolves when there is something to take or the queue is closed. For one reader at a time. */
  async ready(): Promise<void> {
    if (this.#events.length > 0 || this.#overflowed || this.#closed) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

const lengthOf = ({ recorded, event }: PublishedEvent): number =>
  EVENT_LENGTH + (recorded?.json.length ?? event.text?.length ?? 0);
