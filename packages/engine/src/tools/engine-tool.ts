/**
 * A tool of the engine itself: of an agent that is called, of the todo list. It is no registered tool, so
 * nobody authorizes, approves or times it; its arguments are checked and its calls recorded as any.
 */

import type { RunScope } from "../scope/run-scope.ts";
import { argumentValidationLink } from "./chain/argument-validation.ts";
import { TOOL_FAILED_TEXT } from "./chain/body.ts";
import type { RunToolCall, ToolCall, ToolOutcome } from "./chain/tool-link.ts";
import type { RegisteredTool } from "./tool-registry.ts";
import { schemaOfJson } from "./tool-schema.ts";
import type { ToolSettings } from "./tool-settings.ts";

export type EngineToolCall = Pick<ToolCall, "callId" | "agentName" | "tenantId" | "runId"> & {
  readonly scope: RunScope;
  /** Fires when the run is cancelled; whatever waits has to listen to it. */
  readonly signal: AbortSignal;
};

export type EngineTool<Arguments> = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Equal calls with equal results wait for something. Default false. */
  readonly isPolled?: boolean;
  /** What it does is done by other agents. Default false. */
  readonly isDelegation?: boolean;
  /**
   * All that a call does is begin child runs, and none of them begins before the call is on disk, so the call
   * itself need not wait for that. Default false.
   */
  readonly beginsChildren?: boolean;
  /** Name of the agent that a call asks and waits for. */
  readonly asksAgent?: string;
  /**
   * What the model reads: a text, or any value that JSON can express. What a model may get wrong is
   * answered with a text; what is thrown counts as a failed call and says nothing.
   */
  run(input: Arguments, call: EngineToolCall): unknown;
};

export function engineTool<Arguments>(tool: EngineTool<Arguments>): RegisteredTool {
  const { name, description, inputSchema } = tool;
  const settings: ToolSettings = {
    name,
    description,
    schema: schemaOfJson(inputSchema),
    effect: undefined,
    safeToRepeat: false,
    isPolled: tool.isPolled ?? false,
    isDelegation: tool.isDelegation ?? false,
    asksAgent: tool.asksAgent,
    strict: undefined,
    strictProblems: [],
    execute: undefined,
    toModelOutput: undefined,
    authorize: undefined,
    approval: "never",
    present: undefined,
    requiredPermission: undefined,
    timeoutMs: 0,
    maxOutputBytes: undefined,
  };
  return { ...settings, call: argumentValidationLink.wrap(bodyOf(tool), settings) };
}

const bodyOf =
  <Arguments>(tool: EngineTool<Arguments>): RunToolCall =>
  async (call) => {
    // The intent is on disk before anything is done.
    if (tool.beginsChildren !== true) await call.starting();
    call.signal.throwIfAborted();
    return call.around(() => outcomeOf(tool, call));
  };

async function outcomeOf<Arguments>(
  tool: EngineTool<Arguments>,
  call: ToolCall,
): Promise<ToolOutcome> {
  try {
    const value = await tool.run(call.arguments as Arguments, call);
    call.signal.throwIfAborted();
    return read(value);
  } catch (cause) {
    call.signal.throwIfAborted();
    return { ok: false, kind: "Failed", error: TOOL_FAILED_TEXT, cause };
  }
}

function read(value: unknown): ToolOutcome {
  if (typeof value === "string")
    return { ok: true, output: { type: "text", value }, result: value };
  const result = JSON.stringify(value);
  return { ok: true, output: { type: "json", value: JSON.parse(result) }, result };
}
