/**
 * One error class and one table of codes.
 *
 * An error says that an operation could not be done. Its message names the thing and the remedy,
 * starts in lower case, and never carries model text, prompts or secrets.
 */

import type { Finding } from "./finding.ts";

/** Every error code, with what it means. Generated into `docs/reference/errors.md`. */
export const errorCodes = {
  request_invalid: "The request has findings.",
  definition_invalid: "The definition has findings and was not saved.",
  configuration_invalid: "The configuration has findings.",
  cursor_invalid: "The cursor is not one of this list or run.",
  unauthorized: "A credential is required, or the one given is not valid.",
  forbidden: "The caller may not do this.",
  host_not_allowed: "Without a credential only loopback hosts and origins are answered.",
  route_not_found: "There is nothing at this path.",
  method_not_allowed: "The path does not answer this method.",
  context_window_exceeded: "The prompt leaves the model no room to answer; nothing was run.",
  agent_not_found: "There is no agent of that name.",
  agent_version_not_found: "The agent has no such version.",
  run_not_found: "There is no run with that id.",
  run_trace_not_found:
    "The run is not the root of its tree: its spans are in the trace of the root.",
  attachment_not_found: "There is no attachment with that id.",
  run_input_not_found: "The run's input was not recorded or is gone.",
  session_not_found: "There is no session with that id.",
  session_exists: "There is a session with that id already.",
  session_conflict:
    "The session changed while the turn ran, so the turn was not saved; send it again.",
  session_state_too_large:
    "What features keep in the session is more than one may have; it stays as it was.",
  session_unreadable: "The history of the session is in a format this version cannot read.",
  approval_not_found: "There is no approval with that id.",
  approval_conflict:
    "The call was decided otherwise, its time is over, or a run has already gone on with it.",
  approval_unavailable: "A run that another agent began cannot wait for a decision.",
  approval_rule_not_found: "There is no standing rule with that id.",
  tool_result_conflict: "The call of a client's tool has its answer already.",
  agent_exists: "An agent of that name exists already.",
  agent_read_only: "The agent is defined in code or by a source and cannot be edited here.",
  run_not_cancelable: "The run has ended, or another process runs it.",
  version_conflict: "Somebody saved a newer version in between.",
  body_too_large: "The body is larger than the limit.",
  media_type_unsupported: "The body must be JSON.",
  feature_unavailable: "The feature is not part of this version.",
  draining: "The process is stopping and starts no new runs.",
  store_unavailable: "The store did not answer.",
  schema_outdated: "The database schema is newer or older than this version.",
  internal: "A fault of Tracon itself; the log has the details under the trace id.",
  compilation_failed: "The agent does not compile any more; its findings say why.",
  provider_error: "The model provider refused or broke off the call.",
  provider_unavailable: "The model provider could not be reached.",
  rate_limited: "The model provider's rate limit was hit.",
  content_blocked: "A content guard of this installation blocked what was asked or answered.",
  content_filtered: "The model provider's safety filter withheld the answer.",
  response_truncated:
    "The model's answer was cut off before it had any text, or while it asked for tools.",
  structured_response_invalid: "The answer is not the JSON the agent's response format asks for.",
  extension_failed: "A ring or a context provider of an agent extension failed.",
  agent_failed: "An agent that code builds could not be built or failed.",
  agent_source_failed: "A source of agents did not answer.",
  tool_failed: "Tools failed in more turns in a row than allowed.",
  tool_limit_reached: "The model asked for tools although the limit of tool rounds was reached.",
  loop_unsatisfied: "The loop used up its iterations while a criterion still asked for another.",
  no_progress: "The run repeated itself and got nowhere, and its definition asks to stop it then.",
  budget_exceeded:
    "A limit of the run tree is reached; the message names the limit and its setting.",
  criterion_failed: "A stop criterion of the loop failed, or gave no decision.",
  reviewer_timeout: "A reviewer did not finish within the limit on the wait for it.",
  timeout: "The model provider did not answer in time.",
  canceled: "The run was canceled.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** What the error of a run says in `type` when no criterion accepted its last answer. */
export const LOOP_UNSATISFIED = "loop_unsatisfied" satisfies ErrorCode;

/** What an error may carry besides its message. */
export type ErrorDetails = {
  /** Everything wrong with a request, definition or configuration. */
  readonly findings?: readonly Finding[];
  /** Further members of the problem details, for programs. */
  readonly extensions?: Readonly<Record<string, unknown>>;
};

const BRAND = Symbol.for("tracon.error");

/** An operation could not be done. */
export class TraconError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails & { readonly cause?: unknown } = {},
  ) {
    const { cause, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.name = "TraconError";
    this.code = code;
    this.details = rest;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether `value` is a Tracon error, of `code` when one is given; also across copies of this package. */
  static is(value: unknown, code?: ErrorCode): value is TraconError {
    if (!(value instanceof Error) || !(BRAND in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }
}

/**
 * What a log says of anything that was thrown. Never throws itself: whatever was thrown may have no
 * text, or a text that throws when asked for.
 */
export function faultText(fault: unknown): string {
  try {
    return String(fault);
  } catch {
    return "a value that has no text";
  }
}

/** A bug: something that cannot be, is. Nobody catches it but the outermost handler. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`);
}
