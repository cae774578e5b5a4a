/** The task list a model keeps for itself: what stands in it, as it is kept in the run's state. */

import type { RunState } from "../scope/run-state.ts";

export type TodoItem = {
  /** From 1, never given twice. */
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly isComplete: boolean;
};

type Kept = { readonly nextId: number; readonly items: readonly TodoItem[] };

const STATE_KEY = "todos";

/** The list in the order of its ids. */
export const readTodos = (state: RunState): readonly TodoItem[] =>
  (state.get(STATE_KEY) as Kept | undefined)?.items ?? [];
