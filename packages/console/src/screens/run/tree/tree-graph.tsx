import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { classNames } from "../../../design/class-names.ts";
import { formatDurationMs, formatTokens, UNKNOWN } from "../../../design/format.ts";
import { StatusMark, statusTone, type Tone, toneFill } from "../../../design/status.tsx";
import { useWidth } from "../../../design/use-width.ts";
import { TIMED_OUT } from "../child-rows.ts";
import type { TreeRun, TreeRuns } from "./run-tree.ts";
import { type Box, edgePath, type NodeSizes, nodeBox, sizesFor } from "./tree-geometry.ts";
import { outlineLayout, type TreeLayout, type TreePlace, tidyLayout } from "./tree-layout.ts";

type GraphProps = {
  readonly runs: TreeRuns;
  /** The run whose page this is. */
  readonly ownRunId: string;
  readonly selected: string | undefined;
  readonly nowMs: number;
  readonly onSelect: (runId: string) => void;
};

/** The runs of a tree as a drawing, each below its caller. What goes on in it is seen as it happens. */
export function TreeGraph(props: GraphProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const sizes = useMemo(() => sizesFor(width), [width]);
  const layout = sizes.isOutline ? outlineLayout(props.runs) : tidyLayout(props.runs);
  return (
    <div ref={frame} className="min-h-0 flex-1 overflow-auto">
      {width === 0 ? null : <Drawing {...props} layout={layout} sizes={sizes} />}
    </div>
  );
}

function Drawing(props: GraphProps & { readonly layout: TreeLayout; readonly sizes: NodeSizes }) {
  const { layout, sizes, selected, ownRunId } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What is selected stays in sight, also when its details take a part of the room.
    if (selected === undefined || sizes.width === 0) return;
    const node = list.current?.querySelector(`[data-run="${CSS.escape(selected)}"]`);
    node?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected, sizes]);
  const ids = layout.places.map(({ run }) => run.runId);
  const boxes = new Map(layout.places.map((it) => [it.run.runId, nodeBox(it, sizes)]));
  // One stop for the tab key: what is selected, or the run whose page this is.
  const stop = [selected, ownRunId].find((id) => id !== undefined && boxes.has(id)) ?? ids[0];
  const onKeyDown = (event: KeyboardEvent, place: TreePlace) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      props.onSelect(place.run.runId);
      return;
    }
    const next = neighbour(event.key, place, layout.places);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`[data-run="${next}"]`)?.focus();
  };
  return (
    <div className="relative m-4" style={sizeOf([...boxes.values()])}>
      <Edges layout={layout} boxes={boxes} sizes={sizes} />
      <div ref={list} role="tree" aria-label="Runs of the tree">
        {layout.places.map((place) => (
          <Node
            key={place.run.runId}
            {...props}
            place={place}
            box={boxes.get(place.run.runId)}
            isStop={place.run.runId === stop}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
    </div>
  );
}

function Node(
  props: GraphProps & {
    readonly place: TreePlace;
    readonly box: Box | undefined;
    readonly isStop: boolean;
    readonly onKeyDown: (event: KeyboardEvent, place: TreePlace) => void;
  },
) {
  const { place, box, selected, ownRunId } = props;
  const { run, level, callees } = place;
  const { runId } = run;
  const caller = run.parentRunId === undefined ? undefined : props.runs.get(run.parentRunId);
  if (box === undefined) return null;
  const isSelected = runId === selected;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      aria-current={runId === ownRunId ? "page" : undefined}
      aria-expanded={callees.length === 0 ? undefined : true}
      data-run={runId}
      tabIndex={props.isStop ? 0 : -1}
      onClick={() => props.onSelect(runId)}
      onKeyDown={(event) => props.onKeyDown(event, place)}
      className={classNames(
        "absolute flex scroll-m-4 animate-arrive cursor-pointer overflow-hidden rounded-md border",
        isSelected ? "border-accent bg-accent-soft" : "border-edge/60 bg-surface hover:bg-raised",
      )}
      style={box}
    >
      <Hue tone={toneOf(run)} />
      <span className="flex min-w-0 flex-1 flex-col justify-center gap-0.5 px-2">
        <span className="flex min-w-0 items-baseline gap-1.5">
          <span className="truncate font-medium">{run.agentName}</span>{" "}
          {run.agentVersion === undefined ? null : (
            <span className="shrink-0 text-muted text-sm">v{run.agentVersion}</span>
          )}
          {runId === ownRunId ? (
            <span className="ml-auto shrink-0 text-accent text-xs"> this run</span>
          ) : null}
        </span>{" "}
        <span className="flex min-w-0 items-center gap-2 whitespace-nowrap text-muted text-sm tabular-nums">
          <StatusMark status={run.status} />{" "}
          <span className="truncate">
            {run.timedOut === undefined ? figuresOf(run, props.nowMs) : TIMED_OUT[run.timedOut]}
          </span>
        </span>
        {caller === undefined ? null : (
          <span className="sr-only"> called by {caller.agentName}</span>
        )}
      </span>
    </div>
  );
}

const toneOf = ({ status, timedOut }: TreeRun): Tone =>
  timedOut === undefined ? statusTone(status) : "failed";

/** The state at a glance; the words beside it say the same. */
const Hue = ({ tone }: { readonly tone: Tone }) => (
  <span
    aria-hidden
    className={classNames("w-1 shrink-0", toneFill[tone], tone === "running" && "animate-breathe")}
  />
);

function figuresOf(run: TreeRun, nowMs: number): string {
  const tokens = formatTokens(run.record?.usage);
  const duration = formatDurationMs((run.endedMs ?? nowMs) - run.startedMs);
  // A run that goes on has not said yet what it used.
  return tokens === UNKNOWN ? duration : `${tokens} tokens · ${duration}`;
}

/** Whom an arrow key leads to: the caller, the first callee, the one before or behind. */
function neighbour(
  key: string,
  { run, callees }: TreePlace,
  places: readonly TreePlace[],
): string | undefined {
  const at = places.findIndex((it) => it.run.runId === run.runId);
  const idAt = (index: number) => places.at(index)?.run.runId;
  switch (key) {
    case "ArrowDown":
      return idAt(Math.min(at + 1, places.length - 1));
    case "ArrowUp":
      return idAt(Math.max(at - 1, 0));
    case "ArrowLeft":
      return run.parentRunId;
    case "ArrowRight":
      return callees[0];
    case "Home":
      return idAt(0);
    case "End":
      return idAt(-1);
    default:
      return undefined;
  }
}

function Edges(props: {
  readonly layout: TreeLayout;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly sizes: NodeSizes;
}) {
  const { layout, boxes, sizes } = props;
  const { width, height } = sizeOf([...boxes.values()]);
  return (
    <svg aria-hidden width={width} height={height} className="absolute inset-0">
      {layout.places.flatMap(({ run, callees }) => {
        const from = boxes.get(run.runId);
        return callees.map((callee) => {
          const to = boxes.get(callee);
          return from === undefined || to === undefined ? null : (
            <path
              key={callee}
              d={edgePath(from, to, sizes)}
              fill="none"
              strokeWidth={1.5}
              className="animate-arrive stroke-edge"
            />
          );
        });
      })}
    </svg>
  );
}

const sizeOf = (boxes: readonly Box[]): { readonly width: number; readonly height: number } => ({
  width: Math.max(0, ...boxes.map(({ left, width }) => left + width)),
  height: Math.max(0, ...boxes.map(({ top, height }) => top + height)),
});
