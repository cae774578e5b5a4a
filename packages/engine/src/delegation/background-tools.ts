/**
 * Callable agents as background tasks: six tools with which a model starts tasks, waits for them and
 * collects what they came to. What a model may get wrong is answered with a text.
 */

import type { BackgroundTask } from "../scope/background-tasks.ts";
import type { RefusedChild } from "../scope/child-call.ts";
import type { RunScope } from "../scope/run-scope.ts";
import { type EngineTool, engineTool } from "../tools/engine-tool.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { untilAborted } from "../tools/until-aborted.ts";
import type { Callee } from "./callee.ts";

export const backgroundTools = (callees: readonly Callee[]): readonly RegisteredTool[] => [
  startTask(callees),
  waitForFirst,
  taskResults,
  allTasks,
  continueTask,
  clearTask,
];

/** What the model is told of its agents, with every turn. */
export function backgroundInstructions(callees: readonly Callee[]): string {
  const agents = callees.map(({ name, description }) =>
    description === undefined ? `- ${name}` : `- ${name}: ${description}`,
  );
  return [
    "You can hand work to other agents as background tasks. They see nothing of this conversation, so give each all it needs. Start tasks that do not depend on each other together, wait for them, read their results, and clear a task once you have used its result.",
    "Agents:",
    ...agents,
  ].join("\n");
}

const taskTool = <Arguments>(tool: EngineTool<Arguments>): RegisteredTool =>
  engineTool({ ...tool, isDelegation: true });

const TASK_ID = { type: "integer", description: "Id of the task." };

const schemaOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

type StartInput = {
  readonly agentName: string;
  readonly input: string;
  readonly description: string;
};

const START_SCHEMA = schemaOf({
  agentName: { type: "string", description: "Name of the agent." },
  input: { type: "string", description: "What the agent is asked. It sees nothing else." },
  description: { type: "string", description: "A few words that tell the task from others." },
});

const startTask = (callees: readonly Callee[]): RegisteredTool =>
  taskTool<StartInput>({
    name: "background_agents_start_task",
    description: "Starts a task of another agent and returns its id at once.",
    inputSchema: START_SCHEMA,
    beginsChildren: true,
    async run({ agentName, input, description }, { scope }) {
      const callee = callees.find(({ name }) => name.toLowerCase() === agentName.toLowerCase());
      if (callee === undefined) {
        const names = callees.map(({ name }) => `'${name}'`).join(", ");
        return `Error: There is no agent '${agentName}'. There are ${names}.`;
      }
      if (input.trim() === "") return "Error: The input is empty: say what the agent is to do.";
      if (scope.tasks.isFull) return "Error: There are too many tasks: clear some of them.";
      const { name, version } = callee;
      const task = { agentName: name, version, input, description };
      return startedText(await scope.tasks.start(task), name);
    },
  });

const startedText = (started: BackgroundTask | RefusedChild, agentName: string): string =>
  "kind" in started
    ? `Error: Agent '${agentName}' was not started: ${started.reason}.`
    : `Task ${started.id} of agent '${agentName}' has started.`;

const waitForFirst = taskTool<{ readonly taskIds: readonly number[] }>({
  name: "background_agents_wait_for_first_completion",
  description: "Waits until the first of the tasks has ended and says which it was.",
  inputSchema: schemaOf({
    taskIds: { type: "array", items: TASK_ID, description: "Ids of the tasks to wait for." },
  }),
  isPolled: true,
  async run({ taskIds }, { scope, signal }) {
    if (taskIds.length === 0) return "Error: Give the id of at least one task.";
    const first = await untilAborted(signal, scope.tasks.firstOf(taskIds));
    const ended = first ?? taskIds.find((id) => isEnded(scope.tasks.find(id)));
    if (ended === undefined) return "Error: There are no such tasks.";
    const { status = "Lost" } = scope.tasks.find(ended) ?? {};
    return `Task ${ended} has ended: ${status}.`;
  },
});

const isEnded = (task: BackgroundTask | undefined): boolean =>
  task !== undefined && task.status !== "Running";

const taskResults = taskTool<{ readonly taskId: number }>({
  name: "background_agents_get_task_results",
  description: "Returns what a task came to.",
  inputSchema: schemaOf({ taskId: TASK_ID }),
  isPolled: true,
  run: ({ taskId }, { scope }) => {
    const task = scope.tasks.find(taskId);
    if (task === undefined) return unknownTask(taskId);
    switch (task.status) {
      case "Completed":
        return task.resultText || `Task ${taskId} completed with no output.`;
      case "Failed":
        return `Task failed: ${task.errorText}`;
      case "Lost":
        return `Task ${taskId} is lost: nobody runs it any more. Clear it, and start it again if it is still needed.`;
      case "Running":
        return `Task ${taskId} is still running.`;
    }
  },
});

const allTasks = taskTool<object>({
  name: "background_agents_get_all_tasks",
  description: "Lists all tasks with their status.",
  inputSchema: schemaOf({}),
  isPolled: true,
  run: (_, { scope }) => {
    const lines = scope.tasks
      .all()
      .map(
        ({ id, status, agentName, description }) =>
          `${id} | ${status} | ${agentName} | ${description}`,
      );
    return lines.length === 0 ? "There are no tasks." : lines.join("\n");
  },
});

const continueTask = taskTool<{ readonly taskId: number; readonly text: string }>({
  name: "background_agents_continue_task",
  description:
    "Goes on with the conversation of a task that has ended. Its old result is gone then.",
  inputSchema: schemaOf({
    taskId: TASK_ID,
    text: { type: "string", description: "What the agent is asked next." },
  }),
  beginsChildren: true,
  async run({ taskId, text }, { scope }) {
    const refused = notContinuable(scope, taskId);
    if (refused !== undefined) return refused;
    if (text.trim() === "") return "Error: The text is empty: say what the agent is to do.";
    const started = await scope.tasks.continue(taskId, text);
    if (started === undefined) return unknownTask(taskId);
    return "kind" in started
      ? `Error: Task ${taskId} was not continued: ${started.reason}.`
      : `Task ${taskId} of agent '${started.agentName}' goes on.`;
  },
});

function notContinuable({ tasks }: RunScope, id: number): string | undefined {
  const task = tasks.find(id);
  if (task === undefined) return unknownTask(id);
  if (task.status === "Running") return `Error: Task ${id} is still running.`;
  if (task.status === "Lost") return `Error: Task ${id} is lost and cannot be continued.`;
  if (tasks.canContinue(id)) return undefined;
  return `Error: The conversation of task ${id} is gone: start a new task.`;
}

const clearTask = taskTool<{ readonly taskId: number }>({
  name: "background_agents_clear_completed_task",
  description: "Drops a task that has ended, and its result.",
  inputSchema: schemaOf({ taskId: TASK_ID }),
  run: ({ taskId }, { scope }) => {
    const task = scope.tasks.find(taskId);
    if (task === undefined) return unknownTask(taskId);
    if (task.status === "Running") return `Error: Task ${taskId} is still running.`;
    scope.tasks.clear(taskId);
    return `Task ${taskId} is cleared.`;
  },
});

const unknownTask = (id: number): string => `Error: There is no task ${id}.`;
