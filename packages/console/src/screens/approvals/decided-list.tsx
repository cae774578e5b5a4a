import { Link } from "@tanstack/react-router";
import type { PendingApproval } from "@tracon/core";
import { classNames } from "../../design/class-names.ts";
import { ROW_LINK } from "../../design/data-table.tsx";
import { formatAgo } from "../../design/format.ts";
import { ApprovalMark } from "../../design/status.tsx";

/** Older ones are found through their runs. */
const MOST_SHOWN = 20;

/** What was decided from this page since it was opened. */
export const DecidedList = (props: {
  readonly decided: readonly PendingApproval[];
  readonly shown: string | undefined;
  readonly nowMs: number;
}) =>
  props.decided.length === 0 ? null : (
    <section className="flex flex-col">
      <h2 className="px-4 pt-4 pb-1 text-faint text-sm">Decided here</h2>
      <ul>
        {props.decided.slice(0, MOST_SHOWN).map((approval) => (
          <li
            key={approval.id}
            className={classNames(
              "relative flex h-8 items-center gap-2 border-hairline border-b px-4 hover:bg-raised",
              approval.id === props.shown && "lg:bg-accent-soft lg:hover:bg-accent-soft",
            )}
          >
            <Link
              to="/approvals"
              search={{ at: approval.id }}
              className={`min-w-0 truncate font-mono text-sm ${ROW_LINK}`}
            >
              {approval.toolName}
            </Link>
            <span className="ml-auto shrink-0 text-faint text-sm">
              {approval.decidedAt === undefined ? "" : formatAgo(approval.decidedAt, props.nowMs)}
            </span>
            <ApprovalMark status={approval.status} />
          </li>
        ))}
      </ul>
    </section>
  );
