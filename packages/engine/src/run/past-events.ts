/**
 * Events read from the store, shared by everyone who follows the same run of the past.
 *
 * Only pages that can't change any more are kept: full ones, and the one that ends a run. Followers
 * get the very same event objects, so what is made of them (the bytes of a stream) is shared too.
 * Whether the run is still there is asked elsewhere, with every follower.
 */

import { type RunStore, terminalEventTypes } from "@tracon/core";
import { type RecordedEvent, recordedOf } from "./recorded-event.ts";

/** Events of a page. */
const PAGE = 500;
/** Text kept, in UTF-16 units: what a few hundred followers of one run are spread over. */
const MAX_TEXT = 4_194_304;

type Page = { readonly events: readonly RecordedEvent[]; readonly length: number };

export class PastEvents {
  readonly #runs: RunStore;
  /** The least recently read first. */
  readonly #pages = new Map<string, Page>();
  #length = 0;
  readonly #reads = new Map<string, Promise<readonly RecordedEvent[]>>();

  constructor(runs: RunStore) {
    this.#runs = runs;
  }

  /** The events after a sequence, as many as a page holds; empty at the end of what is there. */
  async page(tenantId: string, runId: string, after: number): Promise<readonly RecordedEvent[]> {
    const key = JSON.stringify([tenantId, runId, after]);
    const kept = this.#pages.get(key);
    if (kept !== undefined) {
      this.#pages.delete(key);
      this.#pages.set(key, kept);
      return kept.events;
    }
    const underWay = this.#reads.get(key);
    if (underWay !== undefined) return underWay;
    const read = this.#read(key, tenantId, runId, after);
    this.#reads.set(key, read);
    return read;
  }

  async #read(
    key: string,
    tenantId: string,
    runId: string,
    after: number,
  ): Promise<readonly RecordedEvent[]> {
    try {
      const stored = await this.#runs.events(tenantId, runId, { after, take: PAGE });
      const events = stored.map(recordedOf);
      if (isComplete(events)) this.#keep(key, events);
      return events;
    } finally {
      this.#reads.delete(key);
    }
  }

  #keep(key: string, events: readonly RecordedEvent[]): void {
    const length = events.reduce((sum, { json }) => sum + json.length, 0);
    if (length > MAX_TEXT) return;
    this.#drop(key);
    this.#pages.set(key, { events, length });
    this.#length += length;
    for (const oldest of this.#pages.keys()) {
      if (this.#length <= MAX_TEXT) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#length -= this.#pages.get(key)?.length ?? 0;
    this.#pages.delete(key);
  }
}

function isComplete(events: readonly RecordedEvent[]): boolean {
  const last = events.at(-1);
  return events.length === PAGE || (last !== undefined && terminalEventTypes.has(last.type));
}
