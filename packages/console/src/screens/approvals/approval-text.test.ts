import type { PendingApproval } from "@tracon/core";
import { expect, it } from "vitest";
import { approvalSummary, argumentSummary, byUrgency, decisionText } from "./approval-text.ts";

it.each([
  ['{"orderId":"ORD-7","amount":89.5}', "orderId ORD-7 · amount 89.5"],
  ['{"to":["a","b"],"only":[1],"at":{"x":1}}', 'to 2 items · only 1 item · at {"x":1}'],
  [`{"text":"${"x".repeat(60)}"}`, `text ${"x".repeat(39)}…`],
  ["{}", "no arguments"],
  ["amount=3", "amount=3"],
  ["12", "12"],
  [undefined, "arguments not recorded"],
])("sums %s up as %s", (given, summary) => {
  expect(argumentSummary(given)).toBe(summary);
});

it("prefers what the tool's presenter says over the arguments", () => {
  expect(approvalSummary(approval({ presentation: { message: "Refund 3 EUR" } }))).toBe(
    "Refund 3 EUR",
  );
  expect(approvalSummary(approval({ presentation: { entityType: "Order" } }))).toBe("id 1");
});

it.each([
  [{ status: "Pending" }, "Waits for a decision"],
  [
    { status: "Approved", decidedBy: "mira", decidedAt: "2026-12-01T10:02:05Z" },
    "Approved by mira after 2 min 05 s",
  ],
  [{ status: "Rejected", decidedAt: "2026-12-01T10:00:30Z" }, "Declined after 30 s"],
  [{ status: "Expired" }, "Expired: nobody decided in time"],
] as const)("tells %o as %s", (over, text) => {
  expect(decisionText(approval(over))).toBe(text);
});

it("puts what expires first on top", () => {
  const late = approval({ id: "a", expiresAt: "2026-12-02T12:00:00Z" });
  const soon = approval({ id: "b", expiresAt: "2026-12-02T11:00:00Z" });

  expect(byUrgency([late, soon]).map(({ id }) => id)).toEqual(["b", "a"]);
});

const approval = (over: Partial<PendingApproval>): PendingApproval =>
  ({
    id: "a",
    toolName: "refund",
    arguments: '{"id":1}',
    status: "Pending",
    createdAt: "2026-12-01T10:00:00Z",
    expiresAt: "2026-12-02T10:00:00Z",
    ...over,
  }) as PendingApproval;
