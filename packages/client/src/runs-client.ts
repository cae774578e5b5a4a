import type {
  RunEvent,
  RunInput,
  RunKind,
  RunRecord,
  RunStatus,
  RunTrace,
  ToolInvocation,
} from "@tracon/core";
import { type FollowOptions, followEvents } from "./follow-events.ts";
import { pageQuery } from "./next-page.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Which runs a list holds, and which part of it. Everything given must match. */
export type RunListQuery = {
  readonly agentName?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly kind?: RunKind | undefined;
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly errorType?: string | undefined;
  /** ISO 8601, UTC; runs started at or after it. */
  readonly startedAfter?: string | undefined;
  readonly includeChildren?: boolean | undefined;
  readonly parentRunId?: string | undefined;
  readonly rootRunId?: string | undefined;
  readonly skip?: number | undefined;
  /** 1 to 200; 50 when absent. */
  readonly take?: number | undefined;
};

/** Part of a list that grows. */
export type RunList = {
  /** Newest first. */
  readonly items: readonly RunRecord[];
  /** Where the list goes on: give it as `next` to the same call. Absent at the end. */
  readonly next: string | undefined;
};

/** Runs: reading, following, cancelling. Every call fails with `run_not_found` for an unknown id. */
export type RunsClient = {
  /** A first page by its filter, or the page that the `next` of another one names. */
  list(query?: RunListQuery | { readonly next: string }, options?: CallOptions): Promise<RunList>;
  get(runId: string, options?: CallOptions): Promise<RunRecord>;
  /**
   * The whole tree that the run is part of, whichever member is asked: the root first, then the oldest,
   * at most 200.
   */
  tree(runId: string, options?: CallOptions): Promise<readonly RunRecord[]>;
  /**
   * Every event after `after`, in order, without gap or repetition, until the run has ended. A lost
   * connection is continued; it fails with `connection_lost` when that does not work.
   */
  events(runId: string, options?: FollowOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** The events that are there now: at most `take` (1 to 200, default 50), after `after` (default −1). */
  eventPage(
    runId: string,
    range?: { readonly after?: number; readonly take?: number },
    options?: CallOptions,
  ): Promise<readonly RunEvent[]>;
  /** Asks a running run to end; its end is then in its record. Fails with `run_not_cancelable`. */
  cancel(runId: string, options?: CallOptions): Promise<RunRecord>;
  /** Tool calls in order, also those without an outcome yet. */
  tools(runId: string, options?: CallOptions): Promise<readonly ToolInvocation[]>;
  /**
   * What the run and everything below it did and when, as a tree of spans; also while it is going on.
   * Fails with `run_trace_not_found` for a run that is not the root of its tree.
   */
  trace(runId: string, options?: CallOptions): Promise<RunTrace>;
  /** What the run was asked. Fails with `run_input_not_found` when that was not recorded. */
  input(runId: string, options?: CallOptions): Promise<RunInput>;
};

export function runsClient(transport: Transport): RunsClient {
  return {
    list: (query = {}, { signal } = {}) =>
      transport.page("runs.list", {
        path: {},
        query: "next" in query ? pageQuery(query.next) : query,
        signal,
      }),
    get: (runId, { signal } = {}) => transport.json("runs.get", { path: { runId }, signal }),
    tree: (runId, { signal } = {}) => transport.json("runs.tree", { path: { runId }, signal }),
    events: (runId, options = {}) => followEvents(transport, runId, options),
    eventPage: (runId, { after = -1, take } = {}, { signal } = {}) =>
      transport.json("runs.events", {
        path: { runId },
        query: { after: after < 0 ? undefined : after, take },
        signal,
      }),
    cancel: (runId, { signal } = {}) => transport.json("runs.cancel", { path: { runId }, signal }),
    tools: (runId, { signal } = {}) => transport.json("runs.tools", { path: { runId }, signal }),
    trace: (runId, { signal } = {}) => transport.json("runs.trace", { path: { runId }, signal }),
    input: (runId, { signal } = {}) => transport.json("runs.input", { path: { runId }, signal }),
  };
}
