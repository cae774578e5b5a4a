/**
 * A run of this process, from its start event to its terminal one. Exactly one terminal event is
 * written, whatever happens: an answer, a fault, a cancellation.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  type Clock,
  type Log,
  type RunError,
  type RunFrame,
  type RunResult,
  TraconError,
} from "@tracon/core";
import type { CompiledAgent } from "../compile/compile-agent.ts";
import { classOfFault } from "../model/provider-fault.ts";
import { runTurn } from "../turn/turn.ts";
import { EventQueue } from "./event-queue.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { type PublishedEvent, publishedOf, type RunRecorder } from "./recorder.ts";
import { type FrameContext, frameOf } from "./run-frames.ts";
import type { RunHandle } from "./runs.ts";

export type LiveRunOptions = {
  readonly agent: CompiledAgent;
  readonly message: string;
  readonly recorder: RunRecorder;
  readonly frames: FrameContext;
  /** Reads the run's journal from after a sequence to its end. */
  readonly follow: (
    recorder: RunRecorder,
    after: number,
  ) => AsyncIterable<readonly RecordedEvent[]>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Why a run was told to end. The message is what the record says. */
class CancelRequest extends Error {
  override readonly name = "CancelRequest";
}

export class LiveRun implements RunHandle {
  readonly runId: string;
  readonly recorder: RunRecorder;
  readonly result: Promise<RunResult>;
  readonly #options: LiveRunOptions;
  readonly #abort = new AbortController();
  readonly #queue: EventQueue | undefined;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    this.recorder = options.recorder;
    this.runId = options.frames.record.id;
    this.#queue = options.frames.record.isStreaming ? this.#followFromStart() : undefined;
    this.result = this.#run();
  }

  /** Asks the run to end; the record keeps `reason`. Later calls change nothing. */
  cancel(reason: string): void {
    this.#abort.abort(new CancelRequest(reason));
  }

  async *frames(): AsyncGenerator<readonly RunFrame[]> {
    let after = -1;
    for await (const events of this.#queue?.batches() ?? []) {
      after =
        events.findLast(({ recorded }) => recorded !== undefined)?.recorded?.sequence ?? after;
      yield this.#framesOf(events);
    }
    if (this.#queue !== undefined && !this.#queue.overflowed) return;
    // A reader that fell behind, or a run nobody was to follow, is read from the journal.
    for await (const batch of this.#options.follow(this.recorder, after)) {
      yield this.#framesOf(batch.map(publishedOf));
    }
  }

  /** Whoever started the run sees it from its first event, however late it begins to read. */
  #followFromStart(): EventQueue {
    const queue = new EventQueue();
    this.recorder.subscribe((events) => queue.push(events));
    this.recorder.onEnd(() => queue.close());
    return queue;
  }

  #framesOf(events: readonly PublishedEvent[]): readonly RunFrame[] {
    return events.flatMap((event) => frameOf(event, this.#options.frames) ?? []);
  }

  async #run(): Promise<RunResult> {
    const { recorder } = this.#options;
    try {
      await this.#work();
    } catch (error) {
      this.#fail(error);
    }
    await recorder.committed();
    recorder.end();
    return recorder.result;
  }

  async #work(): Promise<void> {
    const { agent, recorder, frames, clock, log, message } = this.#options;
    const { record } = frames;
    recorder.emit({
      type: "RunStarted",
      text: message,
      payload: {
        agentName: record.agentName,
        agentVersion: record.agentVersion,
        sessionId: record.sessionId,
        culture: record.culture,
        modelProvider: agent.turn.bound.provider,
        modelId: agent.turn.bound.modelId,
        lockfileHash: agent.lockfileHash,
        isStreaming: record.isStreaming,
      },
    });
    // No money is spent before the run is on record.
    await recorder.committed();
    await runTurn({
      agent: agent.turn,
      prompt: promptOf(agent, message),
      iteration: 1,
      signal: this.#abort.signal,
      journal: recorder,
      clock,
      log,
    });
    recorder.emit({ type: "RunCompleted", payload: recorder.fold.totals() });
  }

  #fail(error: unknown): void {
    const { recorder, log } = this.#options;
    const { reason } = this.#abort.signal;
    if (reason instanceof CancelRequest) {
      recorder.emit({
        type: "RunCanceled",
        payload: { ...recorder.fold.totals(), reason: reason.message },
      });
      return;
    }
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    log.warn("a run failed", { runId: this.runId, error: String(error), cause: String(cause) });
    recorder.emit({
      type: "RunFailed",
      payload: { ...recorder.fold.totals(), error: runErrorOf(error) },
    });
  }
}

function promptOf({ instructions }: CompiledAgent, message: string): LanguageModelV4Prompt {
  const user = { role: "user" as const, content: [{ type: "text" as const, text: message }] };
  return instructions === undefined ? [user] : [{ role: "system", content: instructions }, user];
}

/** What the record says of a fault: ours in its own words, anything else by its type only. */
function runErrorOf(error: unknown): RunError {
  if (TraconError.is(error)) {
    const { code: type, message } = error;
    return { type, message, class: classOfFault[type] ?? "Unknown", fingerprint: type };
  }
  const name = error instanceof Error ? error.name : "Error";
  return {
    type: "internal",
    message: `${name} failed`,
    class: "Infrastructure",
    fingerprint: `internal:${name}`,
  };
}
