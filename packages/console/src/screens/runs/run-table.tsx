import { useVirtualizer } from "@tanstack/react-virtual";
import type { RunRecord } from "@tracon/core";
import { ArrowUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { DataTable } from "../../design/data-table.tsx";
import { useNow } from "../../design/use-now.ts";
import { useRowKeys } from "../../design/use-row-keys.ts";
import { ROW_HEIGHT_PX, RUN_COLUMNS, RunRow } from "./run-row.tsx";
import type { RunListState } from "./use-run-list.ts";

const OVERSCAN_ROWS = 12;
const TICK_MS = 1_000;

type RunTableProps = { readonly list: RunListState; readonly runs: readonly RunRecord[] };

/** Runs in a scrolling table that only draws what is seen. New runs wait while one reads further down. */
export function RunTable({ list, runs }: RunTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const nowMs = useNow(TICK_MS);
  const [topId, setTopId] = useState<string>();
  const shown = topId === undefined ? runs : runs.filter((run) => run.id <= topId);
  const newCount = runs.length - shown.length;

  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => shown[index]?.id ?? index,
  });
  const drawn = rows.getVirtualItems();
  useRowKeys(scroller, shown.length, (row) => rows.scrollToIndex(row));

  const onScroll = () => {
    const isAtTop = (scroller.current?.scrollTop ?? 0) === 0;
    if (isAtTop !== (topId === undefined)) setTopId(isAtTop ? undefined : shown[0]?.id);
  };

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {newCount > 0 ? (
        <Button
          icon={ArrowUp}
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
          className="absolute top-10 left-1/2 z-10 -translate-x-1/2 shadow-overlay"
        >
          {newCount} new {newCount === 1 ? "run" : "runs"}
        </Button>
      ) : null}
      <div ref={scroller} onScroll={onScroll} className="min-h-0 flex-1 overflow-auto">
        <DataTable label="Runs" columns={RUN_COLUMNS} rowCount={shown.length}>
          <Spacer heightPx={drawn.at(0)?.start ?? 0} />
          {drawn.map(({ index, key }) => {
            const run = shown[index];
            return run === undefined ? null : (
              <RunRow key={key} run={run} index={index} nowMs={nowMs} />
            );
          })}
          <Spacer heightPx={rows.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </DataTable>
        <ListEnd list={list} count={shown.length} />
      </div>
    </div>
  );
}

/** Stands for the rows that are not drawn. */
const Spacer = ({ heightPx }: { readonly heightPx: number }) =>
  heightPx === 0 ? null : (
    <tr aria-hidden>
      <td style={{ height: heightPx }} />
    </tr>
  );

const ListEnd = ({ list, count }: { readonly list: RunListState; readonly count: number }) => (
  <div className="flex h-12 items-center justify-center gap-3 text-muted">
    <span>
      {count} {count === 1 ? "run" : "runs"}
      {list.hasMore ? " loaded" : ""}
    </span>
    {list.hasMore ? (
      <Button onClick={list.loadMore} disabled={list.isLoadingMore}>
        {list.isLoadingMore ? "Loading…" : "Load more"}
      </Button>
    ) : null}
  </div>
);
