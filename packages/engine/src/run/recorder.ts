/**
 * Records one run: every event goes through one `emit`, gets its sequence, and is shown only once
 * committed.
 *
 * A store that fails stops the recording of this run, never the run: what happens afterwards still
 * reaches whoever follows the answer, without a sequence, because it can't be resumed.
 */

import type {
  ChatMessage,
  JournalEntry,
  ModelPrice,
  RunEvent,
  RunEventDraft,
  RunRecord,
  RunResult,
  ToolInvocation,
} from "@tracon/core";
import type { TurnJournal } from "../turn/step.ts";
import { DeltaCoalescer, type DeltaKind, type DeltaTimer } from "./delta-coalescer.ts";
import { deltaJson, eventJson, eventPrefix } from "./event-json.ts";
import type { JournalSource, JournalWriter } from "./journal-writer.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { RunFold } from "./run-fold.ts";

/** What is recorded of runs. */
export type RecordingOptions = {
  /** Text deltas. Default true. */
  readonly recordMessageDeltas: boolean;
  /** Reasoning deltas. Default false: they are streamed but not kept. */
  readonly recordReasoningDeltas: boolean;
  /** Arguments and results of tool calls. Default true. */
  readonly recordToolPayloads: boolean;
  /** What the run was asked. Default true. */
  readonly recordRunInput: boolean;
  /** Longest recorded argument or result text in UTF-16 units; 0 keeps all. Default 8,192. */
  readonly maxPayloadLength: number;
};

/** An event on its way to followers. Unrecorded events have no sequence and no JSON text. */
export type PublishedEvent = {
  readonly recorded: RecordedEvent | undefined;
  readonly event: RunEventDraft;
  readonly timestamp: string;
};

/** An event read back from the journal, as it was published. */
export function publishedOf(recorded: RecordedEvent): PublishedEvent {
  const event = JSON.parse(recorded.json) as RunEvent;
  return { recorded, event, timestamp: event.timestamp };
}

/** Called with events committed together. Must not throw and must not block. */
export type Subscriber = (events: readonly PublishedEvent[]) => void;

/** What all recorders of a process share. */
export type RecorderHost = {
  readonly writer: JournalWriter;
  readonly deltaTimer: DeltaTimer;
  readonly timestamp: () => string;
  readonly monotonicMs: () => number;
  readonly options: RecordingOptions;
};

export type RecorderRun = {
  readonly tenantId: string;
  readonly record: RunRecord;
  readonly input: readonly ChatMessage[];
  readonly price: ModelPrice | undefined;
};

type Waiter = { readonly emitted: number; readonly resolve: () => void };

export class RunRecorder implements JournalSource, TurnJournal {
  readonly #host: RecorderHost;
  readonly #run: RecorderRun;
  readonly #prefix: string;
  readonly #fold: RunFold;
  readonly #deltas: DeltaCoalescer;
  readonly #subscribers = new Set<Subscriber>();
  readonly #waiters: Waiter[] = [];
  readonly #endCallbacks: (() => void)[] = [];
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
  #toolInvocations: ToolInvocation[] = [];

  constructor(host: RecorderHost, run: RecorderRun) {
    this.#host = host;
    this.#run = run;
    this.#prefix = eventPrefix(run.record.id);
    this.#fold = new RunFold(run.record, run.price);
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

  emit(draft: RunEventDraft): void {
    this.#deltas.flush();
    const event = this.#withinLimits(draft);
    const timestamp = this.#host.timestamp();
    const invocation = this.#fold.apply(event, timestamp);
    if (invocation !== undefined) this.#toolInvocations.push(invocation);
    const json = this.#isRecording
      ? eventJson(this.#prefix, this.#sequence, timestamp, event)
      : undefined;
    this.#add(event, timestamp, json);
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

  /** Calls back once, when the run's end is committed. */
  onEnd(callback: () => void): void {
    if (this.#hasEnded) callback();
    else this.#endCallbacks.push(callback);
  }

  /** The run's end is committed: nothing follows. */
  end(): void {
    this.#hasEnded = true;
    for (const callback of this.#endCallbacks.splice(0)) callback();
  }

  take(): JournalEntry {
    const { tenantId, record, input } = this.#run;
    this.#taken = this.#pending;
    this.#pending = [];
    this.#takenUpTo = this.#emitted;
    const opened = this.#isOpened ? undefined : { record, ...this.#input(input) };
    this.#isOpened = true;
    const toolInvocations = this.#toolInvocations;
    this.#toolInvocations = [];
    const lines = this.#lines;
    const firstSequence = this.#firstPending;
    this.#lines = "";
    this.#firstPending = this.#sequence;
    return {
      tenantId,
      runId: record.id,
      ...(opened === undefined ? {} : { opened }),
      ...(lines === ""
        ? {}
        : { events: { firstSequence, lastSequence: this.#sequence - 1, lines } }),
      toolInvocations,
      ...(this.#fold.hasEnded ? { changed: this.#fold.change(this.#sequence) } : {}),
    };
  }

  settle(error: unknown): void {
    const published = error === undefined ? this.#taken : this.#taken.map(unrecorded);
    this.#taken = [];
    this.#settled = this.#takenUpTo;
    if (error === undefined) this.#committedSequence = this.#firstPending - 1;
    else this.#stopRecording();
    this.#publish(published);
    this.#releaseWaiters();
    if (error !== undefined) this.#publishUnrecorded();
  }

  #input(messages: readonly ChatMessage[]): { readonly input?: readonly ChatMessage[] } {
    return this.#host.options.recordRunInput ? { input: messages } : {};
  }

  #emitDelta(kind: DeltaKind, step: number, text: string): void {
    const { recordMessageDeltas, recordReasoningDeltas } = this.#host.options;
    const kept = kind === "MessageDelta" ? recordMessageDeltas : recordReasoningDeltas;
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

  #withinLimits(event: RunEventDraft): RunEventDraft {
    const { recordToolPayloads, maxPayloadLength } = this.#host.options;
    if (event.type === "ToolInvoking") {
      const { arguments: value, ...payload } = event.payload;
      if (!recordToolPayloads) return { type: event.type, payload };
      return { type: event.type, payload: { ...payload, arguments: cut(value, maxPayloadLength) } };
    }
    if (event.type === "ToolInvoked") {
      const { result, ...payload } = event.payload;
      if (!recordToolPayloads) return { type: event.type, payload };
      return { type: event.type, payload: { ...payload, result: cut(result, maxPayloadLength) } };
    }
    return event;
  }

  #publish(events: readonly PublishedEvent[]): void {
    if (events.length === 0) return;
    for (const subscriber of this.#subscribers) subscriber(events);
  }

  #stopRecording(): void {
    this.#isRecording = false;
    this.#lines = "";
    this.#toolInvocations = [];
  }

  /** What was emitted after the entry that failed can't be recorded either; it is shown at once. */
  #publishUnrecorded(): void {
    const events = this.#pending.map(unrecorded);
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

const unrecorded = ({ event, timestamp }: PublishedEvent): PublishedEvent => ({
  recorded: undefined,
  event,
  timestamp,
});

function cut(text: string | undefined, maxLength: number): string | undefined {
  if (text === undefined || maxLength === 0 || text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}… [${text.length - maxLength} more characters]`;
}
