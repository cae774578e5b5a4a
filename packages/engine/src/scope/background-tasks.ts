/**
 * Agents that run as tasks beside a run. Rows are kept in the run's state and outlive it; what runs, and
 * what was said, does not: a task that still ran when its run ended reads as lost afterwards.
 *
 *     Running ──▶ Completed ─┬─ continue ─▶ Running
 *        │   └──▶ Failed ────┘
 *        └──▶ Lost: nobody runs it any more
 */

import type {
  ChildOutcome,
  ChildRequest,
  RefusedChild,
  StartChild,
  StartedChild,
} from "./child-call.ts";
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
/**
 * Largest text of a task that is kept behind its run, in bytes of its JSON: the state of a session holds
 * those of `MAX_TASKS` tasks.
 */
const MAX_KEPT_BYTES = 8_192;
/** Longest description, in UTF-16 units: a few words are asked for. */
const MAX_DESCRIPTION_LENGTH = 200;

export class BackgroundTasks {
  readonly #state: RunState;
  readonly #startChild: StartChild;
  readonly #describe: (outcome: ChildOutcome) => string;
  readonly #running = new Map<number, Promise<void>>();
  /** Tasks that are about to go on. */
  readonly #continuing = new Set<number>();
  /** New tasks that have no row yet. */
  #starting = 0;
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
    return this.#kept.tasks.map((task) => {
      if (this.#continuing.has(task.id)) return { ...rowOf(task), status: "Running" };
      if (task.status !== "Running" || this.#running.has(task.id)) return task;
      return { ...task, status: "Lost" };
    });
  }

  /** A task with all it came to, as far as that is still there. */
  find(id: number): BackgroundTask | undefined {
    const task = this.all().find((it) => it.id === id);
    return task?.status === "Running" ? task : task && { ...task, ...this.#ends.get(id) };
  }

  get isFull(): boolean {
    return this.#kept.tasks.length + this.#starting >= MAX_TASKS;
  }

  /** Whether the conversation of a task is still there to go on with. */
  canContinue(id: number): boolean {
    return this.#lastRuns.has(id);
  }

  /** Begins a task; of one that is refused there is no row. */
  async start(task: NewTask): Promise<BackgroundTask | RefusedChild> {
    const { agentName, version, input: message } = task;
    this.#starting++;
    try {
      const started = await this.#begin({ agentName, version, message });
      if (started.kind === "refused") return started;
      const { nextId: id, tasks } = this.#kept;
      const description = cut(task.description, MAX_DESCRIPTION_LENGTH);
      const row: BackgroundTask = { id, agentName, description, status: "Running" };
      this.#keep({ nextId: id + 1, tasks: [...tasks, row] });
      this.#follow(row, started, version);
      return row;
    } finally {
      this.#starting--;
    }
  }

  /** Goes on with a task that has ended; its old result is gone. From the call on it reads as running. */
  async continue(id: number, message: string): Promise<BackgroundTask | RefusedChild | undefined> {
    const task = this.find(id);
    const last = this.#lastRuns.get(id);
    if (task === undefined || last === undefined) return undefined;
    const { agentName } = task;
    const { version, runId: continuesRunId } = last;
    this.#continuing.add(id);
    try {
      const started = await this.#begin({ agentName, version, message, continuesRunId });
      if (started.kind === "refused") return started;
      const row: BackgroundTask = { ...rowOf(task), status: "Running" };
      this.#replace(row);
      this.#follow(row, started, version);
      return row;
    } finally {
      this.#continuing.delete(id);
    }
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

  #begin(request: Omit<ChildRequest, "signal" | "isContinuable">) {
    return this.#startChild({ ...request, isContinuable: true, signal: this.#signal });
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
  ...(end.resultText === undefined ? {} : { resultText: bounded(end.resultText) }),
  ...(end.errorText === undefined ? {} : { errorText: bounded(end.errorText) }),
});

const rowOf = ({ id, agentName, description }: BackgroundTask) => ({ id, agentName, description });

function bounded(text: string): string {
  const bytes = jsonBytes(text);
  if (bytes <= MAX_KEPT_BYTES) return text;
  const mark = ` … (cut: ${text.length} characters)`;
  // Characters differ in their bytes, so what fits is found by trying less each time.
  let length = Math.floor((text.length * MAX_KEPT_BYTES) / bytes);
  while (length > 0 && jsonBytes(cut(text, length) + mark) > MAX_KEPT_BYTES) {
    length = Math.floor(length * 0.9);
  }
  return cut(text, length) + mark;
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed();

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
