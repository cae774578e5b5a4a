import { Link } from "@tanstack/react-router";
import type { SessionRecord } from "@tracon/core";
import { GitBranch } from "lucide-react";
import { type Column, ROW_LINK, TableCell, TableRow } from "../../design/data-table.tsx";
import { shortenName } from "../../design/format.ts";
import { TimeAgo } from "../../design/time-ago.tsx";

const columns = {
  session: { title: "Session", width: "" },
  agent: { title: "Agent", width: "w-36 md:w-56" },
  items: { title: "Messages", width: "w-24", isWideOnly: true, isFigure: true },
  created: { title: "Opened", width: "w-28 xl:w-60", isWideOnly: true },
  updated: { title: "Last used", width: "w-24 md:w-28 xl:w-60" },
} as const satisfies Readonly<Record<string, Column>>;

export const SESSION_COLUMNS: readonly Column[] = Object.values(columns);

export const SessionRow = (props: {
  readonly session: SessionRecord;
  readonly index: number;
  readonly nowMs: number;
}) => {
  const { session, nowMs } = props;
  return (
    <TableRow index={props.index}>
      <TableCell column={columns.session}>
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: session.id }}
          title={session.id}
          className={`font-mono text-sm ${ROW_LINK}`}
        >
          {shortenName(session.id)}
        </Link>
        {session.parentSessionId === undefined ? null : (
          <span className="ml-2 inline-flex items-center gap-1 text-faint text-sm">
            <GitBranch aria-hidden className="size-3" />
            branch
          </span>
        )}
      </TableCell>
      <TableCell column={columns.agent}>{session.agentName}</TableCell>
      <TableCell column={columns.items}>{session.itemCount}</TableCell>
      <TableCell column={columns.created} className="text-muted">
        <TimeAgo timestamp={session.createdAt} nowMs={nowMs} />
      </TableCell>
      <TableCell column={columns.updated} className="text-muted">
        <TimeAgo timestamp={session.updatedAt} nowMs={nowMs} />
      </TableCell>
    </TableRow>
  );
};
