import { type Finding, finding, type LoopCriterion, warning } from "@tracon/core";
import { DEFAULT_MODES, readMode } from "../../harness/agent-mode.ts";
import { readTodos, type TodoItem } from "../../harness/todo-list.ts";
import type { BuiltInCriterion, CriterionHost } from "../criterion-host.ts";

/** Stops once no item of the agent's todo list is open, or while the agent is in another mode. */
export const todoCompletion: BuiltInCriterion = {
  kind: "todoCompletion",
  description: "The todo list has no open item left.",
  reads: ["modes"],

  findings: (criterion, path, host) => [
    ...listFindings(path, host),
    ...modeFindings(criterion, path, host),
  ],

  create: ({ kind, modes }) => ({
    kind,
    async evaluate({ scope: { state } }) {
      const applies = modes.length === 0 || modes.includes(readMode(state));
      const open = applies ? readTodos(state).filter(({ isComplete }) => !isComplete) : [];
      return open.length === 0
        ? { decision: "stop" }
        : { decision: "continue", feedback: feedbackOf(open) };
    },
  }),
};

function listFindings(path: string, { hasTodoList }: CriterionHost): readonly Finding[] {
  if (hasTodoList) return [];
  const message =
    "a todoCompletion reads the todo list, which this agent does not have: set harness.disableTodoProvider to false";
  return [finding("loop_todo_list_missing", `${path}.kind`, message)];
}

function modeFindings(
  { modes }: LoopCriterion,
  path: string,
  { hasModes }: CriterionHost,
): readonly Finding[] {
  const blank = modes.flatMap((mode, index) =>
    mode.trim() === ""
      ? [finding("invalid_value", `${path}.modes[${index}]`, "a mode is not blank")]
      : [],
  );
  const [first] = DEFAULT_MODES;
  if (blank.length > 0 || modes.length === 0 || hasModes || modes.includes(first)) return blank;
  const message = `without agent modes this agent is always in the mode '${first}', which is not listed`;
  return [warning("loop_criterion_idle", `${path}.modes`, message)];
}

function feedbackOf(open: readonly TodoItem[]): string {
  const lines = open.map(
    ({ id, title, description = "" }) =>
      `- ${id}: ${title}${description === "" ? "" : ` (${description})`}`,
  );
  return [
    "Items of your todo list are still open. Finish them, and mark each one as complete when it is done:",
    ...lines,
  ].join("\n");
}
