/** What a person can do about a failure. The server's own words are shown beside it, unchanged. */

import { TraconApiError } from "@tracon/client";
import type { RunErrorClass } from "@tracon/core";

export type Failure = {
  readonly title: string;
  readonly detail: string;
  readonly remedy: string;
  /** For the server's log. */
  readonly traceId: string | undefined;
  readonly isDenied: boolean;
};

const BY_CODE: Readonly<Record<string, string>> = {
  connection_failed: "Check that the server is running and that this page can reach it.",
  connection_lost: "Check the network; the run itself goes on at the server. Then try again.",
  unauthorized: "Enter the token that the server was started with.",
  forbidden: "Ask whoever runs this server for access.",
  host_not_allowed: "Open the console on the server's own machine, or configure a token.",
  agent_not_found: "It may have been deleted or renamed. The list of agents has what there is.",
  agent_version_not_found: "Pick one of the versions that are listed.",
  run_not_found: "Check the id. Runs that were removed by retention are gone.",
  session_not_found: "It may have been deleted. The list of sessions has what there is.",
  session_exists: "Choose another id for the new session.",
  session_state_too_large: "The agent keeps too much in this session. Begin another one.",
  session_conflict: "Somebody else talked in this session meanwhile. Send the message again.",
  session_unreadable: "Start a new session. The runs of this one can still be opened.",
  approval_not_found: "Check the id. The mailbox has everything that still waits.",
  approval_conflict: "Look at its card: it says who decided, or that its time was over.",
  approval_rule_not_found: "Somebody else revoked it already.",
  run_not_cancelable: "It has ended, or another process runs it. Reload to see its state.",
  definition_invalid: "Correct what the findings name and save again.",
  request_invalid: "Correct what the findings name and try again.",
  agent_exists: "Choose another name, or edit the agent of that name.",
  agent_read_only: "Agents defined in code are changed there.",
  version_conflict: "Save again to see both texts and choose.",
  compilation_failed: "Open the agent and correct what its findings name.",
  draining: "The server is stopping. Try again once it is back.",
  store_unavailable: "Check the server's database, then try again.",
  schema_outdated: "Run the migrations of the server's version.",
  provider_error: "Check the model's name and settings with the provider.",
  provider_unavailable: "Check the provider's address and that the server may reach it.",
  rate_limited: "Wait, raise the limit at the provider, or add a fallback model.",
  content_filtered: "The provider withheld the answer. Change the request.",
  tool_failed: "Look at the failed tool calls of the run.",
  timeout: "Raise the time limit, or choose a faster model.",
};

/** What to do about a problem that came with a run, by its code. */
export const remedyOfCode = (code: string): string =>
  BY_CODE[code] ?? "The run's timeline and the server's log say more.";

export function failureOf(error: unknown): Failure {
  if (!(error instanceof TraconApiError)) {
    return {
      title: "The console made a mistake",
      detail: error instanceof Error ? error.message : String(error),
      remedy: "Reload the page. If it happens again, report it with this text.",
      traceId: undefined,
      isDenied: false,
    };
  }
  return {
    title: error.title,
    detail: error.detail,
    remedy: BY_CODE[error.code] ?? "Try again. If it stays, the server's log says more.",
    traceId: error.problem?.traceId,
    isDenied: error.status === 401 || error.status === 403,
  };
}

const BY_CLASS: Readonly<Record<RunErrorClass, string>> = {
  Unknown: "The server's log says more.",
  ProviderError: "Check the model's name and settings with the provider.",
  ProviderUnavailable: "Check the provider's address and that the server may reach it.",
  RateLimited: "Wait, raise the limit at the provider, or add a fallback model.",
  QuotaExceeded: "Raise the budget, or make the run smaller.",
  ContentFiltered: "The provider withheld the answer. Change the request.",
  ToolError: "Look at the failed tool calls in the timeline.",
  Timeout: "Raise the time limit, or choose a faster model.",
  CompilationFailed: "Open the agent and correct what its findings name.",
  Canceled: "It was asked to stop.",
  ContentBlocked: "A guard withheld the content. Change the request or the guard.",
  Infrastructure: "The process that ran it went away. Start it again.",
  ToolTimeout: "Raise the tool's time limit, or make the tool faster.",
  StructuredResponseInvalid: "The answer did not fit its schema. Loosen it or change the model.",
  LoopUnsatisfied:
    "Its work was not accepted, or it got nowhere. Look at its decisions and warnings in the timeline.",
};

export const remedyOfRun = (errorClass: RunErrorClass | undefined): string =>
  BY_CLASS[errorClass ?? "Unknown"];
