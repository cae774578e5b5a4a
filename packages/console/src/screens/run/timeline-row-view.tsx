import { Link } from "@tanstack/react-router";
import {
  Bot,
  CircleCheck,
  CircleSlash,
  CircleX,
  GitBranch,
  GitFork,
  Hourglass,
  Info,
  LoaderCircle,
  type LucideIcon,
  Repeat,
  Scale,
  ShieldCheck,
  SquareArrowOutUpRight,
  TriangleAlert,
  Wrench,
} from "lucide-react";
import { classNames } from "../../design/class-names.ts";
import { ROW_LINK } from "../../design/data-table.tsx";
import { formatCount, formatDurationMs } from "../../design/format.ts";
import { StatusMark, type Tone, toneFill, toneText } from "../../design/status.tsx";
import { percentAt, type TimeAxis } from "./time-axis.ts";
import type { TimelineRow } from "./timeline-row.ts";

export const TIMELINE_COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_5rem] items-center gap-x-3 px-4 sm:grid-cols-[minmax(0,1fr)_5rem_4rem] md:grid-cols-[minmax(14rem,4fr)_5.5rem_4rem_minmax(7rem,3fr)]";

const kindIcons: Readonly<Record<TimelineRow["kind"], LucideIcon>> = {
  run: GitBranch,
  iteration: Repeat,
  model: Bot,
  tool: Wrench,
  child: GitFork,
  decision: Repeat,
  judge: Scale,
  warning: TriangleAlert,
  approval: ShieldCheck,
  moment: Info,
  waiting: Hourglass,
};

const toneWords: Readonly<Record<Tone, readonly [word: string, icon: LucideIcon]>> = {
  running: ["running", LoaderCircle],
  good: ["ended well", CircleCheck],
  waiting: ["waiting", Hourglass],
  failed: ["failed", CircleX],
  idle: ["", CircleSlash],
};

/** What has no length: its words take the place of figures. */
const momentKinds: ReadonlySet<TimelineRow["kind"]> = new Set([
  "decision",
  "approval",
  "warning",
  "moment",
]);

const INDENT_REM = 1;

type RowProps = {
  readonly row: TimelineRow;
  readonly index: number;
  readonly axis: TimeAxis;
  readonly nowMs: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
};

export function TimelineRowView({ row, index, axis, nowMs, isSelected, onSelect }: RowProps) {
  const Icon = kindIcons[row.kind];
  const isMoment = momentKinds.has(row.kind);
  const durationMs = (row.endedMs ?? nowMs) - row.startedMs;
  return (
    <li
      data-row={index}
      className={classNames(
        TIMELINE_COLUMNS,
        "relative min-h-8 border-hairline border-b hover:bg-raised",
        isSelected && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <span
        className={classNames(
          "flex min-w-0 items-center gap-1.5",
          isMoment && "col-span-2 py-1 sm:col-span-3",
          row.child !== undefined && row.note !== undefined && "flex-wrap py-1",
        )}
        style={{ paddingLeft: `${row.depth * INDENT_REM}rem` }}
      >
        <Icon
          aria-hidden
          className={classNames(
            "size-3.5 shrink-0",
            row.kind === "warning" ? "text-waiting" : "text-faint",
          )}
        />
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={onSelect}
          className={classNames(
            "text-left",
            ROW_LINK,
            isMoment ? "[overflow-wrap:anywhere]" : "truncate",
            row.kind === "iteration" && "shrink-0",
            row.kind === "tool" && "font-mono text-sm",
            isMoment && "text-muted",
          )}
        >
          {row.kind === "warning" ? <span className="sr-only">Warning: </span> : null}
          {row.title}
        </button>
        <RowMark row={row} />
        <Note row={row} />
      </span>
      {isMoment ? null : (
        <>
          <span className="text-right text-muted tabular-nums">{formatDurationMs(durationMs)}</span>
          <span className="hidden text-right text-muted tabular-nums sm:block">
            {row.tokens === undefined ? "" : formatCount(row.tokens)}
          </span>
        </>
      )}
      <Bar row={row} axis={axis} nowMs={nowMs} isMoment={isMoment} />
    </li>
  );
}

function Note({ row: { note, child } }: { readonly row: TimelineRow }) {
  if (note === undefined) return null;
  // Why nobody waited for a run is no detail: it stands there also where there is little room.
  const look = child === undefined ? "hidden truncate text-faint lg:inline" : "text-failed";
  return <span className={`text-sm ${look}`}>{note}</span>;
}

function RowMark({ row }: { readonly row: TimelineRow }) {
  if (row.child !== undefined) return <ChildMark child={row.child} title={row.title} />;
  // A warning says by its icon what it is.
  return row.kind === "warning" ? null : <ToneMark tone={row.tone} />;
}

/** How a run below goes, and the way to it. */
const ChildMark = (props: {
  readonly child: NonNullable<TimelineRow["child"]>;
  readonly title: string;
}) => (
  <>
    <span className="inline-flex text-sm">
      <StatusMark status={props.child.status} />
    </span>
    <Link
      to="/runs/$runId"
      params={{ runId: props.child.runId }}
      aria-label={`Open the run of ${props.title}`}
      className="relative z-1 inline-flex size-6 shrink-0 items-center justify-center rounded-md text-accent hover:bg-raised"
    >
      <SquareArrowOutUpRight aria-hidden className="size-3.5" />
    </Link>
  </>
);

/** How it went, as an icon with a word for those who do not see it. */
function ToneMark({ tone }: { readonly tone: Tone }) {
  const [word, Icon] = toneWords[tone];
  if (word === "") return null;
  return (
    <span className={classNames("inline-flex shrink-0 items-center gap-1 text-sm", toneText[tone])}>
      <Icon aria-hidden className={classNames("size-3", tone === "running" && "animate-turn")} />
      <span className={tone === "failed" ? "" : "sr-only"}>{word}</span>
    </span>
  );
}

function Bar(props: {
  readonly row: TimelineRow;
  readonly axis: TimeAxis;
  readonly nowMs: number;
  readonly isMoment: boolean;
}) {
  const { row, axis } = props;
  const start = percentAt(axis, row.startedMs);
  const end = percentAt(axis, row.endedMs ?? props.nowMs);
  const first = percentAt(axis, row.firstPartMs ?? row.startedMs);
  const fill = toneFill[row.tone];
  return (
    <span aria-hidden className="relative hidden h-full md:block">
      {axis.tickOffsetsMs.map((offsetMs) => (
        <span
          key={offsetMs}
          className="absolute inset-y-0 border-hairline border-l"
          style={{ left: `${percentAt(axis, axis.startMs + offsetMs)}%` }}
        />
      ))}
      {props.isMoment ? (
        <span
          className={classNames("absolute top-3 -ml-1 size-2 rotate-45", fill)}
          style={{ left: `${start}%` }}
        />
      ) : (
        <>
          <span
            className={classNames("absolute top-3 h-2 min-w-0.5 rounded-xs opacity-45", fill)}
            style={{ left: `${start}%`, width: `${end - start}%` }}
          />
          <span
            className={classNames("absolute top-3 h-2 min-w-0.5 rounded-xs", fill)}
            style={{ left: `${first}%`, width: `${end - first}%` }}
          />
        </>
      )}
    </span>
  );
}
