/** What a run did, chapter by chapter. */

import type { ApprovalRequest, LoopJudgeCall, RunEventPayload } from "@tracon/core";

export type ModelCall = {
  readonly kind: "model";
  readonly key: string;
  readonly iteration: number;
  /** Within the iteration, from 0. */
  readonly step: number;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
  readonly text: string;
  readonly reasoning: string;
  /** What the call reported at its end. */
  readonly completed: RunEventPayload<"MessageCompleted"> | undefined;
};

export type ToolCall = {
  readonly kind: "tool";
  readonly key: string;
  readonly iteration: number;
  readonly step: number;
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string | undefined;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
  readonly errorKind: RunEventPayload<"ToolFailed">["kind"] | undefined;
  readonly omittedBytes: number;
  /** The run ended before it was run, to let a person decide that. */
  readonly isHeld: boolean;
};

export type Decision = {
  readonly kind: "decision";
  readonly key: string;
  readonly atMs: number;
  readonly payload: RunEventPayload<"LoopIterationCompleted">;
};

/** A call the run ended for, to let a person decide it. */
export type Waiting = {
  readonly kind: "approval";
  readonly key: string;
  readonly atMs: number;
  readonly request: ApprovalRequest;
};

/** Something that happened at one moment, such as a fallback or a compaction. */
export type Moment = {
  readonly kind: "moment";
  readonly key: string;
  readonly atMs: number;
  readonly title: string;
  readonly payload: unknown;
};

export type ChildCall = {
  readonly kind: "child";
  readonly key: string;
  /** The iteration of the run in which it was called. */
  readonly iteration: number;
  /** Called by a criterion of the loop, when the model had answered, and not by a tool. */
  readonly isReview: boolean;
  readonly called: RunEventPayload<"ChildRunStarted">;
  readonly startedMs: number;
  /** When it ended or, for one that is not waited for, when the wait did. */
  readonly endedMs: number | undefined;
  readonly status: string | undefined;
  /** The layer that ended the wait. */
  readonly timedOut: "deadline" | "cutoff" | undefined;
};

/** A call of the model that judges the work of a loop. */
export type JudgeCall = {
  readonly kind: "judge";
  readonly key: string;
  readonly iteration: number;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly call: LoopJudgeCall;
};

/** Steps that came again and changed nothing. */
export type ProgressWarning = {
  readonly kind: "warning";
  readonly key: string;
  readonly iteration: number;
  readonly atMs: number;
  readonly title: string;
  readonly step: ProgressStep;
};

/** What is recorded of such steps; an installation may say more. */
export type ProgressStep = {
  readonly kind: string;
  readonly repeats: number;
  readonly action: string;
  readonly iteration: number;
  readonly waits?: boolean;
};

export type Chapter =
  | ModelCall
  | ToolCall
  | ChildCall
  | JudgeCall
  | ProgressWarning
  | Decision
  | Waiting
  | Moment;
