/** The tools section: every name resolves, none is listed twice, and what is strict can be. */

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type Finding, finding } from "@tracon/core";
import type { RegisteredTool, ToolRegistry } from "../tools/tool-registry.ts";

export type CompiledTools = {
  readonly byName: ReadonlyMap<string, RegisteredTool>;
  /** As offered to the model, in the order of the definition. */
  readonly offered: LanguageModelV4FunctionTool[];
};

/**
 * Compiles the names, and puts the engine's own tools behind them; pushes what is wrong with the names.
 * Whoever adds a tool of the engine says when its name is taken.
 */
export function compileTools(
  toolNames: readonly string[],
  registry: Pick<ToolRegistry, "get">,
  engineTools: readonly RegisteredTool[],
  findings: Finding[],
): CompiledTools {
  return toolsWith(namedTools(toolNames, registry, findings), engineTools);
}

/** The tools with further ones behind them. */
export const withTools = ({ byName }: CompiledTools, added: readonly RegisteredTool[]) =>
  toolsWith(byName, added);

function toolsWith(
  known: ReadonlyMap<string, RegisteredTool>,
  added: readonly RegisteredTool[],
): CompiledTools {
  const byName = new Map(known);
  for (const tool of added) byName.set(tool.name, tool);
  return { byName, offered: [...byName.values()].map(offer) };
}

function namedTools(
  toolNames: readonly string[],
  registry: Pick<ToolRegistry, "get">,
  findings: Finding[],
): ReadonlyMap<string, RegisteredTool> {
  const byName = new Map<string, RegisteredTool>();
  for (const [index, name] of toolNames.entries()) {
    const path = `toolNames[${index}]`;
    const tool = registry.get(name);
    if (tool === undefined) {
      findings.push(finding("unknown_tool", path, `no tool named '${name}' is registered`));
    } else if (byName.has(name)) {
      findings.push(finding("duplicate_name", path, `tool '${name}' is listed more than once`));
    } else {
      byName.set(name, tool);
      findings.push(...strictFindings(tool, path));
    }
  }
  return byName;
}

/** A provider refuses every call that offers such a tool, so it is refused before there is one. */
function strictFindings({ name, strictProblems }: RegisteredTool, path: string): Finding[] {
  if (strictProblems.length === 0) return [];
  const message = `tool '${name}' is strict, but no provider's strict mode carries its schema (${strictProblems.join("; ")}): change the schema, or register the tool without strict`;
  return [finding("strict_schema_unsupported", path, message)];
}

const offer = (tool: RegisteredTool): LanguageModelV4FunctionTool => ({
  type: "function",
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  inputSchema: tool.schema.jsonSchema,
  ...(tool.strict === undefined ? {} : { strict: tool.strict }),
});
