import { expect, it } from "vitest";
import { RunState } from "../scope/run-state.ts";
import {
  addTodos,
  completeTodos,
  MAX_TODO_DESCRIPTION_LENGTH,
  MAX_TODO_TITLE_LENGTH,
  MAX_TODOS,
  readTodos,
  removeTodos,
} from "./todo-list.ts";

it("numbers items from 1 in their order and trims what they say", () => {
  const state = new RunState();

  const first = addTodos(state, [{ title: "  Read\n" }, { title: "Write", description: " all " }]);
  const second = addTodos(state, [{ title: "Send", description: "  " }]);

  expect(first).toEqual({
    items: [
      { id: 1, title: "Read", isComplete: false },
      { id: 2, title: "Write", description: "all", isComplete: false },
    ],
  });
  expect(second).toEqual({ items: [{ id: 3, title: "Send", isComplete: false }] });
  expect(readTodos(state).map(({ id }) => id)).toEqual([1, 2, 3]);
});

it("gives no number twice, also when the last item was removed", () => {
  const state = listOf("a", "b");
  removeTodos(state, new Set([1, 2]));

  const added = addTodos(state, [{ title: "c" }]);

  expect(added).toMatchObject({ items: [{ id: 3 }] });
});

it("counts as completed what was open, and nothing that is unknown or done already", () => {
  const state = listOf("a", "b", "c");

  const first = completeTodos(state, new Set([2, 9]));
  const second = completeTodos(state, new Set([2, 3, -1]));
  const third = completeTodos(state, new Set([2, 3]));

  expect([first, second, third]).toEqual([1, 1, 0]);
  expect(readTodos(state).map(({ isComplete }) => isComplete)).toEqual([false, true, true]);
});

it("counts as removed what was there", () => {
  const state = listOf("a", "b", "c");

  const removed = removeTodos(state, new Set([1, 3, 7]));

  expect(removed).toBe(2);
  expect(readTodos(state)).toMatchObject([{ id: 2, title: "b" }]);
});

it("changes nothing in the state when nothing changes in the list", () => {
  const state = listOf("a");
  const before = state.snapshot();

  addTodos(state, []);
  completeTodos(state, new Set([5]));
  removeTodos(state, new Set([5]));

  expect(state.snapshot()).toBe(before);
});

it("goes back with the state to what it was", () => {
  const state = listOf("a");
  const before = state.snapshot();
  addTodos(state, [{ title: "b" }]);
  completeTodos(state, new Set([1]));

  state.restore(before);

  expect(readTodos(state)).toEqual([{ id: 1, title: "a", isComplete: false }]);
});

const full = Array.from({ length: MAX_TODOS }, (_, index) => ({ title: `${index}` }));

it.each([
  ["a title that is blank", [{ title: "ok" }, { title: " \n" }], "Item 2 has no title"],
  [
    "a title that is too long",
    [{ title: "x".repeat(MAX_TODO_TITLE_LENGTH + 1) }],
    `Item 1 has a title of ${MAX_TODO_TITLE_LENGTH + 1} characters; it may have ${MAX_TODO_TITLE_LENGTH}`,
  ],
  [
    "a description that is too long",
    [{ title: "ok", description: "x".repeat(MAX_TODO_DESCRIPTION_LENGTH + 1) }],
    `Item 1 has a description of ${MAX_TODO_DESCRIPTION_LENGTH + 1} characters; it may have ${MAX_TODO_DESCRIPTION_LENGTH}`,
  ],
  [
    "more items than the list takes",
    full,
    `The list has 1 items and takes at most ${MAX_TODOS}; remove what is done, or add fewer`,
  ],
])("adds none of the items when there is %s", (_, added, problem) => {
  const state = listOf("before");

  expect(addTodos(state, added)).toEqual({ problem });
  expect(readTodos(state)).toHaveLength(1);
});

it("takes texts and items of exactly the largest size", () => {
  const state = new RunState();
  const title = "x".repeat(MAX_TODO_TITLE_LENGTH);
  const description = "y".repeat(MAX_TODO_DESCRIPTION_LENGTH);

  const added = addTodos(state, [...full.slice(1), { title: ` ${title} `, description }]);

  expect(added).toHaveProperty("items");
  expect(readTodos(state)).toHaveLength(MAX_TODOS);
});

it.each([
  ["null", null],
  ["a text", "todos"],
  ["another shape", { items: {}, nextId: 1 }],
  ["no next number", { items: [] }],
  ["an item that is none", { items: [{ id: 1, title: 7, isComplete: false }], nextId: 2 }],
  ["an item that is null", { items: [null], nextId: 2 }],
])("begins a new list when the session has %s in its place, and keeps the rest", (_, kept) => {
  const state = new RunState({ todos: kept, other: "kept" });

  expect(readTodos(state)).toEqual([]);
  addTodos(state, [{ title: "a" }]);

  expect(readTodos(state)).toMatchObject([{ id: 1 }]);
  expect(state.get("other")).toBe("kept");
});

function listOf(...titles: readonly string[]): RunState {
  const state = new RunState();
  addTodos(
    state,
    titles.map((title) => ({ title })),
  );
  return state;
}
