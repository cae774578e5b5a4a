import { useQuery } from "@tanstack/react-query";
import { runTraceQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Facts, Section } from "../../design/facts.tsx";
import { formatDurationMs } from "../../design/format.ts";

/** One span in full: its place in the trace and what OpenTelemetry is told of it. */
export function SpanInspector(props: { readonly rootRunId: string; readonly spanId: string }) {
  const { api } = useServices();
  const { data } = useQuery(runTraceQuery(api, props.rootRunId, false));
  const span = data?.spans.find(({ id }) => id === props.spanId);
  if (span === undefined) return <p className="text-muted">The trace has no such span.</p>;
  const { name, kind, status, startedAt, endedAt, spanId, parentId, attributes } = span;
  return (
    <>
      <Facts
        facts={[
          ["Span", name],
          ["Kind", kind],
          ["Status", status],
          [
            "Duration",
            endedAt === undefined
              ? "still going on"
              : formatDurationMs(Date.parse(endedAt) - Date.parse(startedAt)),
          ],
          ["Span id", <code key="id">{spanId}</code>],
          ["Part of", parentId && <code>{parentId}</code>],
        ]}
      />
      <Section title="Attributes">
        <Facts facts={Object.entries(attributes)} />
      </Section>
    </>
  );
}
