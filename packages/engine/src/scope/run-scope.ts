import { BackgroundTasks } from "./background-tasks.ts";
import type { ChildOutcome, StartChild } from "./child-call.ts";
import { RunState } from "./run-state.ts";

/** What a run lends to what happens inside it: the engine's own tools, and the criteria of its loop. */
export type RunScope = {
  readonly state: RunState;
  readonly startChild: StartChild;
  readonly tasks: BackgroundTasks;
};

export type RunScopeOptions = {
  readonly startChild: StartChild;
  /** Begins a child that is a background task; as any other by default. */
  readonly startTask?: StartChild | undefined;
  /** Says what an outcome other than an answer was. */
  readonly describeOutcome: (outcome: ChildOutcome) => string;
  /** Nothing by default. */
  readonly state?: RunState;
};

export function createRunScope({
  startChild,
  startTask = startChild,
  describeOutcome,
  state = new RunState(),
}: RunScopeOptions): RunScope {
  return { state, startChild, tasks: new BackgroundTasks(state, startTask, describeOutcome) };
}
