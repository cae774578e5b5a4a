import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunErrorStatistics } from "@tracon/core";
import { useServices } from "../../app/services.tsx";
import { ROW_LINK } from "../../design/data-table.tsx";
import { formatAgo, formatCount } from "../../design/format.ts";
import { useNow } from "../../design/use-now.ts";
import { errorsQuery } from "./home-queries.ts";
import type { HomeWindow } from "./home-route.ts";
import { InlineFailure } from "./inline-failure.tsx";

const TICK_MS = 10_000;
/** The rest is in the list of failed runs. */
const MOST_SHOWN = 6;

/** Failures that are alike, the most frequent first, each with a run to look at. */
export function ErrorClusters({ since }: { readonly since: HomeWindow }) {
  const { api } = useServices();
  const { data, error } = useQuery(errorsQuery(api, since));
  const nowMs = useNow(TICK_MS);
  if (error !== null) return <InlineFailure error={error} />;
  if (data === undefined) return <p className="text-muted">Loading…</p>;
  const clusters = clustersOf(data);
  if (clusters.length === 0) return <p className="text-muted">No run failed in this time.</p>;
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-muted text-sm">Failures that are alike</h3>
      <ol>
        {clusters.slice(0, MOST_SHOWN).map((cluster) => (
          <li
            key={`${cluster.class} ${cluster.fingerprint}`}
            className="relative grid grid-cols-[2.5rem_minmax(0,1fr)_auto] gap-x-3 border-hairline border-b py-1.5 last:border-b-0 hover:bg-raised"
          >
            <span className="text-right font-semibold tabular-nums">
              {formatCount(cluster.count)}
            </span>
            <span className="flex min-w-0 flex-col">
              <Link
                to="/runs/$runId"
                params={{ runId: cluster.sampleRunId }}
                title={cluster.sampleMessage}
                className={`truncate ${ROW_LINK}`}
              >
                {cluster.sampleMessage}
              </Link>
              <span className="truncate font-mono text-faint text-sm">{cluster.class}</span>
            </span>
            <span className="text-faint text-sm">{formatAgo(cluster.lastSeenAt, nowMs)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

type ClassedCluster = RunErrorStatistics["topClusters"][number] & Pick<RunErrorStatistics, "class">;

const clustersOf = (statistics: readonly RunErrorStatistics[]): readonly ClassedCluster[] =>
  statistics
    .flatMap(({ class: errorClass, topClusters }) =>
      topClusters.map((cluster) => ({ ...cluster, class: errorClass })),
    )
    .sort((a, b) => b.count - a.count);
