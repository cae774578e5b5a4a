/** The border of a run: what a caller sent is read and checked before anything is recorded. */

import {
  type AgentRunRequestContent,
  agentRunRequestSchema,
  type Finding,
  finding,
  findingsOf,
  TraconError,
} from "@tracon/core";

/** Members of a run request this version does not have. */
const UNAVAILABLE = [
  { path: "sessionId", feature: "sessions" },
  { path: "approvals", feature: "approvals" },
  { path: "toolResults", feature: "client-side tools" },
  { path: "attachmentIds", feature: "attachments" },
  { path: "documents", feature: "documents" },
  { path: "lane", feature: "queued runs" },
] as const;

/** A request this version can run. */
export type ReadRunRequest = AgentRunRequestContent & { readonly message: string };

/** Reads a run request. Throws `request_invalid` or `feature_unavailable` with every finding. */
export function readRunRequest(request: unknown): ReadRunRequest {
  const read = agentRunRequestSchema.safeParse(request, { reportInput: true });
  if (!read.success) throw refused(findingsOf(read.error));
  const content = read.data;
  const findings = [...unavailable(content), ...undeclared(content), ...missing(content)];
  if (findings.length > 0) throw refused(findings);
  return { ...content, message: content.message ?? "" };
}

function refused(findings: readonly Finding[]): TraconError {
  const isUnavailable = findings.every(({ code }) => code === "feature_unavailable");
  const code = isUnavailable ? "feature_unavailable" : "request_invalid";
  return new TraconError(code, "the run was not started", {
    findings,
    ...extensionsOf(findings),
  });
}

/** The names of refused parameters, for programs. */
function extensionsOf(findings: readonly Finding[]) {
  const unknownParameters = findings
    .filter(({ code }) => code === "unknown_parameters")
    .map(({ path }) => path.slice("parameters.".length));
  return unknownParameters.length === 0 ? {} : { extensions: { unknownParameters } };
}

const unavailable = (content: AgentRunRequestContent): Finding[] =>
  UNAVAILABLE.filter(({ path }) => {
    const value = content[path];
    return value !== undefined && value.length > 0;
  }).map(({ path, feature }) =>
    finding("feature_unavailable", path, `${feature} are not part of this version`),
  );

/** No agent of this version declares parameters, so any value is for an unknown name. */
const undeclared = (content: AgentRunRequestContent): Finding[] =>
  Object.keys(content.parameters ?? {}).map((name) =>
    finding(
      "unknown_parameters",
      `parameters.${name}`,
      `the agent declares no parameter '${name}'`,
    ),
  );

const missing = (content: AgentRunRequestContent): Finding[] =>
  content.message === undefined || content.message.trim() === ""
    ? [finding("member_missing", "message", "a run needs a message")]
    : [];
