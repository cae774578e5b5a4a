/**
 * Records one run: every event goes through one `emit`, gets its sequence, and is shown only once
 * committed.
 *
 * A store that fails stops the recording of this run, never the run: what happens afterwards still
 * reaches whoever follows the answer, without a sequence, because it can't be resumed.
 */

import {
  type BudgetRefusal,
  type ChatMessage,
  type JournalEntry,
  type RecordedInput,
  type RunEventDraft,
  type RunRecord,
  type RunResult,
  type SessionWrite,
  type StoredApproval,
  terminalEventTypes,
} from "@tracon/core";
import type { IterationJournal } from "../loop/run-loop.ts";
import type { RecordingStage } from "../telemetry/recording-metrics.ts";
import { BudgetEntries } from "./budget-entries.ts";
import { DeltaCoalescer, type DeltaKind } from "./delta-coalescer.ts";
import { deltaJson, eventJson, eventPrefix } from "./event-json.ts";
import type { EntryOutcome, JournalSource } from "./journal-writer.ts";
import { type PublishedEvent, unrecorded } from "./published-event.ts";
import type { RecorderHost, RecorderRun } from "./recorder-host.ts";
import { recordable } from "./recording-options.ts";
import { RunFold } from "./run-fold.ts";
import { isOneText } from "./run-input.ts";
import { conflictEvents, unsavedEvent } from "./session-failure.ts";

/** Called with events committed together. Must not throw and must not block. */
export type Subscriber = (events: readonly PublishedEvent[]) => void;

type Waiter = { readonly emitted: number; readonly resolve: () => void };

export class RunRecorder implements JournalSource, IterationJournal {
  /** What the run changes of its tree's budget; it goes with the run's next entry. */
  readonly budget: BudgetEntries;
  readonly #host: RecorderHost;
  readonly #run: RecorderRun;
  #input: RecordedInput;
  readonly #prefix: string;
  readonly #fold: RunFold;
  readonly #deltas: DeltaCoalescer;
  readonly #subscribers = new Set<Subscriber>();
  readonly #waiters: Waiter[] = [];
  readonly #endCallbacks = new Set<() => void>();
  #hasEnded = false;
  #iteration = 1;
  #sequence = 0;
  #committedSequence = -1;
  #emitted = 0;
  #settled = 0;
  #takenUpTo = 0;
  #isOpened = false;
  #isRecording = true;
  #lines = "";
  #firstPending = 0;
  #pending: PublishedEvent[] = [];
  #taken: PublishedEvent[] = [];
  /** Of `#taken`: it is written again in another form when it meets a conflict. */
  #takenEntry: JournalEntry | undefined;
  #session: SessionWrite | undefined;
  #openedApprovals: readonly StoredApproval[] = [];
  #refusal: Exclude<EntryOutcome, "committed"> | undefined;
  #ending: PublishedEvent | undefined;

  constructor(host: RecorderHost, run: RecorderRun) {
    this.#host = host;
    this.#run = run;
    this.#input = run.input;
    this.#prefix = eventPrefix(run.record.id);
    this.budget = new BudgetEntries({
      rootRunId: run.record.rootRunId ?? run.record.id,
      timestamp: host.timestamp,
      request: (isUrgent) => host.writer.request(this, isUrgent),
    });
    this.#fold = new RunFold(run.record, run.fold);
    this.#deltas = new DeltaCoalescer(host.deltaTimer, host.monotonicMs, (kind, step, text) =>
      this.#emitDelta(kind, step, text),
    );
  }

  /** Events up to this sequence are committed; −1 when none is. */
  get committedSequence(): number {
    return this.#committedSequence;
  }

  get fold(): RunFold {
    return this.#fold;
  }

  get result(): RunResult {
    return this.#fold.result();
  }

  /** The run's row as it stands, whether or not it could be written. */
  get record(): RunRecord {
    return { ...this.#run.record, ...this.#fold.change(this.#committedSequence + 1) };
  }

  /** Why recording stopped; absent while it goes on. */
  get refusal(): Exclude<EntryOutcome, "committed"> | undefined {
    return this.#refusal;
  }

  /** The run's terminal event, once shown. */
  get ending(): PublishedEvent | undefined {
    return this.#ending;
  }

  /** Replaces what was asked, before anything of the run was emitted. */
  replaceMessage(message: ChatMessage): void {
    this.#input = { ...this.#input, messages: [message] };
  }

  emit(draft: RunEventDraft): void {
    this.#deltas.flush();
    const timestamp = this.#host.timestamp();
    const event = this.#fold.apply(recordable(draft, this.#host.options), timestamp);
    this.#host.metrics?.tools.observe(event);
    const json = this.#isRecording
      ? eventJson(this.#prefix, this.#sequence, timestamp, event)
      : undefined;
    this.#add(event, timestamp, json);
  }

  /**
   * Emits what somebody else does for the run; nothing follows its last event. `isUrgent` is for what has
   * to leave with the next commit, because that one is made anyway.
   */
  tell(draft: RunEventDraft, isUrgent = false): void {
    if (this.#fold.hasEnded) return;
    this.emit(draft);
    if (isUrgent) this.#host.writer.request(this, true);
  }

  /**
   * Emits the run's last event; what it appends to its session and the approvals it opens are written
   * in the same commit.
   */
  finish(
    draft: RunEventDraft,
    { session, approvals = [] }: { session?: SessionWrite; approvals?: readonly StoredApproval[] },
  ): void {
    this.#session = session;
    this.#openedApprovals = approvals;
    const isLost = session !== undefined && !this.#isRecording;
    this.emit(isLost ? unsavedEvent(session, this.#fold.totals()) : draft);
  }

  beginIteration(iteration: number): void {
    this.#deltas.flush();
    this.#iteration = iteration;
    this.#fold.beginIteration(iteration);
  }

  textDelta(step: number, delta: string): void {
    this.#deltas.add("MessageDelta", step, delta);
  }

  reasoningDelta(step: number, delta: string): void {
    this.#deltas.add("ReasoningDelta", step, delta);
  }

  committed(): Promise<void> {
    this.#deltas.flush();
    if (this.#settled === this.#emitted) return Promise.resolve();
    this.#host.writer.request(this, true);
    return new Promise((resolve) => {
      this.#waiters.push({ emitted: this.#emitted, resolve });
    });
  }

  /** Follows the run from the next event on. Returns how to stop. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Calls back once, when the run's end is committed. Returns how to take that back. */
  onEnd(callback: () => void): () => void {
    if (this.#hasEnded) callback();
    else this.#endCallbacks.add(callback);
    return () => this.#endCallbacks.delete(callback);
  }

  /** The run's end is committed: nothing follows. */
  end(): void {
    this.#hasEnded = true;
    for (const callback of this.#endCallbacks) callback();
    this.#endCallbacks.clear();
  }

  take(): JournalEntry | undefined {
    const hasNothing = this.#isOpened && this.#lines === "" && this.budget.isEmpty;
    if (!this.#isRecording || hasNothing) {
      // The entry before this one is settled, so what is not for the journal need not wait.
      this.#publishUnrecorded();
      return undefined;
    }
    const { tenantId, record } = this.#run;
    // What was spent may be known only after the run's end, which is written already then.
    const isLate = this.#isOpened && this.#lines === "";
    const budget = this.budget.take();
    const entry: JournalEntry = {
      tenantId,
      runId: record.id,
      ...(this.#isOpened ? {} : { opened: { record, ...this.#recordedInput() } }),
      ...(this.#lines === "" ? {} : { events: this.#pendingLines() }),
      ...(isLate ? {} : this.#withEnd()),
      ...(budget === undefined ? {} : { budget }),
    };
    this.#takenEntry = entry;
    this.#isOpened = true;
    this.#taken = this.#pending;
    this.#pending = [];
    this.#takenUpTo = this.#emitted;
    this.#lines = "";
    this.#firstPending = this.#sequence;
    return entry;
  }

  settle(outcome: EntryOutcome, refusals: readonly BudgetRefusal[] = []): void {
    const taken = this.#taken;
    const entry = this.#takenEntry;
    this.#taken = [];
    this.#takenEntry = undefined;
    if (outcome === "conflict" && entry?.session !== undefined) {
      this.#endOtherwise(taken, entry, entry.session);
      return;
    }
    this.#settled = this.#takenUpTo;
    if (outcome === "committed") {
      this.#committedSequence = this.#firstPending - 1;
      this.budget.committed(refusals);
      this.#publish(taken);
      this.#releaseWaiters();
      return;
    }
    this.#host.metrics?.recording.failed(this.#stageOf(taken));
    this.#refusal = outcome;
    this.#stopRecording();
    this.#publish(this.#withoutSession(taken).map(unrecorded));
    // What was emitted after the entry that failed can't be recorded either; it is shown at once.
    this.#publishUnrecorded();
  }

  /**
   * The session has another last turn already: the run's end, and nothing else of it, is taken back, and
   * the run ends as one whose turn was not saved.
   */
  #endOtherwise(
    taken: readonly PublishedEvent[],
    { opened, events }: JournalEntry,
    session: SessionWrite,
  ): void {
    this.#session = undefined;
    this.#openedApprovals = [];
    this.budget.takeBack();
    this.#pending = taken.slice(0, -1);
    this.#isOpened = opened === undefined;
    if (events !== undefined) {
      this.#firstPending = events.firstSequence;
      this.#sequence = events.lastSequence;
      this.#lines = events.lines.slice(0, Math.max(events.lines.lastIndexOf("\n"), 0));
    }
    this.#fold.reopen();
    for (const event of conflictEvents(session, this.#fold.totals())) this.emit(event);
    this.#host.writer.request(this, true);
  }

  /** Who was told of a turn must find it in the session, so a run that cannot save it has failed. */
  #withoutSession(events: readonly PublishedEvent[]): readonly PublishedEvent[] {
    const session = this.#session;
    const last = events.at(-1);
    if (session === undefined || last === undefined) return events;
    if (!terminalEventTypes.has(last.event.type)) return events;
    this.#session = undefined;
    this.#fold.reopen();
    const event = unsavedEvent(session, this.#fold.totals());
    const { timestamp } = last;
    this.#fold.apply(event, timestamp);
    return [...events.slice(0, -1), { recorded: undefined, event, timestamp }];
  }

  #stageOf(refused: readonly PublishedEvent[]): RecordingStage {
    if (this.#committedSequence < 0) return "start";
    const isEnding = refused.some(({ event }) => terminalEventTypes.has(event.type));
    return isEnding ? "completion" : "event";
  }

  /** What goes with the run's first or last events only. */
  #withEnd(): Pick<JournalEntry, "changed" | "tally" | "session" | "approvals"> {
    return {
      ...(this.#fold.hasEnded
        ? { changed: this.#fold.change(this.#sequence), tally: this.#fold.tally(this.#sequence) }
        : {}),
      ...(this.#session === undefined ? {} : { session: this.#session }),
      ...this.#approvals(),
    };
  }

  /** The decisions the run takes with its first entry, and the approvals it opens with its last. */
  #approvals(): Pick<JournalEntry, "approvals"> {
    const claimed = this.#isOpened ? [] : (this.#run.claims ?? []);
    const opened = this.#openedApprovals;
    return claimed.length === 0 && opened.length === 0 ? {} : { approvals: { claimed, opened } };
  }

  #pendingLines(): NonNullable<JournalEntry["events"]> {
    const firstSequence = this.#firstPending;
    return { firstSequence, lastSequence: this.#sequence - 1, lines: this.#lines };
  }

  /** An input that is the text of the run's first event is not written twice. */
  #recordedInput(): { readonly input?: RecordedInput } {
    const isRecorded = this.#host.options.recordRunInput && !isOneText(this.#input);
    return isRecorded ? { input: this.#input } : {};
  }

  #emitDelta(kind: DeltaKind, step: number, text: string): void {
    const { recordMessageDeltas, recordReasoningDeltas } = this.#host.options;
    const kept = kind === "MessageDelta" ? recordMessageDeltas : recordReasoningDeltas;
    this.#fold.answering(step);
    const iteration = this.#iteration;
    const timestamp = this.#host.timestamp();
    const json =
      kept && this.#isRecording
        ? deltaJson(this.#prefix, this.#sequence, timestamp, { type: kind, text, iteration, step })
        : undefined;
    this.#add({ type: kind, text, payload: { iteration, step } }, timestamp, json);
  }

  #add(event: RunEventDraft, timestamp: string, json: string | undefined): void {
    const recorded =
      json === undefined ? undefined : { sequence: this.#sequence, type: event.type, json };
    const published: PublishedEvent = { recorded, event, timestamp };
    if (recorded === undefined && this.#settled === this.#emitted) {
      // Nothing before it waits for the disk, so it need not wait either.
      this.#publish([published]);
      return;
    }
    this.#emitted++;
    this.#pending.push(published);
    if (json !== undefined) {
      this.#lines = this.#lines === "" ? json : `${this.#lines}\n${json}`;
      this.#sequence++;
    }
    this.#host.writer.request(this, false);
  }

  #publish(events: readonly PublishedEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    if (terminalEventTypes.has(last.event.type)) this.#ending = last;
    for (const subscriber of this.#subscribers) subscriber(events);
  }

  #stopRecording(): void {
    this.#isRecording = false;
    this.#lines = "";
    this.budget.stopRecording();
  }

  #publishUnrecorded(): void {
    const events = this.#withoutSession(this.#pending).map(unrecorded);
    this.#pending = [];
    this.#settled = this.#emitted;
    this.#publish(events);
    this.#releaseWaiters();
  }

  #releaseWaiters(): void {
    while (this.#waiters[0] !== undefined && this.#waiters[0].emitted <= this.#settled) {
      this.#waiters.shift()?.resolve();
    }
  }
}
