import type { ToolApprovalRule, ToolArgumentCondition } from "@tracon/core";
import { expect, it } from "vitest";
import { argumentsHashOf, isCovered } from "./standing-rule.ts";

const rule = (over: Partial<ToolApprovalRule> = {}): ToolApprovalRule => ({
  id: "1",
  tenantId: "t",
  toolName: "refund",
  argumentConditions: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  ...over,
});
const call = (value: unknown = {}, over = {}) => ({
  agentName: "support",
  toolName: "refund",
  arguments: value,
  ...over,
});

it.each([
  ["every call of its tool", rule(), call({ amount: 5 }), true],
  ["no other tool", rule(), call({}, { toolName: "Refund" }), false],
  ["its agent", rule({ agentName: "support" }), call(), true],
  ["no other agent", rule({ agentName: "Support" }), call(), false],
  [
    "equal arguments in any order",
    rule({ argumentsHash: argumentsHashOf({ a: 1, b: [2] }) }),
    call({ b: [2], a: 1 }),
    true,
  ],
  ["no other arguments", rule({ argumentsHash: argumentsHashOf({ a: 1 }) }), call({ a: 2 }), false],
  [
    "no further arguments",
    rule({ argumentsHash: argumentsHashOf({ a: 1 }) }),
    call({ a: 1, b: 1 }),
    false,
  ],
  ["no arguments but those", rule({ argumentsHash: argumentsHashOf({}) }), call({ a: 1 }), false],
])("covers %s", (_, standing, asked, covered) => {
  expect(isCovered(standing, asked)).toBe(covered);
});

const condition = (path: string, operator: string, value: unknown) =>
  ({ path, operator, value }) as ToolArgumentCondition;

it.each<[ToolArgumentCondition, unknown, boolean]>([
  [condition("a", "Equals", 1), { a: 1 }, true],
  [condition("a", "Equals", 1), { a: "1" }, false],
  [condition("a", "Equals", null), { a: null }, true],
  [condition("a", "Equals", null), {}, false],
  [condition("a.b", "Equals", true), { a: { b: true } }, true],
  [condition("a.b", "Equals", true), { "a.b": true }, false],
  [condition("a.b", "Equals", true), { a: [{ b: true }] }, false],
  [condition("a", "NotEquals", 1), { a: 2 }, true],
  [condition("a", "NotEquals", 1), { a: 1 }, false],
  [condition("a", "NotEquals", 1), { a: "2" }, false],
  [condition("a", "NotEquals", 1), {}, false],
  [condition("a", "NotEquals", 1), { a: {} }, false],
  [condition("a", "LessThan", 100), { a: 99.9 }, true],
  [condition("a", "LessThan", 100), { a: 100 }, false],
  [condition("a", "LessThan", 100), { a: "5" }, false],
  [condition("a", "LessThan", 100), { a: null }, false],
  [condition("a", "LessThan", 100), { a: [5] }, false],
  [condition("a", "LessThanOrEqual", 100), { a: 100 }, true],
  [condition("a", "GreaterThan", 1), { a: 1 }, false],
  [condition("a", "GreaterThanOrEqual", 1), { a: 1 }, true],
  [condition("a", "In", ["x", 1]), { a: 1 }, true],
  [condition("a", "In", ["x", 1]), { a: "1" }, false],
  [condition("a", "NotIn", ["x", "y"]), { a: "z" }, true],
  [condition("a", "NotIn", ["x", "y"]), { a: "x" }, false],
  [condition("a", "NotIn", ["x", "y"]), { a: 1 }, false],
  [condition("a", "NotIn", ["x", "y"]), {}, false],
  [condition("toString", "NotEquals", "x"), {}, false],
  [condition("__proto__", "NotEquals", "x"), {}, false],
  [condition("constructor.name", "Equals", "Object"), {}, false],
  [condition("length", "Equals", 0), [], false],
  [condition("length", "Equals", 1), "a", false],
])("holds %j against %j: %s", (wanted, value, covered) => {
  expect(isCovered(rule({ argumentConditions: [wanted] }), call(value))).toBe(covered);
});

it("wants all of its conditions to hold", () => {
  const argumentConditions = [condition("a", "Equals", 1), condition("b", "LessThan", 5)];

  expect(isCovered(rule({ argumentConditions }), call({ a: 1, b: 4 }))).toBe(true);
  expect(isCovered(rule({ argumentConditions }), call({ a: 1, b: 5 }))).toBe(false);
});
