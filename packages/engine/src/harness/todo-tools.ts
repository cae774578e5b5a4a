/** The tools with which a model keeps its task list. */

import { engineTool } from "../tools/engine-tool.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import {
  addTodos,
  completeTodos,
  MAX_TODO_DESCRIPTION_LENGTH,
  MAX_TODO_TITLE_LENGTH,
  MAX_TODOS,
  type NewTodo,
  readTodos,
  removeTodos,
} from "./todo-list.ts";

const objectOf = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const ID = { type: "integer", description: "Number of the item." };

const add = engineTool<{ readonly todos: readonly NewTodo[] }>({
  name: "todos_add",
  description: `Adds open items to your todo list and returns them with their numbers. The list takes ${MAX_TODOS} items; a title has at most ${MAX_TODO_TITLE_LENGTH} characters, a description ${MAX_TODO_DESCRIPTION_LENGTH}.`,
  inputSchema: objectOf(
    {
      todos: {
        type: "array",
        items: objectOf(
          {
            title: { type: "string", description: "What is to be done, in one line." },
            description: { type: "string", description: "What else matters for it." },
          },
          ["title"],
        ),
      },
    },
    ["todos"],
  ),
  run({ todos }, { scope }) {
    const added = addTodos(scope.state, todos);
    return "problem" in added ? `Error: ${added.problem}. Nothing was added.` : added.items;
  },
});

const complete = engineTool<{ readonly items: readonly { readonly id: number }[] }>({
  name: "todos_complete",
  description:
    "Marks items of your todo list as done and returns how many were open until now. Call it as soon as an item is done.",
  inputSchema: objectOf(
    {
      items: {
        type: "array",
        items: objectOf(
          { id: ID, reason: { type: "string", description: "Why it counts as done." } },
          ["id", "reason"],
        ),
      },
    },
    ["items"],
  ),
  run: ({ items }, { scope }) => completeTodos(scope.state, new Set(items.map(({ id }) => id))),
});

const remove = engineTool<{ readonly ids: readonly number[] }>({
  name: "todos_remove",
  description: "Removes items from your todo list, done or not, and returns how many it removed.",
  inputSchema: objectOf({ ids: { type: "array", items: ID } }, ["ids"]),
  run: ({ ids }, { scope }) => removeTodos(scope.state, new Set(ids)),
});

const getRemaining = engineTool({
  name: "todos_get_remaining",
  description: "Returns the open items of your todo list.",
  inputSchema: objectOf({}, []),
  run: (_, { scope }) => readTodos(scope.state).filter(({ isComplete }) => !isComplete),
});

const getAll = engineTool({
  name: "todos_get_all",
  description: "Returns all items of your todo list, open and done.",
  inputSchema: objectOf({}, []),
  run: (_, { scope }) => readTodos(scope.state),
});

/** The same for all agents. */
export const todoTools: readonly RegisteredTool[] = [add, complete, remove, getRemaining, getAll];
