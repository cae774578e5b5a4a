/**
 * Findings: what is wrong with a definition, a request or a configuration.
 *
 * They are data, not exceptions, and always come all at once. `path` is written as in code:
 * `harness.loop.criteria[0].marker`; it is empty when the finding is about the whole.
 */

import * as z from "zod";

/** Every finding code, with what it means. Generated into `docs/reference/findings.md`. */
export const findingCodes = {
  invalid_value: "The value does not fit the member; the message says what fits.",
  member_missing: "A required member is missing.",
  unknown_member: "The member does not exist; the message names the one that may be meant.",
  body_unreadable: "The body is not JSON, or not a JSON object.",
  unknown_provider: "No provider of that name is registered.",
  unknown_tool: "No tool of that name is registered.",
  unknown_agent: "No agent of that name can be called.",
  duplicate_name: "The name is listed more than once.",
  tool_name_invalid: "Model providers would refuse the tool's name.",
  strict_schema_unsupported:
    "The tool is strict, and no provider's strict mode can carry its input schema.",
  tool_permission_unchecked: "A tool names a permission that nothing asks for.",
  client_tool_conflict: "A tool that the client answers cannot keep this setting.",
  approval_unknown: "Nothing in this session waits for a decision under that id.",
  approval_undecided: "Calls of the same answer still wait; they are decided all at once.",
  tool_call_unknown: "No call of a client's tool with that id waits in this session.",
  provider_setting_unknown: "The provider has no such setting.",
  provider_setting_invalid: "The value does not fit the provider's setting.",
  response_format_schema_missing: "A JsonSchema response format has no schema.",
  response_format_schema_invalid:
    "The response schema is not an object schema, or not wanted here.",
  structured_output_unsupported: "The listed model does not support structured output.",
  response_cache_missing: "The definition uses a response cache, but none is registered.",
  callable_agent_version_invalid: "The version is below 1, or the agent is defined in code.",
  callable_agent_version_not_found: "The agent has no such version.",
  callable_agent_duplicate: "The agent is listed more than once.",
  sub_agent_tool_name_conflict: "The tool that calls an agent would have the name of another tool.",
  cycle: "The agents would call each other for ever; the message shows the way around.",
  cycle_unchecked:
    "A warning: more agents can be reached than are searched for a cycle; the message names the number.",
  loop_reviewer_cycle:
    "A warning: the agents review each other; the depth limit ends it while it runs.",
  harness_contradiction: "The definition turns a feature on and off at once.",
  loop_criteria_empty: "The loop has no criterion, so that nothing would stop it but its ceiling.",
  loop_max_iterations_invalid: "The ceiling of the loop is zero or negative.",
  loop_outcome_invalid: "The value is not a loop outcome.",
  loop_criterion_kind_missing: "The criterion names no kind.",
  loop_criterion_unknown: "The kind of the criterion is neither built in nor registered.",
  loop_criterion_idle:
    "A warning: the criterion has nothing to look at, so that it never asks for another iteration.",
  loop_marker_missing: "A completionMarker has no marker.",
  loop_todo_list_missing: "A todoCompletion reads a todo list, and the definition has none.",
  loop_judge_criteria_missing: "An aiJudge has no criterion, or one of its criteria is blank.",
  loop_judge_criteria_unused:
    "A warning: the judge's instructions have no {criteria}, so that it does not see the criteria.",
  loop_judge_unconfigured: "An aiJudge needs a judge model, and this installation has none.",
  loop_judge_unavailable: "The judge model of this installation cannot be built.",
  loop_reviewer_missing: "An agentReview names no reviewer.",
  loop_reviewer_self: "The reviewer is the agent itself.",
  loop_reviewer_version_invalid:
    "The version of the reviewer is below 1, or the reviewer is defined in code.",
  loop_reviewer_not_found: "There is no such reviewer, or it has no such version.",
  loop_reviewer_verdict_unknown:
    "A warning: the reviewer's response format does not ask for a verdict.",
  compilation_error: "Code that is needed to build the agent failed; the log says how.",
  agent_name_mismatch: "The name in the path and the name in the body differ.",
  feature_unavailable: "The feature is not part of this version.",
  unknown_extension: "No agent extension of that name is registered.",
  extension_refused: "The extension failed, or changes what the definition owns.",
  shared_instructions_invalid: "The shared block does not exist or refers to a block itself.",
  culture_invalid: "The key is not a BCP 47 language tag.",
  placeholder_undeclared: "A warning: a placeholder that no parameter declares stays as it is.",
  parameter_unused: "A warning: no text uses the parameter.",
  missing_parameters: "A required parameter has no value and no default.",
  unknown_parameters: "The agent declares no parameter of that name.",
  session_agent_mismatch: "The session belongs to another agent.",
  session_full: "The session has as many messages as one may have.",
  sequence_unknown: "The session has no message of that number.",
  attachment_empty: "The file has no bytes.",
  attachment_too_large: "The file is larger than this installation takes.",
  attachment_unknown: "There is no attachment of that id that the run may use.",
  media_type_unknown: "What kind of file it is cannot be seen in its bytes.",
  media_type_refused: "Files of this kind may not be uploaded.",
  limit_exceeded: "There is more of it than a run may have; the message names the limit.",
  secret_missing: "The named environment variable is not set.",
  model_unavailable: "The model cannot be built by its provider.",
} as const;

export type FindingCode = keyof typeof findingCodes;

/** A finding as it travels; a client may meet codes of a newer server. */
export const findingSchema = z.object({
  code: z.string(),
  path: z.string(),
  message: z.string(),
  severity: z.enum(["Error", "Warning"]),
});

/** One thing that is wrong, or questionable, at one place. */
export type Finding = {
  readonly code: FindingCode;
  readonly path: string;
  readonly message: string;
  readonly severity: "Error" | "Warning";
};

/** An error finding. */
export const finding = (code: FindingCode, path: string, message: string): Finding => ({
  code,
  path,
  message,
  severity: "Error",
});

/** A finding that does not stop anything. */
export const warning = (code: FindingCode, path: string, message: string): Finding => ({
  code,
  path,
  message,
  severity: "Warning",
});

/** A path as findings write it: `["criteria", 0, "kind"]` is `criteria[0].kind`. */
export function findingPath(segments: readonly PropertyKey[]): string {
  let path = "";
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`;
    else path += path === "" ? String(segment) : `.${String(segment)}`;
  }
  return path;
}

/** Members that were renamed, so that the old name is answered with the new one. */
const RENAMED: ReadonlyMap<string, string> = new Map([["callableAgentNames", "callableAgents"]]);
/** Members whose refused values have a code of their own. */
const CODE_BY_MEMBER: ReadonlyMap<string, FindingCode> = new Map([
  ["onExhausted", "loop_outcome_invalid"],
  ["onCriterionError", "loop_outcome_invalid"],
]);

/**
 * The findings of a failed parse, one for each problem, below `prefix` when one is given. The parse
 * must have been asked to `reportInput`: without it a wrong value cannot be told from a missing one.
 */
export function findingsOf(error: z.ZodError, prefix: readonly PropertyKey[] = []): Finding[] {
  return error.issues.flatMap((issue) => findingsOfIssue(issue, prefix));
}

function findingsOfIssue(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): Finding[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      finding("unknown_member", findingPath([...path, key]), unknownMember(key)),
    );
  }
  if (issue.code === "invalid_type" && isMissing(issue)) {
    return [finding("member_missing", findingPath(path), "is required")];
  }
  const code = CODE_BY_MEMBER.get(String(path.at(-1))) ?? "invalid_value";
  return [finding(code, findingPath(path), lowerFirst(issue.message))];
}

/** An issue holds its input only when the parse was asked to; its message always tells. */
const isMissing = (issue: z.core.$ZodIssue): boolean =>
  "input" in issue ? issue.input === undefined : issue.message.endsWith("received undefined");

function unknownMember(key: string): string {
  const renamed = RENAMED.get(key);
  return renamed === undefined ? `'${key}' is not a member` : `'${key}' is now '${renamed}'`;
}

const lowerFirst = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);
