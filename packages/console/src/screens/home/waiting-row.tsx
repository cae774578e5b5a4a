import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PendingApproval, RunStatistics } from "@tracon/core";
import { pendingApprovalsQuery, type WaitingApprovals, waitingCount } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { ROW_LINK } from "../../design/data-table.tsx";
import { FIGURE_LINK, Figure, Figures } from "../../design/figure.tsx";
import { formatCount } from "../../design/format.ts";
import { useNow } from "../../design/use-now.ts";
import { approvalSummary, byUrgency } from "../approvals/approval-text.ts";
import { Expiry } from "../approvals/expiry.tsx";
import { HomeRow } from "./home-row.tsx";
import { InlineFailure } from "./inline-failure.tsx";

const TICK_MS = 1_000;
const MOST_SHOWN = 4;
const NOTHING: WaitingApprovals = { items: [], hasMore: false };

/** What waits for me: decisions first, then what goes on by itself. */
export function WaitingRow({ statistics }: { readonly statistics: RunStatistics }) {
  const { api } = useServices();
  const { data: waiting = NOTHING, error } = useQuery(pendingApprovalsQuery(api));
  return (
    <HomeRow
      title={waiting.items.length === 0 ? "Nothing waits for you" : "What waits for me?"}
      figures={
        <Figures>
          <Figure name="Decisions">
            <Link to="/approvals" className={FIGURE_LINK}>
              {waitingCount(waiting)}
            </Link>
          </Figure>
          <Figure name="Running now">
            <Link to="/runs" search={{ status: "Running" }} className={FIGURE_LINK}>
              {formatCount(statistics.runningRuns)}
            </Link>
          </Figure>
        </Figures>
      }
    >
      {error === null ? <MostUrgent pending={waiting.items} /> : <InlineFailure error={error} />}
    </HomeRow>
  );
}

function MostUrgent({ pending }: { readonly pending: readonly PendingApproval[] }) {
  const nowMs = useNow(TICK_MS, pending.length === 0);
  if (pending.length === 0) return null;
  return (
    <ol aria-label="Most urgent decisions">
      {byUrgency(pending)
        .slice(0, MOST_SHOWN)
        .map((approval) => (
          <li
            key={approval.id}
            className="relative flex min-h-8 flex-wrap items-center gap-x-3 border-hairline border-b py-1 last:border-b-0 hover:bg-raised"
          >
            <Link
              to="/approvals"
              search={{ at: approval.id }}
              className={`max-w-full truncate font-medium font-mono text-sm ${ROW_LINK}`}
            >
              {approval.toolName}
            </Link>
            <span className="min-w-0 flex-1 basis-40 truncate text-muted">
              {approvalSummary(approval)}
            </span>
            <span className="text-sm">
              <Expiry expiresAt={approval.expiresAt} nowMs={nowMs} />
            </span>
          </li>
        ))}
    </ol>
  );
}
