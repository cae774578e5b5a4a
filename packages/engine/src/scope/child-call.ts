/** One agent called by another: what is asked, and every way in which it can end. */

import type { ErrorCode, RunError } from "@tracon/core";

/** A call of an agent from within a run. */
export type ChildRequest = {
  readonly agentName: string;
  /** Absent runs the current version. */
  readonly version?: number | undefined;
  readonly message: string;
  /** The run of a call before it whose conversation goes on; absent begins one. */
  readonly continuesRunId?: string | undefined;
  /** A later call may go on with this one. */
  readonly isContinuable?: boolean;
  /** Fires when the caller waits no longer: the child is canceled. */
  readonly signal: AbortSignal;
};

/** A child run, by what is recorded of it. */
export type ChildIdentity = {
  readonly runId: string;
  readonly agentName: string;
  readonly agentVersion: number | undefined;
};

/** The call was not begun, and there is no run of it. The reason can be read by a model. */
export type RefusedChild = {
  readonly kind: "refused";
  readonly code: ErrorCode;
  readonly reason: string;
};

/**
 * What a call came to. Nothing of it is an exception: a model reads each of them.
 *
 * | kind | the child |
 * |---|---|
 * | `answered` | completed |
 * | `failed` | failed; a provider that broke off is one of these, and no limit on the wait |
 * | `canceled` | was canceled: by its caller, by a person, or because the process stops |
 * | `timedOut` | listened to its deadline, or goes on behind the hard cutoff and is not waited for |
 * | `refused` | never began |
 */
export type ChildOutcome =
  | { readonly kind: "answered"; readonly child: ChildIdentity; readonly text: string }
  | { readonly kind: "failed"; readonly child: ChildIdentity; readonly error: RunError }
  | { readonly kind: "canceled"; readonly child: ChildIdentity }
  | {
      readonly kind: "timedOut";
      readonly child: ChildIdentity;
      readonly layer: "deadline" | "cutoff";
      readonly limitMs: number;
    }
  | RefusedChild;

/** A call that has begun. */
export type StartedChild = {
  readonly kind: "started";
  readonly child: ChildIdentity;
  /** Within the limits on the wait; never rejects. */
  readonly outcome: Promise<ChildOutcome>;
};

/** Begins a child of the run. What is no error of ours rejects. */
export type StartChild = (request: ChildRequest) => Promise<StartedChild | RefusedChild>;

/** Begins a child and waits for what it comes to. What is no error of ours rejects. */
export async function callChild(start: StartChild, request: ChildRequest): Promise<ChildOutcome> {
  const started = await start(request);
  return started.kind === "refused" ? started : started.outcome;
}
