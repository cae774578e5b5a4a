import type {
  ContextWindowEstimate,
  RunFilter,
  RunFrame,
  RunInput,
  RunPage,
  RunRecord,
  RunResult,
  RunTrace,
  ToolInvocation,
  ToolUsage,
  TraconError,
} from "@tracon/core";
import type { ReadHeader } from "../telemetry/trace-parent.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** How a run is started. */
export type StartOptions = {
  /** Recorded on the run: whether somebody follows the answer as it comes. Default false. */
  readonly isStreaming?: boolean;
  /** Runs this version of a stored agent instead of the current one. */
  readonly agentVersion?: number;
  /** Cancels the run when it fires. A run outlives its watchers otherwise. */
  readonly signal?: AbortSignal;
  /**
   * Reads the headers of the request that starts the run: without an active span, they say which trace
   * it is part of.
   */
  readonly readHeader?: ReadHeader;
};

/** A run of this process. It goes on whether or not anyone reads it. */
export interface RunHandle {
  readonly runId: string;
  /** Resolves once the run has ended and its end is committed; never rejects for a failed run. */
  readonly result: Promise<RunResult>;
  /** The error that a run was failed with, once it has ended; absent for a fault that is none of ours. */
  readonly fault?: TraconError | undefined;
  /**
   * The native stream in batches: what was committed together arrives together. Starts at the
   * first frame, ends after `done` or `error`.
   */
  frames(): AsyncIterable<readonly RunFrame[]>;
}

/** Runs: starting, reading, following, cancelling. */
export interface Runs {
  /**
   * Checks the request, compiles the agent and starts the run. Throws before anything is recorded
   * when it cannot start: `agent_not_found`, `request_invalid`, `compilation_failed`, `draining`.
   */
  start(
    tenantId: string,
    agentName: string,
    request: unknown,
    options?: StartOptions,
  ): Promise<RunHandle>;
  /**
   * The size of the prompt a run would start with. Checks the request as `start` does and throws
   * what it throws, but records nothing and calls no model.
   */
  estimate(
    tenantId: string,
    agentName: string,
    request: unknown,
    options?: Pick<StartOptions, "agentVersion">,
  ): Promise<ContextWindowEstimate>;
  /** Throws `run_not_found`. */
  get(tenantId: string, runId: string): Promise<RunRecord>;
  /**
   * The whole tree that the run is part of, whichever member is asked: the root first, then the oldest,
   * at most 200. Throws `run_not_found`.
   */
  tree(tenantId: string, runId: string): Promise<readonly RunRecord[]>;
  list(tenantId: string, filter: RunFilter, page: RunPage): Promise<readonly RunRecord[]>;
  /**
   * Follows the journal from the event after `after` (−1 from the start) until the run has ended or
   * `signal` fires; live and past runs alike, in batches. Throws `run_not_found`, `cursor_invalid`.
   */
  events(
    tenantId: string,
    runId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<readonly RecordedEvent[]>>;
  /** One page of the journal as it stands. Throws `run_not_found`, `cursor_invalid`. */
  eventPage(
    tenantId: string,
    runId: string,
    range: { readonly after: number; readonly take: number },
  ): Promise<readonly RecordedEvent[]>;
  /** Asks a running run to end. Throws `run_not_found`, `run_not_cancelable`. */
  cancel(tenantId: string, runId: string): Promise<RunRecord>;
  /** Tool calls in order, also those still open. Throws `run_not_found`. */
  toolInvocations(tenantId: string, runId: string): Promise<readonly ToolInvocation[]>;
  /**
   * The spans of a run and of everything below it, from their journals; also while it is going on.
   * Throws `run_not_found`, and `run_trace_not_found` for a run that is not the root of its tree.
   */
  trace(tenantId: string, runId: string): Promise<RunTrace>;
  toolUsage(
    tenantId: string,
    query: { readonly startedAfter?: string; readonly maxTools: number },
  ): Promise<readonly ToolUsage[]>;
  /** Throws `run_not_found`, `run_input_not_found`. */
  input(tenantId: string, runId: string): Promise<RunInput>;
}
