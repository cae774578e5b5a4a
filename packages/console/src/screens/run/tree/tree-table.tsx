import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import {
  type Column,
  DataTable,
  ROW_LINK,
  TableCell,
  TableRow,
} from "../../../design/data-table.tsx";
import { formatCost, formatDurationMs, formatTokens } from "../../../design/format.ts";
import { StatusMark } from "../../../design/status.tsx";
import { useRowKeys } from "../../../design/use-row-keys.ts";
import { TIMED_OUT } from "../child-rows.ts";
import type { TreeRuns } from "./run-tree.ts";
import { outlineLayout } from "./tree-layout.ts";

const columns = {
  agent: { title: "Agent", width: "" },
  status: { title: "Status", width: "w-34 md:w-44" },
  caller: { title: "Called by", width: "w-40", isWideOnly: true },
  tokens: { title: "Tokens", width: "w-24", isWideOnly: true, isFigure: true },
  cost: { title: "Cost", width: "w-28", isWideOnly: true, isFigure: true },
  duration: { title: "Duration", width: "w-24", isFigure: true },
} as const satisfies Readonly<Record<string, Column>>;

const INDENT_REM = 1;

/** The same as rows: who called whom stands in words. */
export function TreeTable(props: { readonly runs: TreeRuns; readonly nowMs: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { places } = outlineLayout(props.runs);
  useRowKeys(scroller, places.length);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <DataTable label="Runs of the tree" columns={Object.values(columns)}>
        {places.map(({ run, level }, index) => (
          <TableRow key={run.runId} index={index}>
            <TableCell column={columns.agent}>
              <Link
                to="/runs/$runId"
                params={{ runId: run.runId }}
                className={`font-medium ${ROW_LINK}`}
                style={{ paddingLeft: `${(level - 1) * INDENT_REM}rem` }}
              >
                {run.agentName}
              </Link>
              {run.agentVersion === undefined ? null : (
                <span className="ml-1.5 text-faint text-sm">v{run.agentVersion}</span>
              )}
            </TableCell>
            <TableCell column={columns.status}>
              <span
                className="inline-flex max-w-full items-center gap-2"
                title={run.timedOut && TIMED_OUT[run.timedOut]}
              >
                <StatusMark status={run.status} />
                {run.timedOut === undefined ? null : (
                  <span className="truncate text-failed text-sm">{TIMED_OUT[run.timedOut]}</span>
                )}
              </span>
            </TableCell>
            <TableCell column={columns.caller} className="text-muted">
              {run.parentRunId === undefined ? "" : props.runs.get(run.parentRunId)?.agentName}
            </TableCell>
            <TableCell column={columns.tokens}>{formatTokens(run.record?.usage)}</TableCell>
            <TableCell column={columns.cost}>{formatCost(run.record?.cost)}</TableCell>
            <TableCell column={columns.duration}>
              {formatDurationMs((run.endedMs ?? props.nowMs) - run.startedMs)}
            </TableCell>
          </TableRow>
        ))}
      </DataTable>
    </div>
  );
}
