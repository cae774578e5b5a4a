import { Link } from "@tanstack/react-router";
import type { RunRecord } from "@tracon/core";
import { type Column, ROW_LINK, TableCell, TableRow } from "../../design/data-table.tsx";
import { formatCost, formatDurationMs, formatTokens, UNKNOWN } from "../../design/format.ts";
import { Identifier } from "../../design/identifier.tsx";
import { StatusMark } from "../../design/status.tsx";
import { TimeAgo } from "../../design/time-ago.tsx";
import { runDurationMs } from "./run-duration.ts";

export const ROW_HEIGHT_PX = 32;

const columns = {
  status: { title: "Status", width: "w-34 md:w-44" },
  agent: { title: "Agent", width: "" },
  started: { title: "Started", width: "w-24 md:w-28 xl:w-60" },
  duration: { title: "Duration", width: "w-28", isWideOnly: true, isFigure: true },
  tokens: { title: "Tokens", width: "w-24", isWideOnly: true, isFigure: true },
  cost: { title: "Cost", width: "w-24", isWideOnly: true, isFigure: true },
  run: { title: "Run", width: "w-44", isWideOnly: true },
} as const satisfies Readonly<Record<string, Column>>;

export const RUN_COLUMNS: readonly Column[] = Object.values(columns);

export function RunRow(props: {
  readonly run: RunRecord;
  readonly index: number;
  readonly nowMs: number;
}) {
  const { run, nowMs } = props;
  const cost = formatCost(run.cost);
  const tokens = formatTokens(run.usage);
  return (
    <TableRow index={props.index}>
      <TableCell column={columns.status}>
        <StatusMark status={run.status} />
      </TableCell>
      <TableCell column={columns.agent}>
        <Link to="/runs/$runId" params={{ runId: run.id }} className={`font-medium ${ROW_LINK}`}>
          {run.agentName}
        </Link>
        {run.agentVersion === undefined ? null : (
          <span className="ml-1.5 text-faint text-sm">v{run.agentVersion}</span>
        )}
      </TableCell>
      <TableCell column={columns.started} className="text-muted">
        <TimeAgo timestamp={run.startedAt} nowMs={nowMs} />
      </TableCell>
      <TableCell column={columns.duration}>{formatDurationMs(runDurationMs(run, nowMs))}</TableCell>
      <TableCell column={columns.tokens} className={tokens === UNKNOWN && "text-faint"}>
        {tokens}
      </TableCell>
      <TableCell column={columns.cost} className={cost === UNKNOWN && "text-faint"}>
        {cost}
      </TableCell>
      <TableCell column={columns.run}>
        <span className="relative z-1">
          <Identifier id={run.id} label="run id" />
        </span>
      </TableCell>
    </TableRow>
  );
}
