/**
 * Runs below a run. A call is checked and counted before there is a run of it, and waited for in two
 * layers: the deadline asks the child to stop, and behind the hard cutoff nobody waits any more.
 *
 *     refused ◀─ resolve, compile, reserve ─▶ started ─┬─ ends ──────────────▶ its outcome
 *                                                      ├─ deadline ─ ends ───▶ timed out, by the deadline
 *                                                      └─ … ── cutoff ───────▶ timed out; what it still
 *                                                                              says is discarded, and booked
 */

import { type RunEventDraft, type RunRecord, type RunResult, TraconError } from "@tracon/core";
import type { RunBudget, RunTree } from "../budget/run-budget.ts";
import type { Sleep } from "../model/ring.ts";
import type {
  ChildIdentity,
  ChildOutcome,
  ChildRequest,
  RefusedChild,
  StartedChild,
} from "../scope/child-call.ts";
import { untilAborted } from "../tools/until-aborted.ts";
import type { ChildRemains } from "./child-remains.ts";
import type { ChildWaits } from "./child-waits.ts";
import type { LiveRun } from "./live-run.ts";
import type { PreparedRun, RunPreparation } from "./prepare-run.ts";
import type { RunChildren } from "./run-children.ts";

/** Where it is told of children. Nothing is told once the run has its last event. */
export type ChildTeller = { tell(event: RunEventDraft, isUrgent?: boolean): void };

/** A run that may call agents. */
export type CallingRun = {
  readonly tenantId: string;
  readonly record: RunRecord;
  readonly budget: RunBudget;
  /** Resolves once all that was emitted is on disk. */
  readonly committed: () => Promise<void>;
  readonly waits: ChildWaits;
  /** The run's own journal and, for a run below the root, the root's. */
  readonly tellers: readonly ChildTeller[];
  /** A signal that fires when the run is canceled, but not when it ends. */
  readonly canceled: () => AbortSignal;
  /** A signal that fires when the run is asked to end, by a cancellation or its own deadline. */
  readonly stopped: () => AbortSignal;
};

export type ChildRunsOptions = {
  readonly preparation: RunPreparation;
  readonly open: (caller: CallingRun, prepared: PreparedRun, place: ChildPlace) => LiveRun;
  readonly sleep: Sleep;
};

/** Where a child stands, and what it goes on with. */
export type ChildPlace = { readonly tree: RunTree; readonly before: ChildRemains | undefined };

export class ChildRuns {
  readonly #options: ChildRunsOptions;

  constructor(options: ChildRunsOptions) {
    this.#options = options;
  }

  childrenOf(caller: CallingRun): RunChildren {
    const family: Family = {
      caller,
      conversations: new Map(),
      waitedFor: new Map(),
      isOver: false,
    };
    return {
      start: (request) => this.#start(family, request),
      end() {
        family.isOver = true;
        const { waitedFor } = family;
        if (waitedFor.size === 0) return undefined;
        for (const run of waitedFor.keys()) run.cancel("the run that called it has ended");
        return Promise.all(waitedFor.values());
      },
    };
  }

  async #start(family: Family, request: ChildRequest): Promise<StartedChild | RefusedChild> {
    const { preparation, open } = this.#options;
    const { caller, conversations } = family;
    const { agentName: name, version, message, continuesRunId } = request;
    const inTime = <Value>(work: Promise<Value>) => beforeEnd(family, request, work);
    let run: LiveRun;
    try {
      const prepared = await inTime(
        preparation.start(caller.tenantId, { name, version }, { message }),
      );
      // What counts the child and the call for it are one commit; no child begins before it is made.
      const counted = Promise.all([caller.budget.reserveChildRun(), caller.committed()]);
      const [tree] = await inTime(counted);
      const before = conversations.get(continuesRunId ?? "");
      run = open(caller, prepared, { tree, before });
    } catch (error) {
      if (!TraconError.is(error)) throw error;
      return { kind: "refused", code: error.code, reason: reasonOf(error) };
    }
    const { id: runId, agentName, agentVersion } = run.recorder.record;
    const child = { runId, agentName, agentVersion };
    // It leaves in the commit that opens the child: a model takes longer than such news is held back, so
    // it would have a commit of its own.
    tellAll(caller, { type: "ChildRunStarted", payload: payloadOf(child, caller) }, true);
    const outcome = this.#follow(caller, { request, run, child });
    family.waitedFor.set(run, outcome);
    void outcome.then(() => family.waitedFor.delete(run));
    if (request.isContinuable === true) {
      void outcome.then(() => conversations.set(runId, run.remains()));
    }
    return { kind: "started", child, outcome };
  }

  async #follow(caller: CallingRun, called: Called): Promise<ChildOutcome> {
    const { run, child } = called;
    const ended = run.result.then((result) => {
      const { status } = result;
      const payload = { ...payloadOf(child, caller), status };
      tellAll(caller, { type: "ChildRunCompleted", payload });
      return result;
    });
    const waited = await this.#wait(caller, called, ended);
    if (waited.layer === undefined) return outcomeOf(waited.result, child);
    const { layer, limitMs } = waited;
    const payload = { childRunId: child.runId, hardCutoff: layer === "cutoff" };
    tellAll(caller, { type: "ChildRunTimedOut", text: child.agentName, payload });
    return { kind: "timedOut", child, layer, limitMs };
  }

  async #wait(
    { waits }: CallingRun,
    { run, request }: Called,
    ended: Promise<RunResult>,
  ): Promise<Waited> {
    const timers = new AbortController();
    let isExpired = false;
    const after = (ms: number) =>
      ms === Infinity
        ? new Promise<never>(() => undefined)
        : this.#options.sleep(ms, timers.signal).then(() => "late" as const);
    const stop = () => run.cancel("the run that called it waits no longer");
    if (request.signal.aborted) stop();
    else request.signal.addEventListener("abort", stop, { once: true });
    const expire = () => {
      isExpired = true;
      run.expire(`it ran longer than ${waits.deadlineMs / 1_000} s`);
    };
    const deadline = after(waits.deadlineMs).then(expire);
    // Both end with the call, long before they are due.
    deadline.catch(() => undefined);
    const cutoff = after(waits.cutoffMs);
    cutoff.catch(() => undefined);
    try {
      const result = await Promise.race([ended, cutoff]);
      if (result === "late") {
        // In a process that lags, the later timer may fire first; what listens must end all the same.
        expire();
        return { layer: "cutoff", limitMs: waits.cutoffMs };
      }
      // An answer that came all the same is one.
      if (!isExpired || result.status !== "Canceled") return { layer: undefined, result };
      return { layer: "deadline", limitMs: waits.deadlineMs };
    } finally {
      timers.abort("the call has ended");
      request.signal.removeEventListener("abort", stop);
    }
  }
}

/** A run and what it knows of its children. */
type Family = {
  readonly caller: CallingRun;
  /** By the run they were said in. */
  readonly conversations: Map<string, ChildRemains>;
  readonly waitedFor: Map<LiveRun, Promise<ChildOutcome>>;
  isOver: boolean;
};

/**
 * What a start waits for, unless the run that asked is over before: a catalog or a store may take longer,
 * and nothing may begin then.
 */
async function beforeEnd<Value>(
  family: Family,
  { signal }: ChildRequest,
  work: Promise<Value>,
): Promise<Value> {
  const stopped = family.caller.stopped();
  const value = await untilAborted(
    signal === stopped ? stopped : AbortSignal.any([signal, stopped]),
    work,
  );
  if (family.isOver) throw new DOMException("the run that calls has ended", "AbortError");
  return value;
}

type Called = {
  readonly request: ChildRequest;
  readonly run: LiveRun;
  readonly child: ChildIdentity;
};

type Waited =
  | { readonly layer: undefined; readonly result: RunResult }
  | { readonly layer: "deadline" | "cutoff"; readonly limitMs: number };

const payloadOf = ({ runId, agentName, agentVersion }: ChildIdentity, caller: CallingRun) => ({
  childRunId: runId,
  agentName,
  ...(agentVersion === undefined ? {} : { agentVersion }),
  parentRunId: caller.record.id,
});

function tellAll({ tellers }: CallingRun, event: RunEventDraft, isUrgent = false): void {
  for (const teller of tellers) teller.tell(event, isUrgent);
}

function outcomeOf(result: RunResult, child: ChildIdentity): ChildOutcome {
  if (result.status === "Completed") return { kind: "answered", child, text: result.output };
  if (result.error !== undefined) return { kind: "failed", child, error: result.error };
  return { kind: "canceled", child };
}

/** The message with what is wrong in detail, which says what to do. */
function reasonOf({ message, details: { findings = [] } }: TraconError): string {
  const problems = findings
    .filter(({ severity }) => severity === "Error")
    .map(({ path, message: problem }) => `${path}: ${problem}`);
  return problems.length === 0 ? message : `${message} (${problems.join("; ")})`;
}
