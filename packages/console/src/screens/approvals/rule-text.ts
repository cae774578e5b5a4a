/** How a standing rule reads. */

import type { ToolApprovalRule } from "@tracon/core";

const operators: Readonly<Record<string, string>> = {
  Equals: "=",
  NotEquals: "≠",
  GreaterThan: ">",
  GreaterThanOrEqual: "≥",
  LessThan: "<",
  LessThanOrEqual: "≤",
  In: "one of",
  NotIn: "none of",
};

export const operatorSign = (operator: string): string => operators[operator] ?? operator;

/** When a call is not asked for: `amount ≤ 50 and currency = "EUR"`. */
export function ruleScope({ argumentsHash, argumentConditions }: ToolApprovalRule): string {
  if (argumentsHash !== undefined) return "the arguments are the very same";
  if (argumentConditions.length === 0) return "always";
  return argumentConditions
    .map(({ path, operator, value }) =>
      [path, operatorSign(operator), JSON.stringify(value)].join(" "),
    )
    .join(" and ");
}
