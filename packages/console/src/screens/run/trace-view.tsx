import { useQuery } from "@tanstack/react-query";
import { runTraceQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Identifier } from "../../design/identifier.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { RowList } from "./timeline-view.tsx";
import { traceRows } from "./trace-rows.ts";

/** A run as the spans that OpenTelemetry gets of it, put together from its journal. */
export function TraceView(props: {
  readonly runId: string;
  /** A run that goes on has more spans soon. */
  readonly isLive: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { api } = useServices();
  const trace = useQuery(runTraceQuery(api, props.runId, props.isLive));
  if (trace.data === undefined) {
    return trace.error === null ? (
      <Loading what="trace" rows={4} />
    ) : (
      <FailureView error={trace.error} onRetry={() => void trace.refetch()} />
    );
  }
  const { traceId, startedAt, endedAt, omittedSpans } = trace.data;
  return (
    <>
      <p className="flex shrink-0 flex-wrap gap-x-4 px-4 py-1.5 text-muted text-sm">
        <span>
          Trace <Identifier id={traceId} label="trace id" />
        </span>
        {omittedSpans === undefined ? null : <span>{omittedSpans} later spans are left out</span>}
      </p>
      <RowList
        label="Trace"
        rows={traceRows(trace.data)}
        startedMs={Date.parse(startedAt)}
        endedMs={endedAt === undefined ? undefined : Date.parse(endedAt)}
        selected={props.selected}
        onSelect={props.onSelect}
      />
    </>
  );
}
