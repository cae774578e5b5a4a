import { Link } from "@tanstack/react-router";
import type { PendingApproval } from "@tracon/core";
import { Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../../design/button.tsx";
import type { ApprovalsById } from "./timeline-rows.ts";

/** What the run waits for, or where it went on after it stopped. */
export function RunWaiting({ approvals }: { readonly approvals: ApprovalsById }) {
  const all = [...approvals.values()];
  const open = all.filter(({ status }) => status === "Pending");
  const [first] = open;
  const continuation = all.find(hasGoneOn)?.continuationRunId;
  if (first !== undefined) {
    return (
      <Bar>
        <span className="inline-flex items-center gap-2">
          <Hourglass aria-hidden className="size-4 shrink-0 text-waiting" />
          {open.length === 1
            ? `Waits for a decision on ${first.toolName}.`
            : `Waits for ${open.length} decisions.`}
        </span>
        <Link to="/approvals" search={{ at: first.id }} className={buttonClass("primary")}>
          Decide
        </Link>
      </Bar>
    );
  }
  if (continuation === undefined) return null;
  return (
    <Bar>
      <span>Everything it stopped for is decided.</span>
      <Link to="/runs/$runId" params={{ runId: continuation }} className={buttonClass()}>
        Open the run that goes on
      </Link>
    </Bar>
  );
}

const hasGoneOn = ({ status }: PendingApproval): boolean =>
  status === "Approved" || status === "Rejected";

const Bar = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex shrink-0 flex-wrap items-center gap-3 border-hairline border-y bg-surface px-4 py-1.5">
    {children}
  </div>
);
