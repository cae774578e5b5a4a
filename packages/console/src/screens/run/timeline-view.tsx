import type { RunRecord } from "@tracon/core";
import { useRef } from "react";
import { formatDurationMs } from "../../design/format.ts";
import { Loading } from "../../design/state-view.tsx";
import { useFollowTail } from "../../design/use-follow-tail.ts";
import { useNow } from "../../design/use-now.ts";
import { useRowKeys } from "../../design/use-row-keys.ts";
import { percentAt, type TimeAxis, timeAxis } from "./time-axis.ts";
import type { Timeline } from "./timeline.ts";
import type { TimelineRow } from "./timeline-row.ts";
import { TIMELINE_COLUMNS, TimelineRowView } from "./timeline-row-view.tsx";
import { type RelatedRecords, timelineRows } from "./timeline-rows.ts";

const TICK_MS = 100;

/** The chapters of a run with their bars on one time axis. */
export function TimelineView(props: {
  readonly run: RunRecord;
  readonly timeline: Timeline;
  readonly related: RelatedRecords;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { run, timeline, related, selected, onSelect } = props;
  const { startedMs, endedMs } = timeline;
  if (startedMs === undefined) return <Loading what="events" rows={4} />;
  return (
    <RowList
      label="Timeline"
      rows={timelineRows(timeline, run, related)}
      startedMs={startedMs}
      endedMs={endedMs}
      selected={selected}
      onSelect={onSelect}
    />
  );
}

/** Rows on one time axis. Follows the tail while what they show goes on. */
export function RowList(props: {
  readonly label: string;
  readonly rows: readonly TimelineRow[];
  readonly startedMs: number;
  /** Absent while it goes on. */
  readonly endedMs: number | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { rows, startedMs, endedMs } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isLive = endedMs === undefined;
  const nowMs = useNow(TICK_MS, !isLive);
  useRowKeys(scroller, rows.length);
  useFollowTail(scroller, rows.length, isLive);

  const axis = timeAxis(startedMs, endedMs ?? nowMs);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <AxisHead axis={axis} />
      <ol aria-label={props.label} aria-busy={isLive}>
        {rows.map((row, index) => (
          <TimelineRowView
            key={row.key}
            row={row}
            index={index}
            axis={axis}
            nowMs={endedMs ?? nowMs}
            isSelected={row.key === props.selected}
            onSelect={() => props.onSelect(row.key)}
          />
        ))}
      </ol>
    </div>
  );
}

const AxisHead = ({ axis }: { readonly axis: TimeAxis }) => (
  <div
    aria-hidden
    className={`${TIMELINE_COLUMNS} sticky top-0 z-2 h-7 border-hairline border-b bg-canvas text-faint text-sm`}
  >
    <span>Chapter</span>
    <span className="text-right">Duration</span>
    <span className="hidden text-right sm:block">Tokens</span>
    <span className="relative hidden h-full md:block">
      {axis.tickOffsetsMs.map((offsetMs) => (
        <span
          key={offsetMs}
          className="absolute inset-y-0 flex items-center whitespace-nowrap border-hairline border-l pl-1"
          style={{ left: `${percentAt(axis, axis.startMs + offsetMs)}%` }}
        >
          {formatDurationMs(offsetMs)}
        </span>
      ))}
    </span>
  </div>
);
