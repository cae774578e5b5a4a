import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PendingApproval } from "@tracon/core";
import { pendingApprovalsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { formatInstant } from "../../design/format.ts";
import { decisionText } from "./approval-text.ts";

/** How a call was decided, and where the run went on. */
export const DecisionFact = ({ approval }: { readonly approval: PendingApproval }) => (
  <div className="flex flex-col gap-1 rounded-md border border-hairline bg-surface p-3">
    <p className="font-medium [overflow-wrap:anywhere]">{decisionText(approval)}</p>
    {approval.reason === undefined ? null : (
      <p className="[overflow-wrap:anywhere]">“{approval.reason}”</p>
    )}
    {approval.status === "Expired" ? (
      <p className="text-muted">
        The call was not run and will not be. Ask the agent again to get a new request.
      </p>
    ) : (
      <>
        <p className="text-muted">{approval.decidedAt && formatInstant(approval.decidedAt)}</p>
        <Continuation approval={approval} />
      </>
    )}
  </div>
);

/** A stopped run goes on once all its calls are decided. */
function Continuation({ approval }: { readonly approval: PendingApproval }) {
  const { api } = useServices();
  const { data: waiting } = useQuery(pendingApprovalsQuery(api));
  const siblings = waiting?.items.filter(({ runId }) => runId === approval.runId) ?? [];
  const [next] = siblings;
  if (next !== undefined) {
    return (
      <p>
        The run goes on once{" "}
        <Link to="/approvals" search={{ at: next.id }} className="text-accent underline">
          {siblings.length === 1 ? "one more call" : `${siblings.length} more calls`}
        </Link>{" "}
        of it {siblings.length === 1 ? "is" : "are"} decided.
      </p>
    );
  }
  return (
    <p>
      <Link
        to="/runs/$runId"
        params={{ runId: approval.continuationRunId }}
        className="text-accent underline"
      >
        Open the run that goes on
      </Link>
    </p>
  );
}
