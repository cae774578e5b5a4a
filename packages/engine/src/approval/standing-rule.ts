/** Whether a standing rule covers a call. What cannot be told does not: then a person is asked. */

import { contentHash, type ToolApprovalRule, type ToolArgumentCondition } from "@tracon/core";

export type AskedCall = {
  readonly agentName: string;
  readonly toolName: string;
  /** As the model sent them, parsed. */
  readonly arguments: unknown;
};

export function isCovered(rule: ToolApprovalRule, call: AskedCall): boolean {
  if (rule.toolName !== call.toolName) return false;
  if (rule.agentName !== undefined && rule.agentName !== call.agentName) return false;
  if (rule.argumentsHash !== undefined) {
    return rule.argumentsHash === argumentsHashOf(call.arguments);
  }
  return rule.argumentConditions.every((condition) => holds(condition, call.arguments));
}

/** Equal for equal arguments, whatever the order of their members. */
export const argumentsHashOf = (value: unknown): string => contentHash(value);

function holds(condition: ToolArgumentCondition, value: unknown): boolean {
  const found = memberAt(value, condition.path.split("."));
  if (!isScalar(found)) return false;
  switch (condition.operator) {
    case "Equals":
      return found === condition.value;
    case "NotEquals":
      return isComparable(found, condition.value) && found !== condition.value;
    case "In":
      return condition.value.includes(found);
    case "NotIn":
      return (
        condition.value.every((it) => isComparable(found, it)) && !condition.value.includes(found)
      );
    case "GreaterThan":
      return typeof found === "number" && found > condition.value;
    case "GreaterThanOrEqual":
      return typeof found === "number" && found >= condition.value;
    case "LessThan":
      return typeof found === "number" && found < condition.value;
    case "LessThanOrEqual":
      return typeof found === "number" && found <= condition.value;
  }
}

type Scalar = string | number | boolean | null;

/** That `"5"` is not `5` proves nothing about a call. */
const isComparable = (one: Scalar, other: Scalar): boolean => typeof one === typeof other;

const isScalar = (value: unknown): value is Scalar =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** `undefined` where a member is missing, or a list stands in the way. */
function memberAt(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value;
  for (const name of path) {
    if (found === null || typeof found !== "object" || Array.isArray(found)) return undefined;
    if (!Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
