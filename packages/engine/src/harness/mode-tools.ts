/** The tools with which a model reads and changes the mode it is in. */

import { engineTool } from "../tools/engine-tool.ts";
import type { RegisteredTool } from "../tools/tool-registry.ts";
import { changeMode, DEFAULT_MODES, readMode } from "./agent-mode.ts";

const set = engineTool<{ readonly mode: string }>({
  name: "mode_set",
  description: "Changes the mode you work in.",
  inputSchema: {
    type: "object",
    // A name that is none fails the call before anything is done, and the model reads which there are.
    properties: { mode: { type: "string", enum: DEFAULT_MODES } },
    required: ["mode"],
    additionalProperties: false,
  },
  run({ mode }, { scope }) {
    changeMode(scope.state, mode);
    return `You are in mode '${mode}' now.`;
  },
});

const get = engineTool({
  name: "mode_get",
  description: "Returns the mode you work in.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  run: (_, { scope }) => readMode(scope.state),
});

/** The same for all agents. */
export const modeTools: readonly RegisteredTool[] = [set, get];
