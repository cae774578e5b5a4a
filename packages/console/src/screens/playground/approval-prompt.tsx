import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ApprovalRequest } from "@tracon/core";
import { Check, CircleSlash } from "lucide-react";
import { useState } from "react";
import { toolsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { TextInput } from "../../design/field.tsx";
import { Mark } from "../../design/status.tsx";
import { useNow } from "../../design/use-now.ts";
import { CallSummary } from "../approvals/call-summary.tsx";
import { Expiry, hasExpired } from "../approvals/expiry.tsx";

const TICK_MS = 1_000;
const MAX_REASON_LENGTH = 4_096;

/** A call as it is decided; which of the provider's calls it was matters to nobody here. */
export type WaitingCall = Omit<ApprovalRequest, "callId">;

export type InlineDecision = {
  readonly requestId: string;
  readonly approved: boolean;
  readonly reason?: string;
};

/**
 * The calls a run stopped for, decided where they came up. The run goes on when all are decided, so
 * with several of them each is picked first.
 */
export function ApprovalPrompt(props: {
  readonly approvals: readonly WaitingCall[];
  readonly onDecide: (decisions: readonly InlineDecision[]) => void;
}) {
  const { approvals, onDecide } = props;
  const [picked, setPicked] = useState<ReadonlyMap<string, InlineDecision>>(new Map());
  const pick = (decision: InlineDecision) => {
    const next = new Map([...picked, [decision.requestId, decision] as const]);
    setPicked(next);
    const all = approvals.flatMap(({ requestId }) => next.get(requestId) ?? []);
    if (all.length === approvals.length) onDecide(all);
  };
  const isDone = picked.size === approvals.length;
  return (
    <div className="flex flex-col gap-3">
      {approvals.map((approval) => (
        <PromptCard
          key={approval.requestId}
          approval={approval}
          picked={picked.get(approval.requestId)}
          isDone={isDone}
          onPick={pick}
        />
      ))}
      {approvals.length > 1 && !isDone ? (
        <p className="text-muted text-sm">
          {picked.size} of {approvals.length} decided. The run goes on with the last one.
        </p>
      ) : null}
    </div>
  );
}

function PromptCard(props: {
  readonly approval: WaitingCall;
  readonly picked: InlineDecision | undefined;
  readonly isDone: boolean;
  readonly onPick: (decision: InlineDecision) => void;
}) {
  const { approval, picked } = props;
  const { api } = useServices();
  const { data: tools = [] } = useQuery(toolsQuery(api));
  const nowMs = useNow(TICK_MS, props.isDone);
  const isLate = hasExpired(approval.expiresAt, nowMs);
  return (
    <section
      aria-label={`Decide ${approval.toolName}`}
      className="flex flex-col gap-3 rounded-md border border-waiting/60 bg-surface p-3"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-mono font-semibold [overflow-wrap:anywhere]">{approval.toolName}</h3>
        <Expiry expiresAt={approval.expiresAt} nowMs={nowMs} />
        <Link
          to="/approvals"
          search={{ at: approval.requestId }}
          className="ml-auto text-accent text-sm underline"
        >
          Open in approvals
        </Link>
      </header>
      <CallSummary call={approval} tool={tools.find(({ name }) => name === approval.toolName)} />
      {picked !== undefined ? (
        <PickedMark picked={picked} />
      ) : isLate ? (
        <p className="text-muted">Nobody decided in time. Ask again to get a new request.</p>
      ) : (
        <DecisionButtons approval={approval} onPick={props.onPick} />
      )}
    </section>
  );
}

const PickedMark = ({ picked }: { readonly picked: InlineDecision }) =>
  picked.approved ? (
    <Mark word="Approved" tone="good" icon={Check} />
  ) : (
    <Mark word="Declined" tone="failed" icon={CircleSlash} />
  );

function DecisionButtons(props: {
  readonly approval: WaitingCall;
  readonly onPick: (decision: InlineDecision) => void;
}) {
  const { requestId, toolName } = props.approval;
  const [reason, setReason] = useState("");
  const given = reason.trim();

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        tone="primary"
        icon={Check}
        onClick={() => props.onPick({ requestId, approved: true })}
      >
        Approve
      </Button>
      <Button
        tone="danger"
        icon={CircleSlash}
        onClick={() =>
          props.onPick({ requestId, approved: false, ...(given === "" ? {} : { reason: given }) })
        }
      >
        Decline
      </Button>
      <TextInput
        aria-label={`Reason to decline ${toolName}`}
        className="min-w-40 flex-1"
        placeholder="Why not, for the agent; optional"
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </div>
  );
}
