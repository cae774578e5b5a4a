import { isJsonObject, type JsonObject } from "../form/json-path.ts";

type HarnessPart = { readonly tools: string; readonly what: string };

const TODO_LIST: HarnessPart = {
  tools: "todos_*",
  what: "five tools of a task list; every turn also reads the list and how to keep it.",
};
const AGENT_MODES: HarnessPart = {
  tools: "mode_*",
  what: "two tools of the mode, plan or execute; every turn also reads which one it is in.",
};

/** The parts of the harness that bring tools, as the server turns them on. */
export function harnessPartsOf({ harness, memory }: JsonObject): readonly HarnessPart[] {
  const settings = isJsonObject(harness) ? harness : undefined;
  const keepsTodos = isJsonObject(memory) && memory.enableTodo === true;
  const hasTodos = keepsTodos || (settings !== undefined && settings.disableTodoProvider !== true);
  const hasModes = settings !== undefined && settings.disableAgentModeProvider !== true;
  return [...(hasTodos ? [TODO_LIST] : []), ...(hasModes ? [AGENT_MODES] : [])];
}

export const HarnessTools = ({ parts }: { readonly parts: readonly HarnessPart[] }) =>
  parts.map(({ tools, what }) => (
    <p key={tools}>
      <code className="text-sm">{tools}</code>: {what}
    </p>
  ));
