import { type ErrorCode, TraconError } from "@tracon/core";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The approval a path names. What is not a UUID is no approval's id, and no store is asked for it. */
export const approvalIdOf = (segment: string): string =>
  idOf(segment, "approval_not_found", "there is no approval with that id");

/** The standing rule a path names. */
export const approvalRuleIdOf = (segment: string): string =>
  idOf(segment, "approval_rule_not_found", "there is no standing rule with that id");

function idOf(segment: string, code: ErrorCode, message: string): string {
  if (UUID.test(segment)) return segment.toLowerCase();
  throw new TraconError(code, message);
}
