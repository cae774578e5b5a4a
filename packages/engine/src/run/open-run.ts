/** Opens runs of this process, and knows which are going on. */

import type { ApprovalStore, Clock, IdSource, Log, RunRecord, RunStore } from "@tracon/core";
import type { TreeSettings } from "../budget/tree-settings.ts";
import type { Sleep } from "../model/ring.ts";
import { RunTelemetry } from "../telemetry/run-telemetry.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { cancelWith } from "./cancel-with.ts";
import { type CallingRun, type ChildPlace, ChildRuns, type ChildTeller } from "./child-runs.ts";
import { type ChildWaits, childWaits } from "./child-waits.ts";
import type { PriceOf } from "./cost-fold.ts";
import type { EventSinks } from "./event-sinks.ts";
import { LiveRun } from "./live-run.ts";
import { openBudget } from "./open-budget.ts";
import { inputOf, openedRecord } from "./opened-record.ts";
import { PastEvents } from "./past-events.ts";
import type { PreparedRun, RunPreparation } from "./prepare-run.ts";
import { RunRecorder } from "./recorder.ts";
import type { RecorderHost } from "./recorder-host.ts";
import { rulesOf } from "./resume-session.ts";
import type { DescribeProblem } from "./run-frames.ts";
import type { StartOptions } from "./runs.ts";

export type RunOpenerOptions = {
  readonly preparation: RunPreparation;
  readonly runs: RunStore;
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
  /** How long runs wait for their children when their agents do not say. */
  readonly childWaits: ChildWaits;
  readonly sleep: Sleep;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Log;
};

type OpenOptions = Pick<StartOptions, "isStreaming" | "signal" | "readHeader"> & {
  readonly runId?: string;
  /** Who calls, and the place of the new run below it; absent for a root. */
  readonly below?: ChildPlace & { readonly caller: CallingRun };
};

export class RunOpener {
  readonly past: PastEvents;
  readonly #options: RunOpenerOptions;
  readonly #live = new Map<string, { readonly tenantId: string; readonly run: LiveRun }>();
  readonly #children: ChildRuns;

  constructor(options: RunOpenerOptions) {
    this.#options = options;
    this.past = new PastEvents(options.runs);
    const { preparation, sleep } = options;
    this.#children = new ChildRuns({
      preparation,
      sleep,
      open: (caller, prepared, place) =>
        this.#open(caller.tenantId, prepared, {
          below: { ...place, caller },
          signal: caller.canceled(),
        }),
    });
  }

  /** The runs that are going on. */
  get live(): readonly LiveRun[] {
    return [...this.#live.values()].map(({ run }) => run);
  }

  /** The rows of the tenant's runs that are going on, whether or not they are written yet. */
  recordsOf(tenantId: string): readonly RunRecord[] {
    return [...this.#live.values()].flatMap((it) =>
      it.tenantId === tenantId ? [it.run.recorder.record] : [],
    );
  }

  find(tenantId: string, runId: string): LiveRun | undefined {
    const live = this.#live.get(runId);
    return live?.tenantId === tenantId ? live.run : undefined;
  }

  /** Opens a root. One that takes decisions is a run only once it has them. */
  async open(
    tenantId: string,
    prepared: PreparedRun,
    options: Omit<OpenOptions, "below">,
  ): Promise<LiveRun> {
    const run = this.#open(tenantId, prepared, options);
    const { request, resume } = prepared;
    if (resume === undefined || resume.claims.length === 0) return run;
    await run.opened;
    const { ids, recorderHost, approvals } = this.#options;
    const made = { ids, now: recorderHost.timestamp() };
    for (const rule of rulesOf(request, resume.approvals, made)) await approvals.addRule(rule);
    return run;
  }

  #open(tenantId: string, prepared: PreparedRun, options: OpenOptions): LiveRun {
    const { agent, request, asked, session, resume } = prepared;
    const { recorderHost, describeProblem, ids, clock, log } = this.#options;
    const { below } = options;
    const record = openedRecord(options.runId ?? ids.next(), tenantId, agent, {
      continuedFromRunId: resume?.continuedFromRunId,
      culture: request.culture,
      sessionId: request.sessionId,
      startedAt: recorderHost.timestamp(),
      isStreaming: options.isStreaming ?? false,
      below: below && { parentRunId: below.caller.record.id, ...below.tree },
    });
    const recorder = new RunRecorder(recorderHost, {
      tenantId,
      record,
      input: inputOf(asked, request),
      claims: resume?.claims ?? [],
      fold: { priceOf: this.#options.priceOf, hasJsonOutput: agent.hasJsonOutput },
    });
    this.#options.sinks.follow(recorder, { tenantId, runId: record.id });
    const budget = openBudget(record, recorder.budget, { ...this.#options, place: below?.tree });
    const children = this.#children.childrenOf({
      tenantId,
      record,
      budget,
      committed: () => recorder.committed(),
      waits: childWaits(agent.childWaits, this.#options.childWaits),
      tellers: tellersOf(recorder, below?.caller),
      canceled: () => run.canceled,
      stopped: () => run.stopped,
    });
    const run: LiveRun = new LiveRun({
      tenantId,
      agent,
      asked,
      session,
      resume,
      ...(below === undefined ? {} : { child: below }),
      ids,
      approvalExpirationMs: this.#options.approvalExpirationMs,
      recorder,
      budget,
      frames: { record, result: () => recorder.result, describeProblem },
      past: this.past,
      telemetry: this.#telemetryOf(record, options),
      children,
      clock,
      log,
    });
    this.#live.set(record.id, { tenantId, run });
    recorder.onEnd(() => this.#live.delete(record.id));
    cancelWith(run, options.signal);
    return run;
  }

  #telemetryOf(record: RunRecord, { readHeader }: OpenOptions): RunTelemetry | undefined {
    const { telemetry, clock } = this.#options;
    if (telemetry === undefined) return undefined;
    return new RunTelemetry(telemetry, record, clock, readHeader);
  }
}

/** The root is told of everything below it, and each run of its own children. */
const tellersOf = (own: ChildTeller, caller: CallingRun | undefined): readonly ChildTeller[] => {
  const root = caller?.tellers.at(-1);
  return root === undefined ? [own] : [own, root];
};
