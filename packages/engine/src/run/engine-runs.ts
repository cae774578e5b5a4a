/** Runs of this process and reads of all runs: the engine's `Runs`. */

import {
  type ApprovalStore,
  type AttachmentStore,
  type ChatMessage,
  type Clock,
  type ContextWindowEstimate,
  type IdSource,
  isFinalStatus,
  type Log,
  type RunRecord,
  type RunStore,
  type RunTrace,
  type SessionStore,
  type StoredEvent,
  type ToolInvocation,
  TraconError,
} from "@tracon/core";
import type { TreeSettings } from "../budget/tree-settings.ts";
import type { OwnAgent } from "../catalog/catalog-entry.ts";
import type { CompiledAgent } from "../compile/compile-agent.ts";
import type { CompiledAgents } from "../compile/compiled-agents.ts";
import type { LiveAgents } from "../compile/live-agents.ts";
import type { OwnAgents } from "../compile/own-agents.ts";
import { ResolvedAgent } from "../compile/resolved-agent.ts";
import { type RunnableAgent, runnableOf } from "../compile/runnable-agent.ts";
import type { RefusedChild, StartChild } from "../scope/child-call.ts";
import { conversationOf, type LoadedSession, loadSession } from "../session/load-session.ts";
import { RunTelemetry } from "../telemetry/run-telemetry.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ResumeMode } from "./approval-claim.ts";
import { findAsked } from "./asked-message.ts";
import { type Continuation, cancelWaiting } from "./cancel-waiting.ts";
import { cancelWith } from "./cancel-with.ts";
import { compile } from "./compile-request.ts";
import type { PriceOf } from "./cost-fold.ts";
import { estimatePrompt, type PreflightSettings, refuseTooLarge } from "./estimate-prompt.ts";
import type { EventSinks } from "./event-sinks.ts";
import { followRun } from "./follow-run.ts";
import { LiveRun } from "./live-run.ts";
import { openBudget, withBudget } from "./open-budget.ts";
import { inputOf, openedRecord } from "./opened-record.ts";
import { PastEvents } from "./past-events.ts";
import { recordedOf } from "./recorded-event.ts";
import { RunRecorder } from "./recorder.ts";
import type { RecorderHost } from "./recorder-host.ts";
import { resumeSession, rulesOf, type SessionResumePlan } from "./resume-session.ts";
import type { DescribeProblem } from "./run-frames.ts";
import { readInput } from "./run-input.ts";
import type { RunHandle, Runs, StartOptions } from "./runs.ts";
import { type ReadRunRequest, readRunRequest } from "./start-run.ts";
import { ToolInvocations } from "./tool-invocations.ts";
import { TraceFold } from "./trace-fold.ts";

export type EngineRunsOptions = {
  readonly compiled: CompiledAgents;
  readonly live: LiveAgents;
  readonly own: OwnAgents;
  readonly runs: RunStore;
  readonly sessions: SessionStore;
  readonly attachments: AttachmentStore;
  readonly approvals: ApprovalStore;
  /** How long a decision about a call may take, in milliseconds. */
  readonly approvalExpirationMs: number;
  readonly recorderHost: RecorderHost;
  readonly sinks: EventSinks;
  /** Absent when nothing is told of runs. */
  readonly telemetry: Telemetry | undefined;
  readonly describeProblem: DescribeProblem;
  readonly priceOf: PriceOf;
  readonly tree: TreeSettings;
  /** Of a model the configuration lists with its context window. */
  readonly contextWindowOf: (provider: string, model: string) => number | undefined;
  readonly preflight: PreflightSettings;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Log;
};

/** Events of one run read at once to be folded. */
const EVENTS_FOLDED_AT_ONCE = 2_000;

export class EngineRuns implements Runs {
  readonly #options: EngineRunsOptions;
  readonly #live = new Map<string, { readonly tenantId: string; readonly run: LiveRun }>();
  readonly #past: PastEvents;
  #draining = false;

  constructor(options: EngineRunsOptions) {
    this.#options = options;
    this.#past = new PastEvents(options.runs);
  }

  async start(
    tenantId: string,
    agentName: string,
    request: unknown,
    options: StartOptions = {},
  ): Promise<RunHandle> {
    this.#refuseWhileDraining();
    const resolved = await this.#resolve(tenantId, agentName, options.agentVersion);
    const { agent, read, compiled } = await this.#prepare(tenantId, resolved, request);
    const prepared = await this.#withSession(tenantId, { agent, request: read, mode: "request" });
    if (compiled !== undefined && this.#options.preflight.enabled) {
      refuseTooLarge(this.#estimateOf(compiled, prepared.asked, prepared.session));
    }
    // Draining may have begun meanwhile, and it looks at the live runs only once.
    this.#refuseWhileDraining();
    const run = this.#open(tenantId, prepared, options);
    await this.#openedWith(run, prepared);
    return run;
  }

  /**
   * Goes on with a run that stopped for approvals, in a run whose id was fixed then. Throws what
   * `start` throws, and `approval_conflict` when another run has gone on with it.
   */
  async continueRun(
    tenantId: string,
    { agentName, sessionId, runId, continuationRunId, mode }: Continuation,
  ): Promise<RunHandle> {
    this.#refuseWhileDraining();
    const resolved = await this.#resolve(tenantId, agentName, undefined);
    const input = await this.#options.runs.input(tenantId, runId);
    const request = { sessionId, message: "-", parameters: input?.parameters };
    const { agent, read } = await this.#prepare(tenantId, resolved, request);
    const asked = { agent, request: { ...read, message: undefined }, mode };
    const prepared = await this.#withSession(tenantId, asked);
    this.#refuseWhileDraining();
    const run = this.#open(tenantId, prepared, {
      runId: continuationRunId,
      ...(mode === "cancel" ? { signal: AbortSignal.abort() } : {}),
    });
    await this.#openedWith(run, prepared);
    return run;
  }

  estimate: Runs["estimate"] = async (tenantId, agentName, request, { agentVersion } = {}) => {
    const resolved = await this.#resolve(tenantId, agentName, agentVersion);
    if (!(resolved instanceof ResolvedAgent)) {
      const message = `what agent '${agentName}' sends is decided by the code that builds it`;
      throw new TraconError("feature_unavailable", message);
    }
    const { agent, read } = compile(resolved, request);
    const session = await this.#session(tenantId, agent.definition.name, read);
    return this.#estimateOf(agent, await this.#asked(tenantId, read), session);
  };

  async get(tenantId: string, runId: string): Promise<RunRecord> {
    return withBudget(tenantId, await this.#record(tenantId, runId), this.#options.runs);
  }

  async #record(tenantId: string, runId: string): Promise<RunRecord> {
    const stored = await this.#options.runs.get(tenantId, runId);
    // A run is there from its start, also before its first commit and when it cannot be recorded.
    const record = stored ?? this.#liveRun(tenantId, runId)?.recorder.record;
    if (record === undefined) throw new TraconError("run_not_found", "there is no such run");
    return record;
  }

  list: Runs["list"] = (tenantId, filter, page) => this.#options.runs.list(tenantId, filter, page);

  toolUsage: Runs["toolUsage"] = (tenantId, query) => this.#options.runs.toolUsage(tenantId, query);

  events: Runs["events"] = async (tenantId, runId, { after, signal }) => {
    await this.#checkCursor(tenantId, runId, after);
    const recorder = this.#liveRun(tenantId, runId)?.recorder;
    const { runs } = this.#options;
    return followRun({ runs, past: this.#past, tenantId, runId, recorder, after, signal });
  };

  eventPage: Runs["eventPage"] = async (tenantId, runId, range) => {
    await this.#checkCursor(tenantId, runId, range.after);
    return (await this.#options.runs.events(tenantId, runId, range)).map(recordedOf);
  };

  async cancel(tenantId: string, runId: string): Promise<RunRecord> {
    const run = this.#liveRun(tenantId, runId);
    // A store that does not answer is no reason to let a run go on.
    const record = run?.recorder.record ?? (await this.#record(tenantId, runId));
    if (run === undefined && record.status === "AwaitingApproval") {
      const { approvals, recorderHost } = this.#options;
      const continueRun = (it: Continuation) => this.continueRun(tenantId, it);
      await cancelWaiting(record, { tenantId, approvals, continueRun, ...recorderHost });
      return record;
    }
    if (run === undefined || isFinalStatus(record.status)) {
      throw new TraconError("run_not_cancelable", "the run has ended or runs in another process");
    }
    run.cancel("canceled by request");
    return record;
  }

  async toolInvocations(tenantId: string, runId: string): Promise<readonly ToolInvocation[]> {
    await this.#record(tenantId, runId);
    const calls = new ToolInvocations();
    for await (const events of this.#stored(tenantId, runId)) calls.add(events);
    return calls.all();
  }

  async trace(tenantId: string, runId: string): Promise<RunTrace> {
    const record = await this.get(tenantId, runId);
    const fold = new TraceFold(tenantId, record);
    for await (const events of this.#stored(tenantId, runId)) fold.add(events);
    return fold.trace();
  }

  async *#stored(tenantId: string, runId: string): AsyncGenerator<readonly StoredEvent[]> {
    for (let after = -1; ; ) {
      const range = { after, take: EVENTS_FOLDED_AT_ONCE };
      const events = await this.#options.runs.events(tenantId, runId, range);
      yield events;
      if (events.length < EVENTS_FOLDED_AT_ONCE) return;
      after = events.at(-1)?.sequence ?? after;
    }
  }

  input: Runs["input"] = async (tenantId, runId) => {
    const record = await this.#record(tenantId, runId);
    const input = await readInput(this.#options.runs, tenantId, record);
    if (input !== undefined) return input;
    throw new TraconError("run_input_not_found", "the run's input was not recorded");
  };

  /** Starts nothing new, lets running runs end for `graceMs`, then cancels them. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const ended = Promise.allSettled([...this.#live.values()].map(({ run }) => run.result));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, grace]);
    clearTimeout(timer);
    for (const { run } of this.#live.values()) run.cancel("the process is stopping");
    await ended;
  }

  /** Whether the agent exists is asked first: a stranger learns nothing of how to call it. */
  async #resolve(
    tenantId: string,
    agentName: string,
    version: number | undefined,
  ): Promise<ResolvedAgent | OwnAgent> {
    const { compiled, live } = this.#options;
    const found = await live.resolve(tenantId, agentName.normalize("NFC"), version);
    if (found !== undefined) return found;
    const cached = version === undefined ? compiled.cached(tenantId, agentName) : undefined;
    return cached ?? compiled.resolve(tenantId, agentName.normalize("NFC"), version);
  }

  async #prepare(
    tenantId: string,
    resolved: ResolvedAgent | OwnAgent,
    request: unknown,
  ): Promise<{
    readonly agent: RunnableAgent;
    readonly read: ReadRunRequest;
    /** Absent for an agent that code builds. */
    readonly compiled: CompiledAgent | undefined;
  }> {
    if (resolved instanceof ResolvedAgent) {
      const { agent: compiled, read } = compile(resolved, request);
      return { agent: runnableOf(compiled), read, compiled };
    }
    const read = readRunRequest(request, []);
    const agent = await this.#options.own.build(tenantId, resolved);
    return { agent, read, compiled: undefined };
  }

  #estimateOf(
    agent: CompiledAgent,
    asked: ChatMessage | undefined,
    session: LoadedSession | undefined,
  ): ContextWindowEstimate {
    const { provider, modelId } = agent.turn.bound;
    const contextWindowTokens = this.#options.contextWindowOf(provider, modelId);
    const { reserveRatio } = this.#options.preflight;
    const history = session === undefined ? [] : conversationOf(session).history;
    return estimatePrompt(agent, { asked, history }, { contextWindowTokens, reserveRatio });
  }

  #asked = (tenantId: string, read: ReadRunRequest) =>
    findAsked(this.#options.attachments, tenantId, read);

  #refuseWhileDraining(): void {
    if (!this.#draining) return;
    throw new TraconError("draining", "this process is stopping and starts no new runs");
  }

  #session(
    tenantId: string,
    agentName: string,
    { sessionId }: Pick<ReadRunRequest, "sessionId">,
  ): Promise<LoadedSession> | undefined {
    if (sessionId === undefined) return undefined;
    return loadSession(this.#options.sessions, { tenantId, sessionId, agentName });
  }

  async #withSession(
    tenantId: string,
    parts: Pick<PreparedRun, "agent" | "request"> & { readonly mode: ResumeMode },
  ): Promise<PreparedRun> {
    const { agent, request, mode } = parts;
    const asked = await this.#asked(tenantId, request);
    const session = await this.#session(tenantId, agent.name, request);
    if (session === undefined) return { agent, request, asked, session, resume: undefined };
    const now = this.#options.recorderHost.timestamp();
    const input = { tenantId, mode, agent, request, session, now };
    const resume = await resumeSession(this.#options.approvals, input);
    if (asked === undefined && (resume?.calls.length ?? 0) === 0) {
      const message = `nothing waits in session '${session.sessionId}' any more`;
      throw new TraconError("approval_conflict", message);
    }
    return { agent, request, asked, session: resume?.session ?? session, resume };
  }

  /** A run that takes decisions is one only once it has them; what was to be remembered is then. */
  async #openedWith(run: LiveRun, { request, resume }: PreparedRun): Promise<void> {
    if (resume === undefined || resume.claims.length === 0) return;
    await run.opened;
    const { ids, recorderHost, approvals } = this.#options;
    const made = { ids, now: recorderHost.timestamp() };
    for (const rule of rulesOf(request, resume.approvals, made)) await approvals.addRule(rule);
  }

  #open(
    tenantId: string,
    { agent, request, asked, session, resume }: PreparedRun,
    options: StartOptions & { readonly runId?: string },
  ): LiveRun {
    const { recorderHost, describeProblem, ids, clock, log } = this.#options;
    const record = openedRecord(options.runId ?? ids.next(), tenantId, agent, {
      continuedFromRunId: resume?.continuedFromRunId,
      culture: request.culture,
      sessionId: request.sessionId,
      startedAt: recorderHost.timestamp(),
      isStreaming: options.isStreaming ?? false,
    });
    const recorder = new RunRecorder(recorderHost, {
      tenantId,
      record,
      input: inputOf(asked, request),
      claims: resume?.claims ?? [],
      fold: { priceOf: this.#options.priceOf, hasJsonOutput: agent.hasJsonOutput },
    });
    const frames = { record, result: () => recorder.result, describeProblem };
    const past = this.#past;
    this.#options.sinks.follow(recorder, { tenantId, runId: record.id });
    const telemetry = this.#telemetryOf(record, options);
    const budget = openBudget(record, recorder.budget, this.#options);
    const startChild: StartChild = async () => NO_CHILDREN;
    const shared = { recorder, budget, frames, past, telemetry, startChild, clock, log };
    const stopping = { ids, approvalExpirationMs: this.#options.approvalExpirationMs };
    const run = new LiveRun({ tenantId, agent, asked, session, resume, ...stopping, ...shared });
    this.#live.set(record.id, { tenantId, run });
    recorder.onEnd(() => this.#live.delete(record.id));
    cancelWith(run, options.signal);
    return run;
  }

  #telemetryOf(record: RunRecord, { readHeader }: StartOptions): RunTelemetry | undefined {
    const { telemetry, clock } = this.#options;
    if (telemetry === undefined) return undefined;
    return new RunTelemetry(telemetry, record, clock, readHeader);
  }

  #liveRun(tenantId: string, runId: string): LiveRun | undefined {
    const live = this.#live.get(runId);
    return live?.tenantId === tenantId ? live.run : undefined;
  }

  /** A cursor names an event of this run: one that is there, or the one before the first. */
  async #checkCursor(tenantId: string, runId: string, after: number): Promise<void> {
    const recorder = this.#liveRun(tenantId, runId)?.recorder;
    if (recorder !== undefined && after >= -1 && after <= recorder.committedSequence) return;
    const record = await this.#record(tenantId, runId);
    if (after === -1) return;
    const [event] = await this.#options.runs.events(tenantId, runId, { after: after - 1, take: 1 });
    if (event?.sequence === after) return;
    throw new TraconError(
      "cursor_invalid",
      `the run has no event ${after}; it has ${record.eventCount} so far`,
    );
  }
}

const NO_CHILDREN: RefusedChild = {
  kind: "refused",
  code: "feature_unavailable",
  reason: "this version does not have runs below a run",
};

type PreparedRun = {
  readonly agent: RunnableAgent;
  readonly request: ReadRunRequest;
  readonly asked: ChatMessage | undefined;
  readonly session: LoadedSession | undefined;
  readonly resume: SessionResumePlan | undefined;
};
