/** What both surfaces refuse with 400, as the real service does. */

/** A JSON object as it came in. */
export type Json = Readonly<Record<string, unknown>>;

/** Why a request is refused, with the member it is about. */
export type Refusal = { readonly message: string; readonly param: string };

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const refusal = (param: string, message: string): Refusal => ({ param, message });

export const isJson = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";

export function refuseModel(body: Json): Refusal | undefined {
  return isText(body.model) ? undefined : refusal("model", "you must provide a model parameter");
}

/** Refuses an empty tool list, tools with illegal names, and tool options without tools. */
export function refuseTools(body: Json, nameOf: (tool: Json) => unknown): Refusal | undefined {
  const { tools } = body;
  if (tools === undefined || tools === null) {
    const option = ["tool_choice", "parallel_tool_calls"].find((it) => body[it] !== undefined);
    if (option === undefined) return undefined;
    return refusal(option, `'${option}' is only allowed when 'tools' are specified`);
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return refusal("tools", "[] is too short - 'tools'");
  }
  for (const [index, tool] of tools.entries()) {
    // Hosted tools have a type of their own and no name.
    if (!isJson(tool) || tool.type !== "function") continue;
    const refused = refuseToolName(nameOf(tool), `tools[${index}]`);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

export function refuseToolName(name: unknown, param: string): Refusal | undefined {
  if (typeof name === "string" && TOOL_NAME.test(name)) return undefined;
  return refusal(`${param}.name`, `the name does not match the pattern '${TOOL_NAME.source}'`);
}

export function refuseArguments(text: unknown, param: string): Refusal | undefined {
  if (typeof text === "string" && isObjectText(text)) return undefined;
  return refusal(`${param}.arguments`, "the arguments are not the text of a JSON object");
}

function isObjectText(text: string): boolean {
  try {
    return isJson(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The first refusal of a list that is checked in order. */
export function firstRefusal(
  ...checks: readonly (() => Refusal | undefined)[]
): Refusal | undefined {
  for (const check of checks) {
    const refused = check();
    if (refused !== undefined) return refused;
  }
  return undefined;
}
