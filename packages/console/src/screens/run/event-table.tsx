import { useVirtualizer } from "@tanstack/react-virtual";
import type { RunEvent } from "@tracon/core";
import { useRef } from "react";
import { classNames } from "../../design/class-names.ts";
import { ROW_LINK } from "../../design/data-table.tsx";
import { formatDurationMs } from "../../design/format.ts";
import { Loading } from "../../design/state-view.tsx";
import { useRowKeys } from "../../design/use-row-keys.ts";

const ROW_HEIGHT_PX = 28;
const OVERSCAN_ROWS = 16;
const PREVIEW_LENGTH = 200;

/** Key of an event's place in the address. */
export const eventKey = (sequence: number): string => `e${sequence}`;

/** Every recorded event as it is, in order. */
export function EventTable(props: {
  readonly events: readonly RunEvent[];
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { events } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
  });
  useRowKeys(scroller, events.length, (row) => rows.scrollToIndex(row));
  const startMs = Date.parse(events[0]?.timestamp ?? "");

  if (events.length === 0) return <Loading what="events" rows={4} />;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <ol aria-label="Events" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          return event === undefined ? null : (
            <li
              key={event.sequence}
              data-row={index}
              className={classNames(
                "absolute inset-x-0 grid h-7 grid-cols-[3rem_4.5rem_minmax(9rem,max-content)_minmax(0,1fr)] items-center gap-x-3 border-hairline border-b px-4 font-mono text-sm hover:bg-raised",
                props.selected === eventKey(event.sequence) && "bg-accent-soft",
              )}
              style={{ top: start }}
            >
              <span className="text-right text-faint tabular-nums">{event.sequence}</span>
              <span className="text-right text-muted tabular-nums">
                {formatDurationMs(Date.parse(event.timestamp) - startMs)}
              </span>
              <button
                type="button"
                onClick={() => props.onSelect(eventKey(event.sequence))}
                className={`text-left ${ROW_LINK}`}
              >
                {event.type}
              </button>
              <span className="truncate text-muted">{previewOf(event)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const previewOf = (event: RunEvent): string =>
  (event.text ?? JSON.stringify(event.payload)).slice(0, PREVIEW_LENGTH);
