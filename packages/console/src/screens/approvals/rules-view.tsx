import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolApprovalRule } from "@tracon/core";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { approvalRulesQuery, metaQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { type Column, DataTable, TableCell, TableRow } from "../../design/data-table.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TimeAgo } from "../../design/time-ago.tsx";
import { useNow } from "../../design/use-now.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { ruleScope } from "./rule-text.ts";

const MINUTE_MS = 60_000;

const columns = {
  tool: { title: "Tool", width: "w-40 md:w-56" },
  scope: { title: "Not asked when", width: "" },
  agent: { title: "Agent", width: "w-40", isWideOnly: true },
  by: { title: "Made by", width: "w-44", isWideOnly: true },
  created: { title: "Made", width: "w-28 xl:w-60", isWideOnly: true },
  action: { title: "Revoke", width: "w-16 md:w-20" },
} as const satisfies Readonly<Record<string, Column>>;

/** Calls that are approved without asking, until somebody revokes the rule. */
export function RulesView() {
  const { api } = useServices();
  const rules = useQuery(approvalRulesQuery(api));
  const { data: meta } = useQuery(metaQuery(api));
  const canChange = meta?.roles.canAdminister ?? false;
  const [revoking, setRevoking] = useState<ToolApprovalRule>();
  const nowMs = useNow(MINUTE_MS);
  if (rules.data === undefined) {
    return rules.error === null ? (
      <Loading what="rules" />
    ) : (
      <FailureView error={rules.error} onRetry={() => void rules.refetch()} />
    );
  }
  if (rules.data.length === 0) {
    return (
      <Empty
        title="No standing rules"
        text="A rule approves calls of a tool without asking. It is made when a call is approved with “Do not ask”, or written here, and can be revoked."
        actions={canChange ? <NewRule /> : null}
      />
    );
  }
  return (
    <>
      {canChange ? (
        <div className="px-4 py-2">
          <NewRule />
        </div>
      ) : null}
      <DataTable label="Standing rules" columns={Object.values(columns)}>
        {rules.data.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            index={index}
            nowMs={nowMs}
            onRevoke={canChange ? () => setRevoking(rule) : undefined}
          />
        ))}
      </DataTable>
      {revoking === undefined ? null : (
        <RevokeDialog rule={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

function NewRule() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="primary" icon={Plus} onClick={() => setOpen(true)}>
        New rule
      </Button>
      {isOpen ? <RuleDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const RuleRow = (props: {
  readonly rule: ToolApprovalRule;
  readonly index: number;
  readonly nowMs: number;
  readonly onRevoke: (() => void) | undefined;
}) => {
  const { rule } = props;
  return (
    <TableRow index={props.index}>
      <TableCell column={columns.tool} className="font-mono text-sm">
        {rule.toolName}
      </TableCell>
      <TableCell column={columns.scope}>
        <span title={ruleScope(rule)}>{ruleScope(rule)}</span>
      </TableCell>
      <TableCell column={columns.agent}>{rule.agentName ?? "every agent"}</TableCell>
      <TableCell column={columns.by} className="text-muted">
        {rule.createdBy ?? "unknown"}
      </TableCell>
      <TableCell column={columns.created} className="text-muted">
        <TimeAgo timestamp={rule.createdAt} nowMs={props.nowMs} />
      </TableCell>
      <TableCell column={columns.action}>
        {props.onRevoke === undefined ? null : (
          <IconButton
            icon={Trash2}
            label={`Revoke the rule for ${rule.toolName}`}
            onClick={props.onRevoke}
          />
        )}
      </TableCell>
    </TableRow>
  );
};

function RevokeDialog(props: { readonly rule: ToolApprovalRule; readonly onClose: () => void }) {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const { rule, onClose } = props;
  const revoke = useMutation({
    mutationFn: () => api.approvals.rules.delete(rule.id),
    onSuccess: () => toasts.show("good", `Calls of ${rule.toolName} ask again.`),
    onError: (error) => toasts.show("failed", failureOf(error).detail),
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: approvalRulesQuery(api).queryKey });
    },
  });
  return (
    <Dialog
      title="Revoke this rule?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep the rule</Button>
          <Button tone="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke
          </Button>
        </>
      }
    >
      <p>
        Calls of <span className="font-mono text-sm">{rule.toolName}</span> will wait for a decision
        again. Calls that were approved by the rule stay as they are.
      </p>
    </Dialog>
  );
}
