import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PendingApproval } from "@tracon/core";
import { Check, CircleSlash } from "lucide-react";
import { toolsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Facts, Section } from "../../design/facts.tsx";
import { formatInstant } from "../../design/format.ts";
import { Identifier } from "../../design/identifier.tsx";
import { ApprovalMark } from "../../design/status.tsx";
import { CallSummary } from "./call-summary.tsx";
import { DecisionFact } from "./decision-fact.tsx";
import { Expiry, hasExpired } from "./expiry.tsx";
import { WhyAsked } from "./why-asked.tsx";

type CardProps = {
  readonly approval: PendingApproval;
  readonly nowMs: number;
  readonly canDecide: boolean;
  readonly onAsk: (approve: boolean) => void;
};

/** Everything needed to decide one call, and afterwards how it was decided. */
export function ApprovalCard({ approval, nowMs, canDecide, onAsk }: CardProps) {
  const { api } = useServices();
  const { data: tools = [] } = useQuery(toolsQuery(api));
  const tool = tools.find(({ name }) => name === approval.toolName);
  const isLate = approval.status === "Pending" && hasExpired(approval.expiresAt, nowMs);
  const status = isLate ? "Expired" : approval.status;

  return (
    <article
      aria-label={`Approval of ${approval.toolName}`}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-auto p-4">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="font-mono font-semibold text-lg [overflow-wrap:anywhere]">
            {approval.toolName}
          </h2>
          <span role="status">
            <ApprovalMark status={status} />
          </span>
          {status === "Pending" ? <Expiry expiresAt={approval.expiresAt} nowMs={nowMs} /> : null}
        </header>
        {status === "Pending" ? null : <DecisionFact approval={{ ...approval, status }} />}
        <CallSummary call={approval} tool={tool} />
        <Section title="Why">
          <WhyAsked approval={approval} />
        </Section>
        <Section title="Who and when">
          <RequestFacts approval={approval} />
        </Section>
      </div>
      {status === "Pending" ? (
        <footer className="flex shrink-0 items-center gap-2 border-hairline border-t bg-surface px-4 py-2 max-lg:[&_button]:h-10 max-lg:[&_button]:flex-1 max-lg:[&_button]:justify-center">
          {canDecide ? (
            <>
              <Button tone="primary" icon={Check} onClick={() => onAsk(true)}>
                Approve
              </Button>
              <Button tone="danger" icon={CircleSlash} onClick={() => onAsk(false)}>
                Decline
              </Button>
              <span className="ml-auto text-faint text-sm max-lg:hidden">
                a approve · d decline · x select
              </span>
            </>
          ) : (
            <p className="text-muted">Your token may look here, but not decide.</p>
          )}
        </footer>
      ) : null}
    </article>
  );
}

const RequestFacts = ({ approval }: { readonly approval: PendingApproval }) => (
  <Facts
    facts={[
      [
        "Agent",
        <Link
          key="agent"
          to="/agents/$name"
          params={{ name: approval.agentName }}
          className="text-accent underline"
        >
          {approval.agentName}
        </Link>,
      ],
      [
        "Run",
        <Link
          key="run"
          to="/runs/$runId"
          params={{ runId: approval.runId }}
          className="text-accent underline"
        >
          Open run
        </Link>,
      ],
      [
        "Session",
        <Link
          key="session"
          to="/sessions/$sessionId"
          params={{ sessionId: approval.sessionId }}
          className="text-accent underline"
        >
          Read the conversation
        </Link>,
      ],
      ["Asked at", formatInstant(approval.createdAt)],
      ["Expires at", formatInstant(approval.expiresAt)],
      ["Approval", <Identifier key="id" id={approval.id} label="approval id" />],
    ]}
  />
);
