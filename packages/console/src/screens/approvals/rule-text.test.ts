import type { ToolApprovalRule } from "@tracon/core";
import { expect, it } from "vitest";
import { ruleScope } from "./rule-text.ts";

it("says when a rule covers a call", () => {
  expect(ruleScope(rule({}))).toBe("always");
  expect(ruleScope(rule({ argumentsHash: "ab12" }))).toBe("the arguments are the very same");
  expect(
    ruleScope(
      rule({
        argumentConditions: [
          { path: "amount", operator: "LessThanOrEqual", value: 50 },
          { path: "order.currency", operator: "In", value: ["EUR", "USD"] },
        ],
      }),
    ),
  ).toBe('amount ≤ 50 and order.currency one of ["EUR","USD"]');
});

const rule = (over: Partial<ToolApprovalRule>): ToolApprovalRule =>
  ({ id: "r", toolName: "refund", argumentConditions: [], ...over }) as ToolApprovalRule;
