/**
 * The task list a model keeps for itself, as it is kept in the run's state.
 *
 * Each change reads the list and writes it without waiting for anything in between, so tool calls that
 * run at the same time lose nothing of each other.
 */

import type { RunState } from "../scope/run-state.ts";

export type TodoItem = {
  /** From 1, never given twice. */
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly isComplete: boolean;
};

/** An item as a model writes it. */
export type NewTodo = Pick<TodoItem, "title" | "description">;

/** Items of one list, open and done: the whole list is part of every prompt. */
export const MAX_TODOS = 100;
/** Longest title, in characters. */
export const MAX_TODO_TITLE_LENGTH = 200;
/** Longest description, in characters. */
export const MAX_TODO_DESCRIPTION_LENGTH = 1_000;

type Kept = { readonly nextId: number; readonly items: readonly TodoItem[] };

const STATE_KEY = "todos";
const EMPTY: Kept = { nextId: 1, items: [] };

/** The list in the order of its ids. */
export const readTodos = (state: RunState): readonly TodoItem[] => keptIn(state).items;

/** Adds all of the items, or none and says why. */
export function addTodos(
  state: RunState,
  added: readonly NewTodo[],
): { readonly items: readonly TodoItem[] } | { readonly problem: string } {
  const { nextId, items } = keptIn(state);
  const trimmed = added.map(({ title, description = "" }) => ({
    title: title.trim(),
    description: description.trim(),
  }));
  const problem = roomProblem(items.length, added.length) ?? firstProblem(trimmed);
  if (problem !== undefined) return { problem };
  const created = trimmed.map(({ title, description }, index): TodoItem => {
    const id = nextId + index;
    return { id, title, ...(description === "" ? {} : { description }), isComplete: false };
  });
  if (created.length > 0) {
    state.set(STATE_KEY, { nextId: nextId + created.length, items: [...items, ...created] });
  }
  return { items: created };
}

/** Marks items as done. Answers with how many of them were open. */
export function completeTodos(state: RunState, ids: ReadonlySet<number>): number {
  const { nextId, items } = keptIn(state);
  const completed = items.filter(({ id, isComplete }) => !isComplete && ids.has(id)).length;
  if (completed === 0) return 0;
  const marked = items.map((item) => (ids.has(item.id) ? { ...item, isComplete: true } : item));
  state.set(STATE_KEY, { nextId, items: marked });
  return completed;
}

/** Removes items. Answers with how many of them there were. */
export function removeTodos(state: RunState, ids: ReadonlySet<number>): number {
  const { nextId, items } = keptIn(state);
  const left = items.filter(({ id }) => !ids.has(id));
  const removed = items.length - left.length;
  if (removed > 0) state.set(STATE_KEY, { nextId, items: left });
  return removed;
}

/** What another version left there, and this one cannot read, counts as nothing. */
function keptIn(state: RunState): Kept {
  const kept = state.get(STATE_KEY) as Partial<Kept> | null | undefined;
  const isReadable =
    Number.isSafeInteger(kept?.nextId) && Array.isArray(kept?.items) && kept.items.every(isTodo);
  return isReadable ? (kept as Kept) : EMPTY;
}

const isTodo = (item: Partial<TodoItem> | null): boolean =>
  Number.isSafeInteger(item?.id) &&
  typeof item?.title === "string" &&
  typeof item.isComplete === "boolean";

function roomProblem(known: number, added: number): string | undefined {
  if (known + added <= MAX_TODOS) return undefined;
  return `The list has ${known} items and takes at most ${MAX_TODOS}; remove what is done, or add fewer`;
}

function firstProblem(added: readonly Required<NewTodo>[]): string | undefined {
  for (const [index, { title, description }] of added.entries()) {
    const item = `Item ${index + 1}`;
    if (title === "") return `${item} has no title`;
    if (title.length > MAX_TODO_TITLE_LENGTH) {
      return `${item} has a title of ${title.length} characters; it may have ${MAX_TODO_TITLE_LENGTH}`;
    }
    if (description.length > MAX_TODO_DESCRIPTION_LENGTH) {
      return `${item} has a description of ${description.length} characters; it may have ${MAX_TODO_DESCRIPTION_LENGTH}`;
    }
  }
  return undefined;
}
