import * as z from "zod";
import { MAX_NAME_LENGTH, nameText } from "../schema/member.ts";

const scalar = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
/** Values of a list condition: more is a table, which belongs into code. */
const MAX_LISTED_VALUES = 256;
/** Conditions of one rule: all of them must hold. */
const MAX_CONDITIONS = 32;

/** A member of the arguments by its dotted name. What stands in a list cannot be named. */
const argumentPath = z
  .string()
  .max(256)
  .regex(
    /^(?![0-9]+(?:\.|$))[^.[\]]+(?:\.(?![0-9]+(?:\.|$))[^.[\]]+)*$/,
    "name a member with dots between names; an index into a list is not possible",
  );

const comparison = ["GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"] as const;

/** One thing that must hold of a call's arguments; what cannot be told does not hold. */
export const toolArgumentConditionSchema = z.discriminatedUnion("operator", [
  z.strictObject({ path: argumentPath, operator: z.enum(["Equals", "NotEquals"]), value: scalar }),
  z.strictObject({ path: argumentPath, operator: z.enum(comparison), value: z.number() }),
  z.strictObject({
    path: argumentPath,
    operator: z.enum(["In", "NotIn"]),
    value: z.array(scalar).min(1).max(MAX_LISTED_VALUES),
  }),
]);
export type ToolArgumentCondition = z.output<typeof toolArgumentConditionSchema>;

/** A new standing rule. Without conditions it covers every call of the tool. */
export const toolApprovalRuleRequestSchema = z.strictObject({
  toolName: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be the name of a tool"),
  /** Absent for all agents. */
  agentName: nameText().max(MAX_NAME_LENGTH).optional(),
  argumentConditions: z.array(toolArgumentConditionSchema).max(MAX_CONDITIONS).default([]),
});
export type ToolApprovalRuleRequest = z.input<typeof toolApprovalRuleRequestSchema>;

/** Calls that need no decision any more: all of a tool, those that meet conditions, or equal ones. */
export const toolApprovalRuleSchema = z.object({
  id: z.string(),
  tenantId: z.string(),
  /** Absent for all agents. */
  agentName: z.string().optional(),
  toolName: z.string(),
  /** SHA-256 of the canonical arguments: only equal calls are covered. */
  argumentsHash: z.string().optional(),
  argumentConditions: z.array(toolArgumentConditionSchema),
  createdBy: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});
export type ToolApprovalRule = z.output<typeof toolApprovalRuleSchema>;
