/** Shows a model its task list at the start of every turn. */

import { type HarnessProvider, noteToModel } from "./harness-provider.ts";
import { readTodos, type TodoItem } from "./todo-list.ts";

const INSTRUCTIONS = `## Todo list
You have a todo list of your own, which lasts as long as this conversation. Use it for work of more than one step:
- Write the steps down with todos_add before you begin, one item for each.
- Mark an item with todos_complete as soon as it is done, and not before.
- Take out with todos_remove what turned out to be unnecessary.
Every turn shows you the list as it stood when the turn began. The work is finished when no item is open.`;

const EMPTY_LIST = "Your todo list is empty.";

export const todoProvider: HarnessProvider = {
  name: "todo-list",
  before: ({ state }) => ({
    instructions: INSTRUCTIONS,
    messages: [noteToModel(listText(readTodos(state)))],
  }),
};

const listText = (items: readonly TodoItem[]): string =>
  items.length === 0 ? EMPTY_LIST : ["Your todo list:", ...items.map(lineOf)].join("\n");

function lineOf({ id, title, description, isComplete }: TodoItem): string {
  const state = isComplete ? "done" : "open";
  const text = description === undefined ? title : `${title} (${description})`;
  // An item is one line, so that no text in it passes for another item.
  return `- ${id} [${state}] ${text.replaceAll(/\s+/g, " ")}`;
}
