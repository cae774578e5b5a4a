/**
 * Agents that run as tasks beside a run. Rows are kept in the run's state and outlive it; what runs, and
 * what was said, does not: a task that still ran when its run ended reads as lost afterwards.
 *
 *     Running ──▶ Completed ─┬─ continue ─▶ Running
 *        │   └──▶ Failed ────┘
 *        └──▶ Lost: nobody runs it any more
 */

import type { ChildOutcome, RefusedChild, StartChild, StartedChild } from "./child-call.ts";
import type { RunState } from "./run-state.ts";

/** A task as it is kept. */
export type BackgroundTask = {
  /** From 1, never given twice in a session. */
  readonly id: number;
  readonly agentName: string;
  readonly description: string;
  readonly status: "Running" | "Completed" | "Failed" | "Lost";
  /** Of a completed task. */
  readonly resultText?: string;
  /** Of a failed task. */
  readonly errorText?: string;
};

export type NewTask = {
  readonly agentName: string;
  readonly version: number | undefined;
  readonly input: string;
  readonly description: string;
};

type TaskEnd = Pick<BackgroundTask, "status" | "resultText" | "errorText">;
type Kept = { readonly nextId: number; readonly tasks: readonly BackgroundTask[] };

/** Where the tasks stand in the run's state. */
export const BACKGROUND_TASKS_KEY = "backgroundTasks";
/** Tasks of a session: a list that a model still can read. */
export const MAX_TASKS = 100;
/** Longest text of a task that is kept behind its run, in UTF-16 units: the state of a session is small. */
const MAX_KEPT_LENGTH = 2_048;

export class BackgroundTasks {
  readonly #state: RunState;
  readonly #startChild: StartChild;
  readonly #describe: (outcome: ChildOutcome) => string;
  readonly #running = new Map<number, Promise<void>>();
  /** The run that a task would go on with. */
  readonly #lastRuns = new Map<number, Pick<NewTask, "version"> & { readonly runId: string }>();
  /** What tasks of this run came to, whole. */
  readonly #ends = new Map<number, TaskEnd>();
  /** Absent until the first task: most runs have none. */
  #stop: AbortController | undefined;

  constructor(
    state: RunState,
    startChild: StartChild,
    /** Says what an outcome other than an answer was. */
    describe: (outcome: ChildOutcome) => string,
  ) {
    this.#state = state;
    this.#startChild = startChild;
    this.#describe = describe;
  }

  /** All tasks as they stand. */
  all(): readonly BackgroundTask[] {
    return this.#kept.tasks.map((task) =>
      task.status === "Running" && !this.#running.has(task.id) ? { ...task, status: "Lost" } : task,
    );
  }

  /** A task with all it came to, as far as that is still there. */
  find(id: number): BackgroundTask | undefined {
    const task = this.all().find((it) => it.id === id);
    return task && { ...task, ...this.#ends.get(id) };
  }

  get isFull(): boolean {
    return this.#kept.tasks.length >= MAX_TASKS;
  }

  /** Whether the conversation of a task is still there to go on with. */
  canContinue(id: number): boolean {
    return this.#lastRuns.has(id);
  }

  /** Begins a task; of one that is refused there is no row. */
  async start(task: NewTask): Promise<BackgroundTask | RefusedChild> {
    const { input: message, version } = task;
    const started = await this.#startChild({
      agentName: task.agentName,
      version,
      message,
      isContinuable: true,
      signal: this.#signal,
    });
    if (started.kind === "refused") return started;
    const { nextId: id, tasks } = this.#kept;
    const { agentName, description } = task;
    const row: BackgroundTask = { id, agentName, description, status: "Running" };
    this.#keep({ nextId: id + 1, tasks: [...tasks, row] });
    this.#follow(row, started, version);
    return row;
  }

  /** Goes on with a task that has ended; its old result is gone. */
  async continue(id: number, text: string): Promise<BackgroundTask | RefusedChild | undefined> {
    const task = this.find(id);
    const last = this.#lastRuns.get(id);
    if (task === undefined || last === undefined) return undefined;
    const { agentName, description } = task;
    const started = await this.#startChild({
      agentName,
      version: last.version,
      message: text,
      continuesRunId: last.runId,
      isContinuable: true,
      signal: this.#signal,
    });
    if (started.kind === "refused") return started;
    const row: BackgroundTask = { id, agentName, description, status: "Running" };
    this.#replace(row);
    this.#follow(row, started, last.version);
    return row;
  }

  /** Drops a task that is not running. */
  clear(id: number): void {
    const { nextId, tasks } = this.#kept;
    this.#keep({ nextId, tasks: tasks.filter((task) => task.id !== id) });
    this.#lastRuns.delete(id);
    this.#ends.delete(id);
  }

  /** Resolves with the first of the running ones that ends; `undefined` when none of them runs. */
  async firstOf(ids: readonly number[]): Promise<number | undefined> {
    const running = ids.flatMap((id) => {
      const settled = this.#running.get(id);
      return settled === undefined ? [] : [settled.then(() => id)];
    });
    return running.length === 0 ? undefined : Promise.race(running);
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** The run ends: what still runs is canceled, and waited for unless its caller gave it up. */
  async release(): Promise<void> {
    this.#stop?.abort(new DOMException("the run that started the task has ended", "AbortError"));
    await Promise.all(this.#running.values());
  }

  get #signal(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  #follow(row: BackgroundTask, { child, outcome }: StartedChild, version: number | undefined) {
    this.#lastRuns.set(row.id, { runId: child.runId, version });
    this.#ends.delete(row.id);
    const settled = outcome.then((ended) => {
      this.#running.delete(row.id);
      // What its own run cut off was never collected: it reads as lost.
      if (this.#signal.aborted) return;
      const end = this.#endOf(ended);
      this.#ends.set(row.id, end);
      this.#replace({ ...row, ...kept(end) });
    });
    this.#running.set(row.id, settled);
  }

  #endOf(outcome: ChildOutcome): TaskEnd {
    return outcome.kind === "answered"
      ? { status: "Completed", resultText: outcome.text }
      : { status: "Failed", errorText: this.#describe(outcome) };
  }

  #replace(row: BackgroundTask): void {
    const { nextId, tasks } = this.#kept;
    this.#keep({ nextId, tasks: tasks.map((task) => (task.id === row.id ? row : task)) });
  }

  get #kept(): Kept {
    return (this.#state.get(BACKGROUND_TASKS_KEY) as Kept | undefined) ?? { nextId: 1, tasks: [] };
  }

  #keep(kept: Kept): void {
    this.#state.set(BACKGROUND_TASKS_KEY, kept);
  }
}

const kept = (end: TaskEnd): TaskEnd => ({
  ...end,
  ...(end.resultText === undefined ? {} : { resultText: cut(end.resultText) }),
  ...(end.errorText === undefined ? {} : { errorText: cut(end.errorText) }),
});

const cut = (text: string): string =>
  text.length <= MAX_KEPT_LENGTH
    ? text
    : `${text.slice(0, MAX_KEPT_LENGTH).toWellFormed()} … (cut: ${text.length} characters)`;
