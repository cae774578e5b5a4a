/** Runs of this process and reads of all runs: the engine's `Runs`. */

import {
  type ApprovalStore,
  isFinalStatus,
  type RunRecord,
  type RunStore,
  type ToolInvocation,
  TraconError,
} from "@tracon/core";
import { type Continuation, cancelWaiting } from "./cancel-waiting.ts";
import { followRun } from "./follow-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { RunOpener } from "./open-run.ts";
import type { RunPreparation } from "./prepare-run.ts";
import { recordedOf } from "./recorded-event.ts";
import { readInput } from "./run-input.ts";
import { readTree, withTree } from "./run-tree.ts";
import type { RunHandle, Runs, StartOptions } from "./runs.ts";
import { storedEvents } from "./stored-events.ts";
import { ToolInvocations } from "./tool-invocations.ts";
import { refuseTraceOfChild, traceOfTree } from "./tree-trace.ts";

export type EngineRunsOptions = {
  readonly preparation: RunPreparation;
  readonly opener: RunOpener;
  readonly runs: RunStore;
  readonly approvals: ApprovalStore;
  readonly timestamp: () => string;
};

export class EngineRuns implements Runs {
  readonly #options: EngineRunsOptions;
  #draining = false;

  constructor(options: EngineRunsOptions) {
    this.#options = options;
  }

  async start(
    tenantId: string,
    agentName: string,
    request: unknown,
    options: StartOptions = {},
  ): Promise<RunHandle> {
    this.#refuseWhileDraining();
    const { preparation, opener } = this.#options;
    const asked = { name: agentName, version: options.agentVersion };
    const prepared = await preparation.start(tenantId, asked, request);
    // Draining may have begun meanwhile, and it looks at the live runs only once.
    this.#refuseWhileDraining();
    return opener.open(tenantId, prepared, options);
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
    const { preparation, opener } = this.#options;
    const input = await this.#options.runs.input(tenantId, runId);
    const parameters = input?.parameters;
    const asked = { sessionId, parameters, mode };
    const prepared = await preparation.continuation(tenantId, agentName, asked);
    this.#refuseWhileDraining();
    return opener.open(tenantId, prepared, {
      runId: continuationRunId,
      ...(mode === "cancel" ? { signal: AbortSignal.abort() } : {}),
    });
  }

  estimate: Runs["estimate"] = (tenantId, name, request, { agentVersion: version } = {}) =>
    this.#options.preparation.estimate(tenantId, { name, version }, request);

  async get(tenantId: string, runId: string): Promise<RunRecord> {
    return withTree(tenantId, await this.#record(tenantId, runId), this.#options.runs);
  }

  tree: Runs["tree"] = async (tenantId, runId) =>
    this.#treeOf(tenantId, await this.#record(tenantId, runId));

  #treeOf = (tenantId: string, record: RunRecord) =>
    readTree(this.#options.runs, this.#options.opener.recordsOf(tenantId), tenantId, record);

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
    const { runs, opener } = this.#options;
    return followRun({ runs, past: opener.past, tenantId, runId, recorder, after, signal });
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
      const { approvals, timestamp } = this.#options;
      const continueRun = (it: Continuation) => this.continueRun(tenantId, it);
      await cancelWaiting(record, { tenantId, approvals, continueRun, timestamp });
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

  trace: Runs["trace"] = async (tenantId, runId) => {
    const record = await this.#record(tenantId, runId);
    refuseTraceOfChild(record);
    const [root = record, ...below] = await this.#treeOf(tenantId, record);
    return traceOfTree(tenantId, [root, ...below], (id) => this.#stored(tenantId, id));
  };

  #stored = (tenantId: string, runId: string) => storedEvents(this.#options.runs, tenantId, runId);

  input: Runs["input"] = async (tenantId, runId) => {
    const record = await this.#record(tenantId, runId);
    const input = await readInput(this.#options.runs, tenantId, record);
    if (input !== undefined) return input;
    throw new TraconError("run_input_not_found", "the run's input was not recorded");
  };

  /** Starts nothing new, lets running runs end for `graceMs`, then cancels them. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const { opener } = this.#options;
    const ended = Promise.allSettled(opener.live.map(({ result }) => result));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, grace]);
    clearTimeout(timer);
    for (const run of opener.live) run.cancel("the process is stopping");
    await ended;
  }

  #refuseWhileDraining(): void {
    if (!this.#draining) return;
    throw new TraconError("draining", "this process is stopping and starts no new runs");
  }

  #liveRun(tenantId: string, runId: string): LiveRun | undefined {
    return this.#options.opener.find(tenantId, runId);
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
