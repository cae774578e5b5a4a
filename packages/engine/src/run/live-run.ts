/**
 * A run of this process, from its start event to its terminal one. Exactly one terminal event is
 * written, whatever happens: an answer, a fault, a cancellation.
 */

import {
  type ChatMessage,
  type Clock,
  faultText,
  type IdSource,
  type Log,
  type RunError,
  type RunEventDraft,
  type RunFrame,
  type RunResult,
  type SessionWrite,
  TraconError,
} from "@tracon/core";
import type { RunBudget } from "../budget/run-budget.ts";
import type { RunnableAgent } from "../compile/runnable-agent.ts";
import { describeOutcome } from "../delegation/outcome-text.ts";
import { BLOCKED_TEXT, type ContentGuards, contentBlocked } from "../model/content-guards.ts";
import { classOfFault } from "../model/provider-fault.ts";
import { RunProgress } from "../progress/run-progress.ts";
import { watchTasks } from "../progress/watch-tasks.ts";
import { createRunScope, type RunScope } from "../scope/run-scope.ts";
import { RunState } from "../scope/run-state.ts";
import { type Conversation, conversationAfter } from "../session/conversation.ts";
import { promptOfHistory } from "../session/history-prompt.ts";
import { conversationOf, type LoadedSession, sessionWrite } from "../session/load-session.ts";
import { refuseLargeState, savedState } from "../session/session-state.ts";
import type { RunTelemetry } from "../telemetry/run-telemetry.ts";
import type { StoppedCall } from "../turn/step.ts";
import { documentEvents, type InspectedMessage, inspectMessage, wordsOf } from "./asked-message.ts";
import type { ChildRemains } from "./child-remains.ts";
import { publishedBatches, type Subscription, subscribe } from "./follow-run.ts";
import type { PastEvents } from "./past-events.ts";
import type { RunRecorder } from "./recorder.ts";
import type { ResumePlan } from "./resume-run.ts";
import type { RunChildren } from "./run-children.ts";
import { type FrameContext, framesOf, openingFrame } from "./run-frames.ts";
import { userMessage } from "./run-input.ts";
import type { RunHandle } from "./runs.ts";
import { type Stop, stopOf } from "./stop-run.ts";

export type LiveRunOptions = {
  readonly tenantId: string;
  readonly agent: RunnableAgent;
  /** Absent when the run only goes on with what an earlier one left open. */
  readonly asked: ChatMessage | undefined;
  /** Absent for a run without one. */
  readonly session: LoadedSession | undefined;
  /** What the run takes over from an earlier one. */
  readonly resume: Pick<ResumePlan, "claims" | "calls" | "isAnswered"> | undefined;
  /** Of a run below another one; absent for a root. */
  readonly child?: {
    /** What it goes on with, which no session keeps. */
    readonly before: ChildRemains | undefined;
  };
  readonly ids: IdSource;
  /** How long a decision about a call may take, in milliseconds. */
  readonly approvalExpirationMs: number;
  readonly recorder: RunRecorder;
  readonly budget: RunBudget;
  readonly frames: FrameContext;
  readonly past: PastEvents;
  /** Absent when nothing is told of runs. */
  readonly telemetry: RunTelemetry | undefined;
  /** The runs below this one. */
  readonly children: RunChildren;
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
  /** Fired by `cancel` alone; made when somebody listens to it. */
  #canceled: AbortController | undefined;
  /** Whoever started a streaming run sees it from its first event, however late it begins to read. */
  #fromStart: Subscription | undefined;
  readonly #conversation: Conversation;
  readonly #scope: RunScope;
  /** Absent for an agent that code builds. */
  readonly #progress: RunProgress | undefined;
  /** What was asked, as it may be kept; absent when nothing was. */
  #asked: ChatMessage | undefined;
  /** Calls with which the run ends: they stay open in its session. */
  #stopped: readonly StoppedCall[] = [];
  /** Made for a run without a session that ends with open calls. */
  #sessionOfStop: LoadedSession | undefined;
  readonly #opened = Promise.withResolvers<void>();
  #fault: TraconError | undefined;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    const { session, child, agent } = options;
    const { start: startChild } = options.children;
    this.#conversation =
      session === undefined ? conversationAfter(child?.before?.history) : conversationOf(session);
    const state = new RunState(session?.state ?? child?.before?.state);
    this.recorder = options.recorder;
    this.#progress =
      agent.progress && new RunProgress(agent.progress, (event) => this.recorder.emit(event));
    const startTask = this.#progress && watchTasks(startChild, this.#progress);
    this.#scope = createRunScope({ startChild, startTask, describeOutcome, state });
    this.runId = options.frames.record.id;
    this.#fromStart = options.frames.record.isStreaming ? subscribe(this.recorder) : undefined;
    // Most runs take over nothing, and nobody waits for them to open.
    this.#opened.promise.catch(() => undefined);
    const { telemetry } = options;
    this.result = telemetry === undefined ? this.#run() : telemetry.within(() => this.#run());
  }

  get fault(): TraconError | undefined {
    return this.#fault;
  }

  /** Resolves once the run is on record; rejects when it cannot take what it was to take over. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Asks the run to end; the record keeps `reason`. Later calls change nothing. */
  cancel(reason: string): void {
    const request = new CancelRequest(reason);
    this.#abort.abort(request);
    this.#canceled?.abort(request);
  }

  /** Fires when the run is canceled: from then on nobody waits for what does not listen. */
  get canceled(): AbortSignal {
    if (this.#canceled === undefined) {
      this.#canceled = new AbortController();
      const { reason, aborted } = this.#abort.signal;
      if (aborted) this.#canceled.abort(reason);
    }
    return this.#canceled.signal;
  }

  /** Fires when the run is asked to end. */
  get stopped(): AbortSignal {
    return this.#abort.signal;
  }

  /** Asks the run to end and waits for tools that do not listen. */
  expire(reason: string): void {
    this.#abort.abort(new CancelRequest(reason));
  }

  /** Everything said and kept in the run and before it. */
  remains(): ChildRemains {
    const { history, transcript } = this.#conversation;
    const asked = this.#asked === undefined ? [] : promptOfHistory([this.#asked]).prompt;
    return {
      history: [...history, ...asked, ...transcript.messages],
      state: this.#scope.state.snapshot(),
    };
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
        const batch = events.flatMap((event) => framesOf(event, frames));
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
    const last = framesOf(ending, frames);
    yield [shown === undefined ? openingFrame(frames) : [], last].flat();
  }

  async #run(): Promise<RunResult> {
    const { recorder } = this;
    const failed = await this.#work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // What runs below it ends before it does, and is told of in its journal.
    const { tasks } = this.#scope;
    if (tasks.isRunning) await tasks.release();
    const lastChildren = this.#options.children.end();
    if (lastChildren !== undefined) await lastChildren;
    const { ending, approvals } =
      failed === undefined
        ? this.#completion()
        : { ending: this.#failure(failed.error), approvals: [] };
    const session = this.#sessionWrite(ending);
    this.#opened.resolve();
    this.#options.budget.close();
    recorder.finish(ending, { approvals, ...(session === undefined ? {} : { session }) });
    await recorder.committed();
    recorder.end();
    this.#options.telemetry?.end(recorder.record);
    return recorder.result;
  }

  async #work(): Promise<void> {
    const { agent, recorder, tenantId, clock, log, budget } = this.#options;
    const { signal } = this.#abort;
    const { guards } = agent;
    budget.open();
    const { asked } = this.#options;
    const passed =
      guards === undefined || asked === undefined
        ? this.#emitStart(asked)
        : await this.#startGuarded(guards, asked);
    budget.expect(agent.firstCall?.(passed, this.#conversation));
    // No money is spent before the run is on record, and no decision is used that it did not get.
    await recorder.committed();
    this.#confirmOpened();
    const { calls = [] } = this.#options.resume ?? {};
    this.#stopped = await agent.answer(passed, {
      tenantId,
      runId: this.runId,
      sessionId: this.#options.session?.sessionId,
      resumed: calls,
      isStreaming: this.#options.frames.record.isStreaming,
      signal,
      journal: recorder,
      continuesTurn: asked === undefined || this.#options.resume?.isAnswered === true,
      conversation: this.#conversation,
      clock,
      log,
      budget,
      scope: this.#scope,
      progress: this.#progress,
      ...(this.#options.child === undefined ? {} : { isChild: true, abandoned: this.canceled }),
    });
    const { session } = this.#options;
    const isSaved = session !== undefined || this.#stopped.length > 0;
    if (isSaved) refuseLargeState(this.#scope.state.snapshot(), session?.state);
  }

  #confirmOpened(): void {
    const { claims = [] } = this.#options.resume ?? {};
    const { refusal } = this.recorder;
    if (claims.length > 0 && refusal !== undefined) {
      const error =
        refusal === "conflict"
          ? new TraconError("approval_conflict", "another run has gone on with the calls")
          : new TraconError("store_unavailable", "the decisions could not be taken from the store");
      this.#opened.reject(error);
      throw error;
    }
    this.#opened.resolve();
  }

  /**
   * What the run appends to its session, with its state. One that failed or was cancelled before
   * anything was said or done appends nothing, so that its message can be sent again.
   */
  #sessionWrite({ type }: RunEventDraft): SessionWrite | undefined {
    const { clock, frames, log } = this.#options;
    const session = this.#options.session ?? this.#sessionOfStop;
    if (session === undefined) return undefined;
    const said = this.#conversation.transcript.messages;
    const isCutOff = type === "RunFailed" || type === "RunCanceled";
    if (isCutOff && said.length === 0) return undefined;
    return sessionWrite(session, {
      asked: this.#asked,
      said,
      awaited: new Set(isCutOff ? [] : this.#stopped.map(({ callId }) => callId)),
      state: savedState(this.#scope.state.snapshot(), session, log),
      startedAt: frames.record.startedAt,
      savedAt: new Date(clock.now()).toISOString(),
    });
  }

  /** The message is recorded no otherwise than the model reads it, so it is inspected before the start. */
  async #startGuarded(guards: ContentGuards, asked: ChatMessage): Promise<ChatMessage> {
    const { recorder, tenantId, log } = this.#options;
    const run = { tenantId, log, signal: this.#abort.signal };
    const blocked = userMessage(BLOCKED_TEXT);
    // What no guard has seen is not recorded either, should the run be cancelled before.
    recorder.replaceMessage(blocked);
    let inspected: InspectedMessage;
    try {
      inspected = await inspectMessage(asked, guards, run);
    } catch (error) {
      this.#emitStart(blocked);
      throw error;
    }
    const { message, events, blockedBy } = inspected;
    if (blockedBy === undefined) recorder.replaceMessage(message);
    this.#emitStart(blockedBy === undefined ? message : blocked);
    for (const event of events) recorder.emit(event);
    if (blockedBy !== undefined) throw contentBlocked(blockedBy);
    return message;
  }

  #emitStart<Asked extends ChatMessage | undefined>(asked: Asked): Asked {
    const { agent, recorder, frames, telemetry } = this.#options;
    const { record } = frames;
    this.#asked = asked;
    recorder.emit({
      type: "RunStarted",
      ...(asked === undefined ? {} : { text: wordsOf(asked) }),
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
    if (asked !== undefined) for (const event of documentEvents(asked)) recorder.emit(event);
    return asked;
  }

  #completion(): Stop {
    const totals = this.recorder.fold.totals();
    const { agent, tenantId, session, ids, clock, approvalExpirationMs, frames } = this.#options;
    if (this.#stopped.length === 0) {
      return { ending: { type: "RunCompleted", payload: totals }, approvals: [] };
    }
    if (session === undefined) this.#sessionOfStop = newSession(ids.next(), agent.name);
    const sessionId = (session ?? this.#sessionOfStop)?.sessionId ?? "";
    const { definitionHash = "" } = agent;
    const run = { tenantId, record: frames.record, sessionId, definitionHash, totals };
    const options = { ids, expirationMs: approvalExpirationMs, now: clock.now() };
    return stopOf(this.#stopped, run, options);
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
    if (TraconError.is(error)) this.#fault = error;
    return { type: "RunFailed", payload: { ...totals, error: runErrorOf(error) } };
  }
}

const newSession = (sessionId: string, agentName: string): LoadedSession => ({
  sessionId,
  agentName,
  base: undefined,
  messages: [],
  closing: [],
  state: {},
});

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
