/** What an application registers of a tool, and what is wrong with a registration. */

import type { Tool } from "@ai-sdk/provider-utils";
import { type Finding, finding, parseDuration, type ToolApprovalPresentation } from "@tracon/core";

/** A call as the application's own code is told of it, before the tool's body runs. */
export type ToolCallView = {
  readonly toolName: string;
  readonly agentName: string;
  readonly tenantId: string;
  readonly runId: string;
  readonly sessionId?: string;
  /** As the tool's schema reads them; `authorize` is asked before that and sees what the model sent. */
  readonly arguments: unknown;
  /** Of the registration. */
  readonly requiredPermission?: string;
  /** Fires when the run is cancelled or the answer is waited for no longer. */
  readonly signal: AbortSignal;
};

/** What `authorize` may answer. `reason` goes to the model. */
export type ToolAuthorization = boolean | { readonly allowed: boolean; readonly reason?: string };

/** What `requiresApproval` may answer: `Undecided` leaves the call to the standing rules. */
export type ToolApprovalNeed = "Required" | "NotRequired" | "Undecided";

/** A tool with what Tracon wants to know about it beyond the AI SDK's `tool()`. */
export type ToolRegistration = {
  readonly tool: Tool;
  readonly effect?: "read" | "idempotent" | "reversible" | "irreversible";
  /** The call may be repeated after a crash that left its outcome unknown. Default false. */
  readonly safeToRepeat?: boolean;
  /**
   * Equal calls with equal results are no sign of a loop: the tool is asked until something has happened,
   * or does the same thing several times on purpose. Default false.
   */
  readonly polling?: boolean;
  /**
   * Whether a person has to approve a call. `true` asks unless a standing rule covers the call; a
   * function decides for each call, and one that throws asks. Default false.
   */
  readonly requiresApproval?:
    | boolean
    | ((call: ToolCallView) => ToolApprovalNeed | PromiseLike<ToolApprovalNeed>);
  /** Who may call it. Only `true` or `allowed: true` lets a call pass; one that throws denies. */
  readonly authorize?: (call: ToolCallView) => ToolAuthorization | PromiseLike<ToolAuthorization>;
  /** A permission that `authorize` asks for. Shown in the list of tools. */
  readonly requiredPermission?: string;
  /** What a person who decides is shown besides the arguments. Has 2 s; a failure shows nothing. */
  readonly present?: (
    call: ToolCallView,
  ) => ToolApprovalPresentation | undefined | PromiseLike<ToolApprovalPresentation | undefined>;
  /** How long a call is waited for, such as `"10s"`. The wait for an approval is no part of it. */
  readonly timeout?: string;
  /** Longest result in bytes, at least 57; a longer one is cut and says so. */
  readonly maxOutputBytes?: number;
};

/** Smallest limit: what is left of a result that is cut to nothing. */
export const MIN_OUTPUT_BYTES = 57;
/** Longest wait for a call: what a timer of the runtime can wait for. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const EFFECTS: readonly unknown[] = ["read", "idempotent", "reversible", "irreversible"];
const MAX_PERMISSION_LENGTH = 128;

type Check = (value: unknown) => string | undefined;

const functionOnly: Check = (value) =>
  typeof value === "function" ? undefined : "must be a function";
const booleanOnly: Check = (value) =>
  typeof value === "boolean" ? undefined : "must be true or false";

/** What a given member must be, in the words of a finding. */
const MEMBERS: Readonly<Record<keyof ToolRegistration, Check>> = {
  tool: (value) => (isObject(value) ? undefined : "must be a tool of the AI SDK"),
  effect: (value) => (EFFECTS.includes(value) ? undefined : `must be one of ${EFFECTS.join(", ")}`),
  safeToRepeat: booleanOnly,
  polling: booleanOnly,
  requiresApproval: (value) =>
    typeof value === "boolean" || typeof value === "function"
      ? undefined
      : "must be true, false or a function",
  authorize: functionOnly,
  requiredPermission: (value) =>
    typeof value === "string" && value !== "" && value.length <= MAX_PERMISSION_LENGTH
      ? undefined
      : `must be a text of 1 to ${MAX_PERMISSION_LENGTH} characters`,
  present: functionOnly,
  timeout: (value) => timeoutProblem(value),
  maxOutputBytes: (value) => outputBytesProblem(value),
};

/** What is wrong with a limit on the wait for a call. */
export function timeoutProblem(value: unknown): string | undefined {
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  return ms !== undefined && ms > 0 && ms <= MAX_TIMEOUT_MS
    ? undefined
    : 'must be a duration above zero and below 25 days, such as "10s"';
}

/** What is wrong with a limit on the length of a result. */
export function outputBytesProblem(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && (value as number) >= MIN_OUTPUT_BYTES
    ? undefined
    : `must be a whole number of at least ${MIN_OUTPUT_BYTES} bytes`;
}

/** What is wrong with the form of an entry. A misspelled member must not become a silent default. */
export function shapeFindings(path: string, value: unknown): readonly Finding[] {
  if (!isObject(value)) return [finding("invalid_value", path, "must be a tool of the AI SDK")];
  if (!("tool" in value)) return [];
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return [...given, ...(value.tool === undefined ? [["tool", undefined] as const] : [])].flatMap(
    ([member, content]) => {
      if (!Object.hasOwn(MEMBERS, member)) {
        return [finding("unknown_member", `${path}.${member}`, `there is no '${member}'`)];
      }
      const problem = MEMBERS[member as keyof ToolRegistration](content);
      return problem === undefined ? [] : [finding("invalid_value", `${path}.${member}`, problem)];
    },
  );
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Whether every provider accepts it as the name of a function. */
export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

/** What is wrong with an entry whose form is right. */
export function registrationFindings(name: string, registration: ToolRegistration): Finding[] {
  const path = `tools.${name}`;
  const { tool } = registration;
  const findings: Finding[] = [];
  if (!isToolName(name)) {
    const message = "use 1 to 64 ASCII letters, digits, '_' or '-'";
    findings.push(finding("tool_name_invalid", path, message));
  }
  if (registration.requiredPermission !== undefined && registration.authorize === undefined) {
    const message = "nothing would ask for the permission: give 'authorize' as well";
    findings.push(finding("tool_permission_unchecked", `${path}.requiredPermission`, message));
  }
  if (tool.type === "provider") {
    const message = "a tool the provider runs is not built yet";
    findings.push(finding("feature_unavailable", `${path}.type`, message));
  } else if (tool.execute === undefined) {
    findings.push(...clientSideFindings(path, registration));
  } else if (typeof tool.execute !== "function") {
    findings.push(finding("invalid_value", `${path}.execute`, "must be a function"));
  }
  return findings;
}

/** What is asked of a body makes no sense of a tool that has none here. */
function clientSideFindings(path: string, registration: ToolRegistration): readonly Finding[] {
  const given: readonly (readonly [member: string, isGiven: boolean])[] = [
    ["requiresApproval", (registration.requiresApproval ?? false) !== false],
    // Deprecated in the SDK; a tool that still asks for approval must not go without it.
    // oxlint-disable-next-line typescript/no-deprecated
    ["needsApproval", (registration.tool.needsApproval ?? false) !== false],
    ["present", registration.present !== undefined],
    ["timeout", registration.timeout !== undefined],
  ];
  return given.flatMap(([member, isGiven]) => {
    if (!isGiven) return [];
    const message = `the client answers this tool, which has no 'execute', so '${member}' cannot be kept: drop it or give the tool a body`;
    return [finding("client_tool_conflict", `${path}.${member}`, message)];
  });
}

const isObject = (value: unknown): value is object & { readonly tool?: unknown } =>
  value !== null && typeof value === "object";
