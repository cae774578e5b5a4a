import { Link } from "@tanstack/react-router";
import type { ApprovalRequest, PendingApproval } from "@tracon/core";
import { buttonClass } from "../../design/button.tsx";
import { ApprovalMark } from "../../design/status.tsx";
import { CallSummary } from "../approvals/call-summary.tsx";
import { DecisionFact } from "../approvals/decision-fact.tsx";

/** A call the run stopped for: what it would do, and how it was decided. */
export const ApprovalInspector = (props: {
  readonly request: ApprovalRequest;
  /** As it stands now; absent until it has been read. */
  readonly approval: PendingApproval | undefined;
}) => {
  const { request, approval } = props;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-semibold [overflow-wrap:anywhere]">{request.toolName}</span>
        <ApprovalMark status={approval?.status ?? "Pending"} />
      </p>
      {approval === undefined || approval.status === "Pending" ? (
        <p>
          <Link
            to="/approvals"
            search={{ at: request.requestId }}
            className={buttonClass("primary")}
          >
            Decide
          </Link>
        </p>
      ) : (
        <DecisionFact approval={approval} />
      )}
      <CallSummary call={request} />
    </>
  );
};
