import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { PendingApproval } from "@tracon/core";
import { type RefObject, useEffect } from "react";
import { classNames } from "../../design/class-names.ts";
import { ROW_LINK } from "../../design/data-table.tsx";
import { formatAgo } from "../../design/format.ts";
import { ApprovalMark } from "../../design/status.tsx";
import { approvalSummary } from "./approval-text.ts";
import { Expiry } from "./expiry.tsx";

const ROW_HEIGHT_PX = 80;
const OVERSCAN_ROWS = 8;

export type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
};

/** What waits, oldest first, each row with a box for deciding many at once. */
export function ApprovalList(props: {
  readonly approvals: readonly PendingApproval[];
  readonly shown: string | undefined;
  readonly nowMs: number;
  /** Absent for who may not decide. */
  readonly selection: Selection | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
}) {
  const { approvals, shown, scroller } = props;
  const rows = useVirtualizer({
    count: approvals.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => approvals[index]?.id ?? index,
  });
  const shownIndex = approvals.findIndex(({ id }) => id === shown);
  useEffect(() => {
    if (shownIndex >= 0) rows.scrollToIndex(shownIndex);
  }, [shownIndex, rows]);

  return (
    <ol
      aria-label="Waiting for a decision"
      className="relative"
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ index, start }) => {
        const approval = approvals[index];
        return approval === undefined ? null : (
          <li
            key={approval.id}
            data-row={index}
            aria-posinset={index + 1}
            aria-setsize={approvals.length}
            data-id={approval.id}
            className={classNames(
              "absolute inset-x-0 flex h-20 gap-2 border-hairline border-b px-4 py-2 hover:bg-raised",
              approval.id === shown && "lg:bg-accent-soft lg:hover:bg-accent-soft",
            )}
            style={{ top: start }}
          >
            {props.selection === undefined ? null : (
              <RowBox approval={approval} selection={props.selection} />
            )}
            <RowText approval={approval} nowMs={props.nowMs} isShown={approval.id === shown} />
          </li>
        );
      })}
    </ol>
  );
}

/** The target is larger than the box, so that a finger meets it. */
const RowBox = (props: { readonly approval: PendingApproval; readonly selection: Selection }) => (
  <label className="relative z-1 -my-2 -ml-4 flex w-10 shrink-0 cursor-pointer items-center justify-center">
    <span className="sr-only">Select {props.approval.toolName}</span>
    <input
      type="checkbox"
      className="size-4 accent-accent"
      checked={props.selection.ids.has(props.approval.id)}
      onChange={() => props.selection.toggle(props.approval.id)}
    />
  </label>
);

const RowText = (props: {
  readonly approval: PendingApproval;
  readonly nowMs: number;
  readonly isShown: boolean;
}) => {
  const { approval, nowMs } = props;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <div className="flex items-baseline gap-2">
        <Link
          to="/approvals"
          search={{ at: approval.id }}
          aria-current={props.isShown ? "true" : undefined}
          className={`min-w-0 truncate font-medium font-mono text-sm ${ROW_LINK}`}
        >
          {approval.toolName}
        </Link>
        <span className="ml-auto shrink-0 text-sm">
          {approval.status === "Pending" ? (
            <Expiry expiresAt={approval.expiresAt} nowMs={nowMs} />
          ) : (
            <ApprovalMark status={approval.status} />
          )}
        </span>
      </div>
      <div className="flex items-baseline gap-2">
        <span className="min-w-0 truncate">{approvalSummary(approval)}</span>
      </div>
      <div className="flex items-baseline gap-2 text-faint text-sm">
        <span className="min-w-0 truncate">{approval.agentName}</span>
        <span className="ml-auto shrink-0">{formatAgo(approval.createdAt, nowMs)}</span>
      </div>
    </div>
  );
};
