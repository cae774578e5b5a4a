/**
 * Writes the journal of all runs of the process in groups.
 *
 *     idle ──urgent──▶ scheduled (this tick) ─▶ flushing ─▶ idle
 *       └───lazy────▶ scheduled (LAZY_MS) ────▶    │
 *                                                  └─ more pending ─▶ flushing
 *
 * One commit is under way at a time; whatever arrives meanwhile leaves with the next. So concurrent
 * runs share a commit without anyone waiting for a timer, and deltas never get a commit each.
 */

import type { JournalEntry, Log, RunJournal } from "@tracon/core";

/** A run with something to write. */
export type JournalSource = {
  /** Takes everything pending as one entry. Called once for each request, just before the commit. */
  take(): JournalEntry;
  /** The entry just taken is on disk, or could not be written. */
  settle(error: unknown): void;
};

/** How long a delta may wait for company. Shorter than a person sees, longer than a commit takes. */
const LAZY_MS = 4;
/** Entries in one commit, so that a crowd cannot make one commit take a second. */
const MAX_ENTRIES = 512;

export class JournalWriter {
  readonly #journal: RunJournal;
  readonly #log: Log;
  #pending = new Set<JournalSource>();
  #flushing = false;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #urgent = false;
  #idleWaiters: (() => void)[] = [];

  constructor(journal: RunJournal, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Asks for a commit: at once when somebody waits for it, soon otherwise. */
  request(source: JournalSource, urgent: boolean): void {
    this.#pending.add(source);
    if (urgent) this.#urgent = true;
    if (this.#flushing || this.#immediate !== undefined) return;
    if (urgent) this.#schedule();
    else this.#timer ??= setTimeout(() => this.#schedule(), LAZY_MS);
  }

  /** Resolves once nothing is pending. */
  async idle(): Promise<void> {
    if (this.#pending.size === 0 && !this.#flushing) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#flushing) return;
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    do {
      this.#urgent = false;
      const sources = this.#takePending();
      await this.#commit(
        sources,
        sources.map((source) => source.take()),
      );
    } while (this.#urgent);
    this.#flushing = false;
    if (this.#pending.size > 0) this.#timer ??= setTimeout(() => this.#schedule(), LAZY_MS);
    else for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  #takePending(): readonly JournalSource[] {
    const sources = [...this.#pending];
    if (sources.length <= MAX_ENTRIES) {
      this.#pending.clear();
      return sources;
    }
    const taken = sources.slice(0, MAX_ENTRIES);
    this.#pending = new Set(sources.slice(MAX_ENTRIES));
    this.#urgent = true;
    return taken;
  }

  async #commit(
    sources: readonly JournalSource[],
    entries: readonly JournalEntry[],
  ): Promise<void> {
    try {
      await this.#journal.commit(entries);
      for (const source of sources) source.settle(undefined);
    } catch (error) {
      if (entries.length === 1) return this.#refuse(sources[0], error);
      // One run's entry must not take the others' with it: each gets a commit of its own.
      for (const [index, source] of sources.entries()) {
        await this.#commit([source], entries.slice(index, index + 1));
      }
    }
  }

  #refuse(source: JournalSource | undefined, error: unknown): void {
    this.#log.error("a run can no longer be recorded", { error: String(error) });
    source?.settle(error);
  }
}
