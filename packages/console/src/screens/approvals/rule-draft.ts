/** A standing rule as a person writes it, and as it is sent. */

import type { ToolApprovalRuleRequest } from "@tracon/core";

export const conditionOperators = [
  "Equals",
  "NotEquals",
  "LessThan",
  "LessThanOrEqual",
  "GreaterThan",
  "GreaterThanOrEqual",
  "In",
  "NotIn",
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

export type ConditionDraft = {
  /** Tells rows apart while they are edited. */
  readonly key: number;
  readonly path: string;
  readonly operator: ConditionOperator;
  readonly value: string;
};

export type RuleDraft = {
  readonly toolName: string;
  /** Empty for all agents. */
  readonly agentName: string;
  readonly conditions: readonly ConditionDraft[];
};

/** The server checks the rest: what may be compared with what, and how a path is written. */
export const ruleRequest = ({ toolName, agentName, conditions }: RuleDraft) =>
  ({
    toolName,
    ...(agentName === "" ? {} : { agentName }),
    argumentConditions: conditions.map(({ path, operator, value }) => ({
      path: path.trim(),
      operator,
      value: comparedValue(operator, value),
    })),
  }) as ToolApprovalRuleRequest;

const comparedValue = (operator: ConditionOperator, text: string): unknown =>
  operator === "In" || operator === "NotIn"
    ? text.split(",").map((part) => scalarOf(part.trim()))
    : scalarOf(text.trim());

/** `20`, `true`, `null` and `"20"` are what JSON says; any other text is a text. */
function scalarOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? text : value;
  } catch {
    // Nobody writes quotes around a word in a form.
    return text;
  }
}
