/**
 * Events on their way to one follower: what was committed together arrives together.
 *
 * The queue is bounded. A follower that falls behind loses the queue, not events: it goes on from
 * the store at the sequence it has reached.
 */

import type { PublishedEvent } from "./recorder.ts";

/** Text waiting for one slow follower, in UTF-16 units, before it must read from the store. */
const MAX_QUEUED_LENGTH = 1_048_576;

export class EventQueue {
  #events: PublishedEvent[] = [];
  #queuedLength = 0;
  #wake: (() => void) | undefined;
  #overflowed = false;
  #closed = false;

  /** Recorded events beyond the bound are dropped; unrecorded ones exist nowhere else and are kept. */
  push(events: readonly PublishedEvent[]): void {
    if (this.#closed) return;
    for (const event of events) {
      const length = event.recorded?.json.length ?? 0;
      if (length > 0 && (this.#overflowed || this.#queuedLength + length > MAX_QUEUED_LENGTH)) {
        this.#overflowed = true;
        continue;
      }
      this.#queuedLength += length;
      this.#events.push(event);
    }
    this.#wakeUp();
  }

  close(): void {
    this.#closed = true;
    this.#wakeUp();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Events were dropped since the last `take`, so later ones must come from the store. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Takes what has arrived. `overflowed` says that what follows must come from the store. */
  take(): { readonly events: readonly PublishedEvent[]; readonly overflowed: boolean } {
    const taken = { events: this.#events, overflowed: this.#overflowed };
    this.#events = [];
    this.#queuedLength = 0;
    this.#overflowed = false;
    return taken;
  }

  /** Yields what arrives until the queue is closed and empty, or has overflowed. */
  async *batches(): AsyncGenerator<readonly PublishedEvent[]> {
    for (;;) {
      await this.ready();
      const events = this.#events;
      this.#events = [];
      this.#queuedLength = 0;
      if (events.length > 0) yield events;
      if (this.#overflowed || (this.#closed && this.#events.length === 0)) return;
    }
  }

  /** Resolves when there is something to take or the queue is closed. */
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
