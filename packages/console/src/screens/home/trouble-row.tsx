import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunStatistics } from "@tracon/core";
import { useServices } from "../../app/services.tsx";
import { FIGURE_LINK, Figure, Figures } from "../../design/figure.tsx";
import { formatCount, formatShare } from "../../design/format.ts";
import { TimeBars } from "../../design/time-bars.tsx";
import { ErrorClusters } from "./error-clusters.tsx";
import { timeSeriesQuery, windowBucket } from "./home-queries.ts";
import type { HomeWindow } from "./home-route.ts";
import { HomeRow } from "./home-row.tsx";
import { InlineFailure } from "./inline-failure.tsx";

/** Without any run there is no rate and no cost, which is neither zero nor unknown. */
const NOTHING = "–";

/** Is anything wrong: what failed, when, and of what kind. */
export const TroubleRow = (props: {
  readonly since: HomeWindow;
  readonly statistics: RunStatistics;
}) => {
  const { since, statistics } = props;
  const { failedRuns, totalRuns, canceledRuns, errorRate } = statistics;
  return (
    <HomeRow
      title={failedRuns === 0 ? "Nothing is wrong" : "Is anything wrong?"}
      figures={
        <Figures>
          <Figure
            name="Failed runs"
            note={
              <>
                of{" "}
                <Link to="/runs" search={{ since }} className={FIGURE_LINK}>
                  {formatCount(totalRuns)}
                </Link>
              </>
            }
          >
            <Link to="/runs" search={{ since, status: "Failed" }} className={FIGURE_LINK}>
              {formatCount(failedRuns)}
            </Link>
          </Figure>
          <Figure name="Error rate" note="of ended runs">
            {errorRate === undefined ? (
              NOTHING
            ) : (
              <Link to="/runs" search={{ since, status: "Failed" }} className={FIGURE_LINK}>
                {formatShare(errorRate)}
              </Link>
            )}
          </Figure>
          <Figure name="Canceled">
            <Link to="/runs" search={{ since, status: "Canceled" }} className={FIGURE_LINK}>
              {formatCount(canceledRuns)}
            </Link>
          </Figure>
        </Figures>
      }
    >
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <RunsChart since={since} />
        <ErrorClusters since={since} />
      </div>
    </HomeRow>
  );
};

function RunsChart({ since }: { readonly since: HomeWindow }) {
  const { api } = useServices();
  const { data, error } = useQuery(timeSeriesQuery(api, since));
  if (error !== null) return <InlineFailure error={error} />;
  if (data === undefined) return <div className="h-49" />;
  return (
    <TimeBars
      label={`Runs and failed runs per ${windowBucket[since].toLowerCase()}`}
      buckets={data.map((point) => point.bucket)}
      bucket={windowBucket[since]}
      series={[
        { label: "runs", tone: "quiet", values: data.map((point) => point.runs) },
        { label: "failed", tone: "failed", values: data.map((point) => point.failedRuns) },
      ]}
      format={formatCount}
      isCount
    />
  );
}
