import type { ApprovalDecisionRequest, PendingApproval } from "@tracon/core";
import { type SyntheticEvent, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { RadioGroup } from "../../design/radio-group.tsx";
import { approvalSummary, argumentSummary } from "./approval-text.ts";

const MAX_REASON_LENGTH = 4_096;
/** More are counted. */
const MOST_LISTED = 6;

type Remember = "no" | "arguments" | "tool";

type DialogProps = {
  readonly approve: boolean;
  readonly approvals: readonly PendingApproval[];
  readonly isDeciding: boolean;
  readonly onDecide: (decision: ApprovalDecisionRequest) => void;
  readonly onClose: () => void;
};

/** Asks once more before a call is run or declined for good. */
export function DecideDialog({ approve, approvals, isDeciding, onDecide, onClose }: DialogProps) {
  const [remember, setRemember] = useState<Remember>("no");
  const [reason, setReason] = useState("");
  const [first] = approvals;
  const what = approvals.length === 1 ? first?.toolName : `${approvals.length} calls`;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onDecide({
      approved: approve,
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      ...(remember === "tool" ? { remember: true } : {}),
      ...(remember === "arguments" ? { rememberArgumentsOnly: true } : {}),
    });
  };

  return (
    <Dialog title={`${approve ? "Approve" : "Decline"} ${what}?`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <CallList approvals={approvals} />
        {approve ? (
          <RememberChoice approvals={approvals} value={remember} onPick={setRemember} />
        ) : (
          <Field label="Reason (the agent reads it)">
            <TextInput
              data-autofocus
              maxLength={MAX_REASON_LENGTH}
              placeholder="Optional"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Keep waiting</Button>
          <Button
            type="submit"
            tone={approve ? "primary" : "danger"}
            disabled={isDeciding}
            {...(approve ? { "data-autofocus": true } : {})}
          >
            {isDeciding ? "Sending…" : `${approve ? "Approve" : "Decline"} ${what}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const CallList = ({ approvals }: { readonly approvals: readonly PendingApproval[] }) => (
  <ul className="flex flex-col gap-1.5">
    {approvals.slice(0, MOST_LISTED).map((approval) => (
      <li key={approval.id} className="[overflow-wrap:anywhere]">
        <span className="font-medium font-mono text-sm">{approval.toolName}</span>{" "}
        <span className="text-muted">{approvalSummary(approval)}</span>
        {approval.presentation === undefined ? null : (
          <span className="block text-faint text-sm">{argumentSummary(approval.arguments)}</span>
        )}
      </li>
    ))}
    {approvals.length > MOST_LISTED ? (
      <li className="text-muted">and {approvals.length - MOST_LISTED} more</li>
    ) : null}
  </ul>
);

function RememberChoice(props: {
  readonly approvals: readonly PendingApproval[];
  readonly value: Remember;
  readonly onPick: (value: Remember) => void;
}) {
  const tools = [...new Set(props.approvals.map((it) => it.toolName))].join(", ");
  return (
    <RadioGroup
      label="Next time"
      value={props.value}
      onPick={props.onPick}
      options={[
        { value: "no", label: "Ask again" },
        { value: "arguments", label: "Do not ask for these very arguments" },
        {
          value: "tool",
          label: `Do not ask for ${tools} of this agent at all`,
          hint: "Whatever the arguments. Can be revoked under Standing rules.",
        },
      ]}
    />
  );
}
