/**
 * The tools an application registered in code. Definitions name them; nothing stored defines one.
 */

import type { Tool } from "@ai-sdk/provider-utils";
import {
  type Finding,
  finding,
  formatDuration,
  parseDuration,
  type ToolDescriptor,
} from "@tracon/core";
import { chainOf } from "./chain/index.ts";
import type { RunToolCall } from "./chain/tool-link.ts";
import { strictProblems } from "./strict-schema.ts";
import { registrationFindings, shapeFindings, type ToolRegistration } from "./tool-registration.ts";
import { readToolSchema } from "./tool-schema.ts";
import type { ApprovalPolicy, ToolSettings } from "./tool-settings.ts";

/** A registered tool, ready to be offered and called. */
export type RegisteredTool = ToolSettings & {
  /** Takes a call through the whole chain. Rejects only with the abort reason of the run's signal. */
  readonly call: RunToolCall;
};

/** The tools of an application, read once by `createToolRegistry`. */
export type ToolRegistry = {
  get(name: string): RegisteredTool | undefined;
  /** By name. */
  readonly descriptors: readonly ToolDescriptor[];
};

/** What holds for tools that do not say otherwise. */
export type ToolDefaults = {
  /** How long a call is waited for, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Longest result in bytes, at least 57. Default any length. */
  readonly maxOutputBytes?: number | undefined;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads the registered tools; what is wrong with them comes back as findings, all at once. */
export async function createToolRegistry(
  tools: Readonly<Record<string, Tool | ToolRegistration>>,
  defaults: ToolDefaults = {},
): Promise<{ readonly registry: ToolRegistry; readonly findings: readonly Finding[] }> {
  const byName = new Map<string, RegisteredTool>();
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries(tools)) {
    const malformed = shapeFindings(`tools.${name}`, value);
    if (malformed.length > 0) {
      findings.push(...malformed);
      continue;
    }
    const registration: ToolRegistration = "tool" in value ? value : { tool: value };
    const problems = registrationFindings(name, registration);
    findings.push(...problems);
    if (problems.length > 0) continue;
    try {
      byName.set(name, await register(name, registration, defaults));
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unreadable";
      findings.push(finding("invalid_value", `tools.${name}.inputSchema`, reason));
    }
  }
  const descriptors = [...byName.values()].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { registry: { get: (name) => byName.get(name), descriptors }, findings };
}

async function register(
  name: string,
  registration: ToolRegistration,
  defaults: ToolDefaults,
): Promise<RegisteredTool> {
  const { tool, effect, safeToRepeat = false, polling = false } = registration;
  const description =
    typeof tool.description === "function"
      ? tool.description({ context: undefined as never })
      : tool.description;
  const schema = await readToolSchema(tool.inputSchema);
  const settings: ToolSettings = {
    name,
    description,
    schema,
    effect,
    safeToRepeat,
    isPolled: polling,
    isDelegation: false,
    asksAgent: undefined,
    strict: tool.strict,
    strictProblems: tool.strict === true ? strictProblems(schema.jsonSchema) : [],
    execute: tool.execute?.bind(tool),
    toModelOutput: tool.toModelOutput?.bind(tool),
    authorize: registration.authorize?.bind(registration),
    approval: approvalPolicy(registration),
    present: registration.present?.bind(registration),
    requiredPermission: registration.requiredPermission,
    timeoutMs: timeoutOf(registration) ?? defaults.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: registration.maxOutputBytes ?? defaults.maxOutputBytes,
  };
  return { ...settings, call: chainOf(settings) };
}

const timeoutOf = ({ timeout }: ToolRegistration): number | undefined =>
  timeout === undefined ? undefined : parseDuration(timeout);

/** The registration and the SDK's own tool may both ask; neither takes back what the other asks. */
function approvalPolicy(registration: ToolRegistration): ApprovalPolicy {
  const own = registration.requiresApproval ?? false;
  const sdk = sdkPolicy(registration.tool);
  if (own === false) return sdk;
  if (own === true) return "unless-covered";
  const policy = own.bind(registration);
  if (sdk === "never") return policy;
  return async (view, conversation) => {
    const answer = await policy(view);
    if (answer !== "NotRequired") return answer;
    return typeof sdk === "function" ? sdk(view, conversation) : "Undecided";
  };
}

function sdkPolicy(tool: Tool): ApprovalPolicy {
  // Deprecated in the SDK; a tool that still asks for approval must not run without it.
  // oxlint-disable-next-line typescript/no-deprecated
  const asks = tool.needsApproval;
  if (asks === undefined || asks === false) return "never";
  if (typeof asks !== "function") return "unless-covered";
  return async (view, { toolCallId, messages }) => {
    const options = { toolCallId, messages: messages() as never, context: undefined as never };
    // Only a clear no lets a call pass.
    const answer: unknown = await asks.call(tool, view.arguments as never, options);
    return answer === false ? "NotRequired" : "Undecided";
  };
}

const describe = (tool: RegisteredTool): ToolDescriptor => ({
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  inputSchema: tool.schema.jsonSchema,
  ...(tool.effect === undefined ? {} : { effect: tool.effect }),
  safeToRepeat: tool.safeToRepeat,
  requiresApproval: tool.approval !== "never",
  runsOnClient: tool.execute === undefined,
  ...(tool.requiredPermission === undefined ? {} : { requiredPermission: tool.requiredPermission }),
  ...(tool.execute === undefined ? {} : { timeout: formatDuration(tool.timeoutMs) }),
  ...(tool.maxOutputBytes === undefined ? {} : { maxOutputBytes: tool.maxOutputBytes }),
});
