import {
  approvalDecisionSchema,
  pendingApprovalSchema,
  toolApprovalRuleRequestSchema,
  toolApprovalRuleSchema,
} from "@tracon/core";
import * as z from "zod";
import { approvalIdOf, approvalRuleIdOf } from "../approval-id.ts";
import { json, noContent } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { filterText, take } from "../read-query.ts";
import { defineRoute } from "../route.ts";
import { decodeRunCursor, encodeRunCursor } from "../run-cursor.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Approvals";

const pageQuery = z.object({
  take: take(),
  cursor: filterText(64).describe("From a `Link` header of this list.").optional(),
});

const NEXT_PAGE = { Link: 'The next page, as `rel="next"`; absent on the last page.' };

export const listPendingApprovals = defineRoute({
  method: "GET",
  path: "/api/approvals/pending",
  operationId: "listPendingApprovals",
  tag,
  summary: "List tool calls that wait for a decision",
  description:
    "Oldest first. What was decided, or is too old to be decided, is not listed. Follow the `Link` header for the next page.",
  access: "guarded",
  query: pageQuery,
  responses: {
    200: {
      description: "The calls that wait.",
      content: {
        "application/json": {
          schema: z.array(pendingApprovalSchema),
          example: [examples.pendingApproval],
        },
      },
      headers: NEXT_PAGE,
    },
  },
  errors: ["cursor_invalid"],
  async handler({ context, query }) {
    const waiting = await context.engine.approvals.pending(TENANT_ID, pageOf(query));
    return pageAnswer(waiting, query, `${context.prefix}/api/approvals/pending`);
  },
});

export const getApproval = defineRoute({
  method: "GET",
  path: "/api/approvals/{id}",
  operationId: "getApproval",
  tag,
  summary: "Read an approval",
  description: "Whatever became of it.",
  access: "guarded",
  responses: {
    200: {
      description: "The approval.",
      content: {
        "application/json": { schema: pendingApprovalSchema, example: examples.pendingApproval },
      },
    },
  },
  errors: ["approval_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.approvals.get(TENANT_ID, approvalIdOf(param("id"))));
  },
});

export const decideApproval = defineRoute({
  method: "POST",
  path: "/api/approvals/{id}/decide",
  operationId: "decideApproval",
  tag,
  summary: "Approve or decline a tool call",
  description:
    "Once all calls of the run are decided, the run `continuationRunId` goes on in its session: start no other one. The same decision again is answered with 200 and finishes what was interrupted; the opposite one, and one that comes too late, with 409. `reason` goes to the model when the call is declined. `remember` saves a standing rule for the tool, `rememberArgumentsOnly` one for exactly these arguments.",
  access: "guarded",
  body: {
    schema: approvalDecisionSchema,
    example: examples.approvalDecision,
    limit: "definitionBodyBytes",
  },
  responses: {
    200: {
      description: "The approval, decided.",
      content: {
        "application/json": { schema: pendingApprovalSchema, example: examples.decidedApproval },
      },
    },
  },
  errors: ["approval_not_found", "approval_conflict"],
  async handler({ context, param, body }) {
    const id = approvalIdOf(param("id"));
    return json(await context.engine.approvals.decide(TENANT_ID, id, body));
  },
});

export const listApprovalRules = defineRoute({
  method: "GET",
  path: "/api/approvals/rules",
  operationId: "listApprovalRules",
  tag,
  summary: "List standing rules",
  description: "Calls that a rule covers wait for nobody. Oldest first.",
  access: "guarded",
  query: pageQuery,
  responses: {
    200: {
      description: "The rules.",
      content: {
        "application/json": {
          schema: z.array(toolApprovalRuleSchema),
          example: [examples.toolApprovalRule],
        },
      },
      headers: NEXT_PAGE,
    },
  },
  errors: ["cursor_invalid"],
  async handler({ context, query }) {
    const rules = await context.engine.approvals.rules(TENANT_ID, pageOf(query));
    return pageAnswer(rules, query, `${context.prefix}/api/approvals/rules`);
  },
});

export const createApprovalRule = defineRoute({
  method: "POST",
  path: "/api/approvals/rules",
  operationId: "createApprovalRule",
  tag,
  summary: "Create a standing rule",
  description:
    "Without `agentName` it holds for all agents, without conditions for every call of the tool. Conditions name members of the arguments with dots between names; all of them must hold, and one that cannot be told does not. A tool's own policy is asked first, and calls that wait already go on waiting.",
  access: "guarded",
  body: {
    schema: toolApprovalRuleRequestSchema,
    example: examples.toolApprovalRuleRequest,
    limit: "definitionBodyBytes",
  },
  responses: {
    201: {
      description: "The rule.",
      content: {
        "application/json": { schema: toolApprovalRuleSchema, example: examples.toolApprovalRule },
      },
    },
  },
  errors: [],
  async handler({ context, body }) {
    return json(await context.engine.approvals.addRule(TENANT_ID, body), { status: 201 });
  },
});

export const deleteApprovalRule = defineRoute({
  method: "DELETE",
  path: "/api/approvals/rules/{ruleId}",
  operationId: "deleteApprovalRule",
  tag,
  summary: "Delete a standing rule",
  access: "guarded",
  responses: { 204: { description: "The rule is gone." } },
  errors: ["approval_rule_not_found"],
  async handler({ context, param }) {
    await context.engine.approvals.removeRule(TENANT_ID, approvalRuleIdOf(param("ruleId")));
    return noContent();
  },
});

type PageQuery = z.output<typeof pageQuery>;

const pageOf = ({ take, cursor }: PageQuery) => ({
  take,
  ...(cursor === undefined ? {} : { after: decodeRunCursor(cursor) }),
});

/** Both lists go by ids of one form. */
function pageAnswer(
  items: readonly { readonly id: string }[],
  { take }: PageQuery,
  path: string,
): Response {
  const last = items.length === take ? items.at(-1) : undefined;
  if (last === undefined) return json(items);
  const next = `${path}?${new URLSearchParams({ take: `${take}`, cursor: encodeRunCursor(last.id) })}`;
  return json(items, { headers: { link: `<${next}>; rel="next"` } });
}
