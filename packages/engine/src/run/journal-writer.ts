/**
 * Writes the journal of all runs of the process in groups.
 *
 *     idle ──urgent──▶ scheduled (this tick) ─▶ flushing ─▶ idle
 *       └───lazy────▶ scheduled (LAZY_MS) ────▶    │
 *                                                  └─ more pending ─▶ flushing
 *
 * One commit is under way at a time; whoever cannot wait leaves with the next, so concurrent runs share
 * a commit without a timer. What nobody waits for is held back for a moment: most of it then leaves
 * in the entry its own run needs anyway, and deltas never get a commit each.
 */

import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import {
  type BudgetRefusal,
  type CommitOutcome,
  type ErrorCode,
  faultText,
  type JournalEntry,
  type Log,
  type RunJournal,
  TraconError,
} from "@tracon/core";

/** A run with something to write. */
export type JournalSource = {
  /**
   * Takes everything pending as one entry, just before the commit; `undefined` when nothing of it is
   * for the journal. Must not throw.
   */
  take(): JournalEntry | undefined;
  /**
   * What became of the entry just taken. `refusals` are the reservations of its batch there was no
   * room for. Must not throw.
   */
  settle(outcome: EntryOutcome, refusals?: readonly BudgetRefusal[]): void;
};

/**
 * An entry is on disk, or could not be written. `conflict`: something it depends on has changed, so
 * it was refused alone, and the run can write another one in its place.
 */
export type EntryOutcome = "committed" | "refused" | "conflict";

/** What the store calls a conflict. */
const CONFLICTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "session_conflict",
  "approval_conflict",
]);

/** An entry on its way to the disk. */
type Taken = { readonly source: JournalSource; readonly entry: JournalEntry };

/** How long a delta may wait for company. Shorter than a person sees, longer than a commit takes. */
const LAZY_MS = 4;
/** Entries in one commit, so that a crowd cannot make one commit take a second. */
const MAX_ENTRIES = 512;

export class JournalWriter {
  readonly #journal: RunJournal;
  readonly #log: Log;
  /** Leave with the next commit. */
  readonly #pending = new Set<JournalSource>();
  /** Wait for company: most of them are joined by something that cannot wait. */
  readonly #lazy = new Set<JournalSource>();
  #flushing = false;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idleWaiters: (() => void)[] = [];

  constructor(journal: RunJournal, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Asks for a commit: at once when somebody waits for it, soon otherwise. */
  request(source: JournalSource, urgent: boolean): void {
    if (urgent) {
      this.#lazy.delete(source);
      this.#pending.add(source);
      this.#schedule();
    } else if (!this.#pending.has(source)) {
      this.#lazy.add(source);
      this.#timer ??= setTimeout(() => this.#hurry(), LAZY_MS);
    }
  }

  /** Resolves once nothing is pending. */
  async idle(): Promise<void> {
    if (this.#pending.size === 0 && this.#lazy.size === 0 && !this.#flushing) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  #hurry(): void {
    this.#timer = undefined;
    for (const source of this.#lazy) this.#pending.add(source);
    this.#lazy.clear();
    if (this.#pending.size > 0) this.#schedule();
    else this.#releaseIdle();
  }

  #schedule(): void {
    if (this.#flushing) return;
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      // A commit is of many runs: its spans must not become those of the run that asked first.
      void context.with(ROOT_CONTEXT, () => this.#flush());
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#pending.size > 0) await this.#commit(this.#takePending());
    this.#flushing = false;
    this.#releaseIdle();
  }

  #releaseIdle(): void {
    if (this.#lazy.size > 0 || this.#flushing) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  #takePending(): readonly Taken[] {
    const taken: Taken[] = [];
    for (const source of this.#pending) {
      if (taken.length === MAX_ENTRIES) break;
      this.#pending.delete(source);
      const entry = source.take();
      if (entry !== undefined) taken.push({ source, entry });
    }
    return taken;
  }

  async #commit(taken: readonly Taken[]): Promise<void> {
    if (taken.length === 0) return;
    const { outcome, error } = await this.#write(taken.map(({ entry }) => entry));
    if (error === undefined) {
      for (const { source } of taken) source.settle("committed", outcome?.refusals);
    } else if (taken.length === 1 || TraconError.is(error, "store_unavailable")) {
      // A store that does not answer would let each of them wait for it in turn.
      for (const each of taken) this.#refuse(each, error);
    } else {
      // One run's entry must not take the others' with it: each gets a commit of its own.
      for (const each of taken) await this.#commit([each]);
    }
  }

  async #write(
    entries: readonly JournalEntry[],
  ): Promise<{ readonly outcome?: CommitOutcome; readonly error?: Error }> {
    try {
      return { outcome: await this.#journal.commit(entries) };
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(faultText(error)) };
    }
  }

  #refuse({ source, entry: { runId } }: Taken, error: Error): void {
    if (TraconError.is(error) && CONFLICTS.has(error.code)) {
      source.settle("conflict");
      return;
    }
    this.#log.error("a run can no longer be recorded", { runId, error: faultText(error) });
    source.settle("refused");
  }
}
