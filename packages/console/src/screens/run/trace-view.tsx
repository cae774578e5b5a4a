import { useQuery } from "@tanstack/react-query";
import type { RunRecord } from "@tracon/core";
import { runTraceQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Identifier } from "../../design/identifier.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { RowList } from "./timeline-view.tsx";
import { traceRows } from "./trace-rows.ts";

/**
 * A run as the spans that OpenTelemetry gets of it and of what it called, put together from their
 * journals. Only the root of a tree has a trace; of another run its part of that one is shown.
 */
export function TraceView(props: {
  readonly run: RunRecord;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}) {
  const { api } = useServices();
  const { run } = props;
  // A run that goes on has more spans soon.
  const isLive = run.completedAt === undefined;
  const trace = useQuery(runTraceQuery(api, run.rootRunId ?? run.id, isLive));
  if (trace.data === undefined) {
    return trace.error === null ? (
      <Loading what="trace" rows={4} />
    ) : (
      <FailureView error={trace.error} onRetry={() => void trace.refetch()} />
    );
  }
  const { traceId, omittedSpans } = trace.data;
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
        rows={traceRows(trace.data, run.id)}
        startedMs={Date.parse(run.startedAt)}
        endedMs={run.completedAt === undefined ? undefined : Date.parse(run.completedAt)}
        selected={props.selected}
        onSelect={props.onSelect}
      />
    </>
  );
}
