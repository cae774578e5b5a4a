/** How a call that waits for a decision reads. */

import type { PendingApproval } from "@tracon/core";
import { formatDurationMs } from "../../design/format.ts";

/** Longest value in a summary; the card has the whole. */
const VALUE_LENGTH = 40;

/** One line: what the tool's presenter says, or else the arguments in short. */
export function approvalSummary({
  presentation,
  arguments: given,
}: Pick<PendingApproval, "presentation" | "arguments">): string {
  const presented = presentation?.message ?? presentation?.entityName;
  return presented ?? argumentSummary(given);
}

/** `orderId ORD-7 · amount 89.5`; text that is no object stays as it is. */
export function argumentSummary(given: string | undefined): string {
  if (given === undefined) return "arguments not recorded";
  const members = membersOf(given);
  if (members === undefined) return given;
  if (members.length === 0) return "no arguments";
  return members.map(([name, value]) => `${name} ${shortValue(value)}`).join(" · ");
}

function membersOf(given: string): readonly (readonly [string, unknown])[] | undefined {
  try {
    const value: unknown = JSON.parse(given);
    return value !== null && typeof value === "object" ? Object.entries(value) : undefined;
  } catch {
    // A server may have recorded another form; it is shown as it came.
    return undefined;
  }
}

function shortValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= VALUE_LENGTH ? text : `${text.slice(0, VALUE_LENGTH - 1)}…`;
}

/** `Approved by mira@example.com after 2 min 05 s`. */
export function decisionText({ status, decidedBy, decidedAt, createdAt }: PendingApproval): string {
  if (status === "Pending") return "Waits for a decision";
  if (status === "Expired") return "Expired: nobody decided in time";
  const word = status === "Approved" ? "Approved" : "Declined";
  const by = decidedBy === undefined ? "" : ` by ${decidedBy}`;
  if (decidedAt === undefined) return word + by;
  return `${word}${by} after ${formatDurationMs(Date.parse(decidedAt) - Date.parse(createdAt))}`;
}

/** What expires first comes first. */
export const byUrgency = (approvals: readonly PendingApproval[]): readonly PendingApproval[] =>
  approvals.toSorted(
    (a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt) || (a.id < b.id ? -1 : 1),
  );
