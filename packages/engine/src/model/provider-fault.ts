/**
 * Turns whatever a provider threw into one of our errors, with a class.
 *
 * The message names the provider and the kind of fault, never the provider's own text; that goes to
 * the log as the cause.
 */

import { APICallError } from "@ai-sdk/provider";
import { type ErrorCode, type RunErrorClass, TraconError } from "@tracon/core";

/** The class of run error every fault of a model call belongs to. */
export const classOfFault: Partial<Readonly<Record<ErrorCode, RunErrorClass>>> = {
  provider_error: "ProviderError",
  provider_unavailable: "ProviderUnavailable",
  rate_limited: "RateLimited",
  content_filtered: "ContentFiltered",
  content_blocked: "ContentBlocked",
  structured_response_invalid: "StructuredResponseInvalid",
  extension_failed: "Infrastructure",
  agent_failed: "Unknown",
  response_truncated: "ProviderError",
  tool_failed: "ToolError",
  tool_limit_reached: "ToolError",
  criterion_failed: "Unknown",
  reviewer_timeout: "Timeout",
  timeout: "Timeout",
  compilation_failed: "CompilationFailed",
  canceled: "Canceled",
  budget_exceeded: "QuotaExceeded",
  approval_unavailable: "ToolError",
  loop_unsatisfied: "LoopUnsatisfied",
  no_progress: "LoopUnsatisfied",
};

/** Codes of faults that another attempt, or another provider, may not have. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "provider_unavailable",
  "rate_limited",
  "timeout",
]);

/** Whether a fault says that the provider, not the request, was the trouble. */
export const isTransientFault = (error: unknown): error is TraconError =>
  TraconError.is(error) && TRANSIENT.has(error.code);

/** Normalizes a fault of a model call. Our own errors pass unchanged. */
export function providerFault(provider: string, error: unknown): TraconError {
  if (TraconError.is(error)) return error;
  const status = statusOf(error);
  const code =
    codeOfName(error) ?? (status === undefined ? codeOfBreak(error) : codeOfStatus(status));
  return new TraconError(code, messageOf(provider, code, status), { cause: error });
}

/** What vendors call the faults a status does not tell, or that come inside a stream. */
const CODE_BY_NAME: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["rate_limit_exceeded", "rate_limited"],
  ["rate_limit_error", "rate_limited"],
  ["insufficient_quota", "rate_limited"],
  ["RESOURCE_EXHAUSTED", "rate_limited"],
  ["overloaded_error", "provider_unavailable"],
  ["server_error", "provider_unavailable"],
  ["api_error", "provider_unavailable"],
  ["UNAVAILABLE", "provider_unavailable"],
  ["content_filter", "content_filtered"],
  ["content_policy_violation", "content_filtered"],
  ["timeout_error", "timeout"],
  ["DEADLINE_EXCEEDED", "timeout"],
]);

/** An error inside a stream is the vendor's object, one of an HTTP answer has it in its body. */
function codeOfName(error: unknown): ErrorCode | undefined {
  const body = member(error, "data");
  for (const place of [error, body, member(body, "error"), member(error, "error")]) {
    for (const key of ["code", "type", "status"]) {
      const code = CODE_BY_NAME.get(member(place, key));
      if (code !== undefined) return code;
    }
  }
  return undefined;
}

const member = (value: unknown, key: string): unknown =>
  value !== null && typeof value === "object" ? Reflect.get(value, key) : undefined;

function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode;
  if (error === null || typeof error !== "object") return undefined;
  // Errors inside a stream arrive as the provider's own error object.
  const status = "status" in error ? error.status : "statusCode" in error ? error.statusCode : 0;
  return typeof status === "number" && status >= 400 ? status : undefined;
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return "rate_limited";
  if (status === 408 || status === 504) return "timeout";
  return status >= 500 ? "provider_unavailable" : "provider_error";
}

/** Codes the network reports when there was no answer to give a status. */
const UNREACHABLE = /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|UND_ERR_(?!ABORTED))/;
const TIMED_OUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
/** How deep causes are followed; a cycle of causes ends there too. */
const MAX_CAUSES = 5;

function codeOfBreak(error: unknown): ErrorCode {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const code = "code" in current ? String(current.code) : "";
    if (TIMED_OUT.test(code) || current.name === "TimeoutError") return "timeout";
    if (UNREACHABLE.test(code)) return "provider_unavailable";
    if (current.name === "TypeError" && current.message === "fetch failed") {
      return "provider_unavailable";
    }
    current = current.cause;
  }
  return "provider_error";
}

function messageOf(provider: string, code: ErrorCode, status: number | undefined): string {
  const answered = status === undefined ? "" : ` (HTTP ${status})`;
  switch (code) {
    case "rate_limited":
      return `model provider '${provider}' refused the call for its rate limit${answered}`;
    case "timeout":
      return `model provider '${provider}' did not answer in time${answered}`;
    case "provider_unavailable":
      return `model provider '${provider}' could not be reached${answered}`;
    case "content_filtered":
      return `model provider '${provider}' withheld the answer for its safety filter${answered}`;
    default:
      return `model provider '${provider}' refused or broke off the call${answered}`;
  }
}
