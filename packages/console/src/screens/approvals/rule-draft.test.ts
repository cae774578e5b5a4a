import { expect, it } from "vitest";
import { type ConditionOperator, ruleRequest } from "./rule-draft.ts";

it.each([
  ["Equals", "EUR", "EUR"],
  ["Equals", " 20 ", 20],
  ["Equals", '"20"', "20"],
  ["NotEquals", "true", true],
  ["LessThanOrEqual", "12.5", 12.5],
  ["In", "DE, AT,12", ["DE", "AT", 12]],
  ["Equals", '{"a":1}', '{"a":1}'],
] as const)("reads the value of %s from %s", (operator, text, value) => {
  expect(conditionOf(operator, text).value).toEqual(value);
});

it("leaves the agent out for a rule of all agents", () => {
  expect(ruleRequest({ toolName: "refund", agentName: "", conditions: [] })).toEqual({
    toolName: "refund",
    argumentConditions: [],
  });
});

const conditionOf = (operator: ConditionOperator, value: string) => {
  const conditions = [{ key: 0, path: " amount ", operator, value }];
  const { argumentConditions } = ruleRequest({ toolName: "t", agentName: "a", conditions });
  return argumentConditions?.[0] as { readonly path: string; readonly value: unknown };
};
