/**
 * A run of this process, from its start event to its terminal one. Exactly one terminal event is
 * written, whatever happens: an answer, a fault, a cancellation.
 */

import {
  type Clock,
  faultText,
  type Log,
  type RunError,
  type RunEventDraft,
  type RunFrame,
  type RunResult,
  type SessionWrite,
  TraconError,
} from "@tracon/core";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import {
  BLOCKED_TEXT,
  type ContentGuards,
  contentBlocked,
  type Inspection,
} from "../model/content-guards.ts";
import { classOfFault } from "../model/provider-fault.ts";
import { type Conversation, newConversation } from "../session/conversation.ts";
import { conversationOf, type LoadedSession, sessionWrite } from "../session/load-session.ts";
import type { RunTelemetry } from "../telemetry/run-telemetry.ts";
import { publishedBatches, type Subscription, subscribe } from "./follow-run.ts";
import type { PastEvents } from "./past-events.ts";
import { type RunRecorder, userMessage } from "./recorder.ts";
import { type FrameContext, frameOf, openingFrame } from "./run-frames.ts";
import type { RunHandle } from "./runs.ts";

export type LiveRunOptions = {
  readonly tenantId: string;
  readonly agent: RunnableAgent;
  readonly message: string;
  /** Absent for a run without one. */
  readonly session: LoadedSession | undefined;
  readonly recorder: RunRecorder;
  readonly frames: FrameContext;
  readonly past: PastEvents;
  /** Absent when nothing is told of runs. */
  readonly telemetry: RunTelemetry | undefined;
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
  /** Whoever started a streaming run sees it from its first event, however late it begins to read. */
  #fromStart: Subscription | undefined;
  readonly #conversation: Conversation;
  /** What was asked, as it may be kept. */
  #asked = "";

  constructor(options: LiveRunOptions) {
    this.#options = options;
    const { session } = options;
    this.#conversation = session === undefined ? newConversation() : conversationOf(session);
    this.recorder = options.recorder;
    this.runId = options.frames.record.id;
    this.#fromStart = options.frames.record.isStreaming ? subscribe(this.recorder) : undefined;
    const { telemetry } = options;
    this.result = telemetry === undefined ? this.#run() : telemetry.within(() => this.#run());
  }

  /** Asks the run to end; the record keeps `reason`. Later calls change nothing. */
  cancel(reason: string): void {
    this.#abort.abort(new CancelRequest(reason));
  }

  async *frames(): AsyncGenerator<readonly RunFrame[]> {
    const { past, tenantId, frames } = this.#options;
    const subscription = this.#fromStart ?? subscribe(this.recorder);
    // A second reader, and one of a run nobody was to follow, begins with what the journal has.
    this.#fromStart = undefined;
    const reads = { past, tenantId, runId: this.runId };
    let shown: RunFrame["event"] | undefined;
    try {
      for await (const events of publishedBatches(reads, subscription, { after: -1 })) {
        const batch = events.flatMap((event) => frameOf(event, frames) ?? []);
        if (batch.length === 0) continue;
        if (shown === undefined && batch[0]?.event !== "run") yield [openingFrame(frames)];
        yield batch;
        shown = batch.at(-1)?.event;
      }
    } finally {
      subscription.close();
    }
    // A run that could not be recorded has shown its end to those who listened then.
    const { ending } = this.recorder;
    if (shown === "done" || shown === "error" || ending === undefined) return;
    const last = frameOf(ending, frames) ?? [];
    yield [shown === undefined ? openingFrame(frames) : [], last].flat();
  }

  async #run(): Promise<RunResult> {
    const { recorder } = this;
    const ending = await this.#work().then(
      () => this.#completion(),
      (error) => this.#failure(error),
    );
    recorder.finish(ending, this.#sessionWrite(ending));
    await recorder.committed();
    recorder.end();
    this.#options.telemetry?.end(recorder.record);
    return recorder.result;
  }

  async #work(): Promise<void> {
    const { agent, recorder, tenantId, clock, log } = this.#options;
    const { signal } = this.#abort;
    const { guards } = agent;
    const message =
      guards === undefined
        ? this.#emitStart(this.#options.message)
        : await this.#startGuarded(guards);
    // No money is spent before the run is on record.
    await recorder.committed();
    await agent.answer(message, {
      tenantId,
      runId: this.runId,
      isStreaming: this.#options.frames.record.isStreaming,
      signal,
      journal: recorder,
      conversation: this.#conversation,
      clock,
      log,
    });
  }

  /**
   * What the run appends to its session. One that failed or was cancelled before anything was said or
   * done appends nothing, so that its message can be sent again.
   */
  #sessionWrite({ type }: RunEventDraft): SessionWrite | undefined {
    const { session, clock, frames } = this.#options;
    if (session === undefined) return undefined;
    const said = this.#conversation.transcript.messages;
    const isCutOff = type === "RunFailed" || type === "RunCanceled";
    if (isCutOff && said.length === 0) return undefined;
    return sessionWrite(session, {
      asked: userMessage(this.#asked),
      said,
      startedAt: frames.record.startedAt,
      savedAt: new Date(clock.now()).toISOString(),
    });
  }

  /** The message is recorded no otherwise than the model reads it, so it is inspected before the start. */
  async #startGuarded(guards: ContentGuards): Promise<string> {
    const { recorder, message, tenantId, log } = this.#options;
    const run = { tenantId, log, signal: this.#abort.signal };
    // What no guard has seen is not recorded either, should the run be cancelled before.
    recorder.replaceMessage(BLOCKED_TEXT);
    let inspection: Inspection;
    try {
      inspection = await guards.inspect(message, "UserMessage", run);
    } catch (error) {
      this.#emitStart(BLOCKED_TEXT);
      throw error;
    }
    const { text, events, blockedBy } = inspection;
    if (blockedBy === undefined) recorder.replaceMessage(text);
    this.#emitStart(blockedBy === undefined ? text : BLOCKED_TEXT);
    for (const event of events) recorder.emit(event);
    if (blockedBy !== undefined) throw contentBlocked(blockedBy);
    return text;
  }

  #emitStart(text: string): string {
    const { agent, recorder, frames, telemetry } = this.#options;
    const { record } = frames;
    this.#asked = text;
    recorder.emit({
      type: "RunStarted",
      text,
      payload: {
        agentName: record.agentName,
        agentVersion: record.agentVersion,
        sessionId: record.sessionId,
        culture: record.culture,
        modelProvider: agent.model?.provider,
        modelId: agent.model?.model,
        lockfileHash: agent.lockfileHash,
        isStreaming: record.isStreaming,
        traceId: telemetry?.traceId,
      },
    });
    return text;
  }

  #completion(): RunEventDraft {
    return { type: "RunCompleted", payload: this.recorder.fold.totals() };
  }

  #failure(error: unknown): RunEventDraft {
    const totals = this.recorder.fold.totals();
    const { reason } = this.#abort.signal;
    if (reason instanceof CancelRequest) {
      return { type: "RunCanceled", payload: { ...totals, reason: reason.message } };
    }
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const fields = { runId: this.runId, error: faultText(error), cause: faultText(cause) };
    this.#options.log.warn("a run failed", fields);
    return { type: "RunFailed", payload: { ...totals, error: runErrorOf(error) } };
  }
}

/** What the record says of a fault: ours in its own words, anything else by its type only. */
function runErrorOf(error: unknown): RunError {
  if (TraconError.is(error) && error.code !== "internal") {
    const { code: type, message } = error;
    return { type, message, class: classOfFault[type] ?? "Unknown", fingerprint: type };
  }
  const cause = TraconError.is(error) ? error.cause : error;
  const name = cause instanceof Error ? cause.name : "Error";
  return {
    type: "internal",
    message: `${name} failed`,
    class: "Infrastructure",
    fingerprint: `internal:${name}`,
  };
}
