import { formatAgo, formatInstant } from "./format.ts";

/** An instant as the reader counts it, with the exact time at hand. */
export const TimeAgo = (props: { readonly timestamp: string; readonly nowMs: number }) => (
  <time dateTime={props.timestamp} title={formatInstant(props.timestamp)}>
    {formatAgo(props.timestamp, props.nowMs)}
    <span className="ml-2 hidden text-faint text-sm tabular-nums xl:inline">
      {formatInstant(props.timestamp)}
    </span>
  </time>
);
