/**
 * The tools an application registered in code. Definitions name them; nothing stored defines one.
 */

import type { Tool } from "@ai-sdk/provider-utils";
import { type Finding, finding, type ToolDescriptor } from "@tracon/core";
import { strictProblems } from "./strict-schema.ts";
import { readToolSchema, type ToolSchema } from "./tool-schema.ts";

/** What running a tool may change. Information for people and for continuation after a crash. */
export type ToolEffect = "read" | "idempotent" | "reversible" | "irreversible";

/** A tool with what Tracon wants to know about it beyond the AI SDK's `tool()`. */
export type ToolRegistration = {
  readonly tool: Tool;
  readonly effect?: ToolEffect;
  /** The call may be repeated after a crash that left its outcome unknown. Default false. */
  readonly safeToRepeat?: boolean;
  /** Not part of this version: refused when given. */
  readonly requiresApproval?: boolean;
  /** Not part of this version: refused when given. */
  readonly timeout?: string;
};

/** A registered tool, ready to be offered and called. */
export type RegisteredTool = {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: ToolSchema;
  readonly effect: ToolEffect | undefined;
  readonly safeToRepeat: boolean;
  readonly strict: boolean | undefined;
  /** Why no provider could keep strictly to the schema of a strict tool. */
  readonly strictProblems: readonly string[];
  readonly execute: NonNullable<Tool["execute"]>;
  readonly toModelOutput: Tool["toModelOutput"];
};

/** The tools of an application, read once by `createToolRegistry`. */
export type ToolRegistry = {
  get(name: string): RegisteredTool | undefined;
  /** By name. */
  readonly descriptors: readonly ToolDescriptor[];
};

/** What every provider accepts as the name of a function. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Reads the registered tools; what is wrong with them comes back as findings, all at once. */
export async function createToolRegistry(
  tools: Readonly<Record<string, Tool | ToolRegistration>>,
): Promise<{ readonly registry: ToolRegistry; readonly findings: readonly Finding[] }> {
  const byName = new Map<string, RegisteredTool>();
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries(tools)) {
    const malformed = checkShape(`tools.${name}`, value);
    if (malformed.length > 0) {
      findings.push(...malformed);
      continue;
    }
    const registration: ToolRegistration = "tool" in value ? value : { tool: value };
    const problems = check(name, registration);
    findings.push(...problems);
    if (problems.length > 0) continue;
    try {
      byName.set(name, await register(name, registration));
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unreadable";
      findings.push(finding("invalid_value", `tools.${name}.inputSchema`, reason));
    }
  }
  const descriptors = [...byName.values()].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { registry: { get: (name) => byName.get(name), descriptors }, findings };
}

const EFFECTS: readonly ToolEffect[] = ["read", "idempotent", "reversible", "irreversible"];
const REGISTRATION_MEMBERS = ["tool", "effect", "safeToRepeat", "requiresApproval", "timeout"];

/** What is wrong with the form of an entry. A misspelled member must not become a silent default. */
function checkShape(path: string, value: unknown): readonly Finding[] {
  if (!isObject(value)) return [finding("invalid_value", path, "must be a tool of the AI SDK")];
  if (!("tool" in value)) return [];
  const { tool, effect, safeToRepeat = false } = value as Partial<Record<string, unknown>>;
  const findings = Object.keys(value)
    .filter((member) => !REGISTRATION_MEMBERS.includes(member))
    .map((member) => finding("unknown_member", `${path}.${member}`, `there is no '${member}'`));
  if (!isObject(tool)) {
    findings.push(finding("invalid_value", `${path}.tool`, "must be a tool of the AI SDK"));
  }
  if (effect !== undefined && !(EFFECTS as readonly unknown[]).includes(effect)) {
    const message = `must be one of ${EFFECTS.join(", ")}`;
    findings.push(finding("invalid_value", `${path}.effect`, message));
  }
  if (typeof safeToRepeat !== "boolean") {
    findings.push(finding("invalid_value", `${path}.safeToRepeat`, "must be true or false"));
  }
  return findings;
}

const isObject = (value: unknown): value is object => value !== null && typeof value === "object";

function check(name: string, registration: ToolRegistration): Finding[] {
  const path = `tools.${name}`;
  const { tool } = registration;
  const findings: Finding[] = [];
  const unavailable = (member: string, what: string) =>
    findings.push(finding("feature_unavailable", `${path}.${member}`, `${what} is not built yet`));

  if (!TOOL_NAME.test(name)) {
    findings.push(
      finding("tool_name_invalid", path, "use 1 to 64 ASCII letters, digits, '_' or '-'"),
    );
  }
  if (registration.requiresApproval) unavailable("requiresApproval", "approval of tool calls");
  if (registration.timeout !== undefined) unavailable("timeout", "a time limit of a tool");
  // Deprecated in the SDK; a tool that still asks for approval must not run without it.
  // oxlint-disable-next-line typescript/no-deprecated
  if (tool.needsApproval) unavailable("needsApproval", "approval of tool calls");
  if (tool.type === "provider") unavailable("type", "a tool the provider runs");
  else if (typeof tool.execute !== "function") unavailable("execute", "a tool the client answers");
  return findings;
}

async function register(name: string, registration: ToolRegistration): Promise<RegisteredTool> {
  const { tool, effect, safeToRepeat = false } = registration;
  // `check` refused tools without a body.
  const execute = tool.execute as NonNullable<Tool["execute"]>;
  const description =
    typeof tool.description === "function"
      ? tool.description({ context: undefined as never })
      : tool.description;
  const schema = await readToolSchema(tool.inputSchema);
  return {
    name,
    description,
    schema,
    effect,
    safeToRepeat,
    strict: tool.strict,
    strictProblems: tool.strict === true ? strictProblems(schema.jsonSchema) : [],
    execute: execute.bind(tool),
    toModelOutput: tool.toModelOutput?.bind(tool),
  };
}

const describe = (tool: RegisteredTool): ToolDescriptor => ({
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  inputSchema: tool.schema.jsonSchema,
  ...(tool.effect === undefined ? {} : { effect: tool.effect }),
  safeToRepeat: tool.safeToRepeat,
});
