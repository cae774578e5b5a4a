/** The border of a run: what a caller sent is read and checked before anything is recorded. */

import {
  type AgentParameter,
  type AgentRunRequestContent,
  agentRunRequestSchema,
  type Finding,
  type FindingCode,
  finding,
  findingsOf,
  TraconError,
} from "@tracon/core";
import { type BoundParameters, bindParameters, parameterOf } from "../compile/parameters.ts";

/** Members of a run request this version does not have. */
const UNAVAILABLE = [{ path: "lane", feature: "queued runs" }] as const;

/** A request this version can run. */
export type ReadRunRequest = Pick<
  AgentRunRequestContent,
  "culture" | "sessionId" | "approvals" | "toolResults" | "attachmentIds" | "documents"
> & {
  /** Absent beside attachments, and when the run only goes on with what an earlier one left open. */
  readonly message: string | undefined;
  /** The bound values; `undefined` when the agent declares no parameters. */
  readonly values: BoundParameters | undefined;
};

/**
 * Reads a run request for an agent that declares `parameters`. Throws `request_invalid` or
 * `feature_unavailable` with every finding.
 */
export function readRunRequest(
  request: unknown,
  parameters: readonly AgentParameter[],
): ReadRunRequest {
  const read = agentRunRequestSchema.safeParse(request, { reportInput: true });
  if (!read.success) throw refused(findingsOf(read.error));
  const content = read.data;
  const bound = bindParameters(parameters, content.parameters);
  const findings = [
    ...unavailable(content),
    ...bound.findings,
    ...tooLarge(content),
    ...missing(content),
    ...contradictions(content),
  ];
  if (findings.length > 0) throw refused(findings);
  const { culture, sessionId, message, ...rest } = content;
  return {
    culture,
    sessionId,
    message: isBlank(message) ? undefined : message,
    approvals: rest.approvals,
    toolResults: rest.toolResults,
    attachmentIds: rest.attachmentIds,
    documents: rest.documents,
    values: parameters.length === 0 ? undefined : bound.values,
  };
}

/**
 * What a run asks that goes on with calls another one left open: nothing of its own. It has the values
 * that one had. Throws `request_invalid` when the agent takes others by now.
 */
export function readContinuation(
  {
    sessionId,
    parameters,
  }: {
    readonly sessionId: string;
    readonly parameters: Readonly<Record<string, string>> | undefined;
  },
  declared: readonly AgentParameter[],
): ReadRunRequest {
  const bound = bindParameters(declared, parameters);
  if (bound.findings.length > 0) throw refused(bound.findings);
  return {
    culture: undefined,
    sessionId,
    message: undefined,
    approvals: [],
    toolResults: [],
    attachmentIds: [],
    documents: [],
    values: declared.length === 0 ? undefined : bound.values,
  };
}

function refused(findings: readonly Finding[]): TraconError {
  const isUnavailable = findings.every(({ code }) => code === "feature_unavailable");
  const code = isUnavailable ? "feature_unavailable" : "request_invalid";
  return new TraconError(code, "the run was not started", {
    findings,
    ...extensionsOf(findings),
  });
}

/** Further unknown names only make the answer as large as the request. */
const MAX_NAMES = 200;

/** The names of parameters that are missing or unknown, for programs. */
function extensionsOf(findings: readonly Finding[]) {
  const missingParameters = parametersWith(findings, "missing_parameters");
  const unknownParameters = parametersWith(findings, "unknown_parameters");
  const extensions = {
    ...(missingParameters.length === 0 ? {} : { missingParameters }),
    ...(unknownParameters.length === 0 ? {} : { unknownParameters }),
  };
  return Object.keys(extensions).length === 0 ? {} : { extensions };
}

const parametersWith = (findings: readonly Finding[], code: FindingCode): readonly string[] =>
  findings
    .filter((it) => it.code === code)
    .slice(0, MAX_NAMES)
    .map(({ path }) => parameterOf(path));

const unavailable = (content: AgentRunRequestContent): Finding[] =>
  UNAVAILABLE.filter(({ path }) => {
    const value = content[path];
    return value !== undefined && value.length > 0;
  }).map(({ path, feature }) =>
    finding("feature_unavailable", path, `${feature} are not part of this version`),
  );

function missing({
  message,
  sessionId,
  approvals,
  toolResults,
  attachmentIds,
}: AgentRunRequestContent): Finding[] {
  if (approvals.length + toolResults.length > 0) {
    const why = "decisions and results belong to the session whose calls wait for them";
    return sessionId === undefined ? [finding("member_missing", "sessionId", why)] : [];
  }
  const isAsked = !isBlank(message) || attachmentIds.length > 0;
  return isAsked ? [] : [finding("member_missing", "message", "a run needs a message")];
}

/** Text of all documents of a run, in UTF-8 bytes: more than any model reads at once. */
const MAX_DOCUMENT_BYTES = 4_194_304;

function tooLarge({ documents }: AgentRunRequestContent): Finding[] {
  const bytes = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes <= MAX_DOCUMENT_BYTES) return [];
  const message = `have ${bytes} bytes together; those of a run have at most ${MAX_DOCUMENT_BYTES}`;
  return [finding("limit_exceeded", "documents", message)];
}

const isBlank = (message: string | undefined): boolean =>
  message === undefined || message.trim() === "";

/** What cannot be meant by a decision or a result. */
function contradictions({ approvals, toolResults }: AgentRunRequestContent): Finding[] {
  const decisions = approvals.flatMap(({ approved, remember, rememberArgumentsOnly }, index) => {
    if (approved || !(remember || rememberArgumentsOnly)) return [];
    const member = remember ? "remember" : "rememberArgumentsOnly";
    const path = `approvals[${index}].${member}`;
    return [finding("invalid_value", path, "only an approval can be remembered")];
  });
  const results = toolResults.flatMap(({ result, errorMessage }, index) => {
    if ((result === undefined) !== (errorMessage === undefined)) return [];
    const message = "give either 'result' or 'errorMessage'";
    return [finding("invalid_value", `toolResults[${index}]`, message)];
  });
  return [...decisions, ...results];
}
