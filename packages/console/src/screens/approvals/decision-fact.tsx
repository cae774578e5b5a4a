import { Link } from "@tanstack/react-router";
import type { PendingApproval } from "../../app/control-records.ts";
import { formatDurationMs, formatInstant } from "../../design/format.ts";

/** `Approved by mira@example.com after 2 min 05 s`. */
export function decisionText({ status, decidedBy, decidedAt, createdAt }: PendingApproval): string {
  if (status === "Expired") return "Expired: nobody decided in time";
  const word = status === "Approved" ? "Approved" : "Declined";
  const by = decidedBy === undefined ? "" : ` by ${decidedBy}`;
  if (decidedAt === undefined) return word + by;
  const waitedMs = Date.parse(decidedAt) - Date.parse(createdAt);
  return `${word}${by} after ${formatDurationMs(waitedMs)}`;
}

/** How a call was decided, and where the run went on. */
export const DecisionFact = ({ approval }: { readonly approval: PendingApproval }) => (
  <div className="flex flex-col gap-1 rounded-md border border-hairline bg-surface p-3">
    <p className="font-medium [overflow-wrap:anywhere]">{decisionText(approval)}</p>
    {approval.reason === undefined ? null : (
      <p className="[overflow-wrap:anywhere]">“{approval.reason}”</p>
    )}
    <p className="text-muted">
      {approval.status === "Expired"
        ? "The call was never run. Ask the agent again to get a new request."
        : approval.decidedAt && formatInstant(approval.decidedAt)}
      {approval.continuationRunId === undefined || approval.status === "Expired" ? null : (
        <>
          {" · "}
          <Link
            to="/runs/$runId"
            params={{ runId: approval.continuationRunId }}
            className="text-accent underline"
          >
            Open the run that goes on
          </Link>
        </>
      )}
    </p>
  </div>
);
