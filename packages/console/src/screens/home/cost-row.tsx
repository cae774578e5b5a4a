import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunStatistics } from "@tracon/core";
import { useServices } from "../../app/services.tsx";
import { FIGURE_LINK, Figure, Figures } from "../../design/figure.tsx";
import { formatCount, formatMoney, UNKNOWN } from "../../design/format.ts";
import { TimeBars } from "../../design/time-bars.tsx";
import { CostShares } from "./cost-shares.tsx";
import { timeSeriesQuery, windowBucket } from "./home-queries.ts";
import type { HomeWindow } from "./home-route.ts";
import { HomeRow } from "./home-row.tsx";
import { InlineFailure } from "./inline-failure.tsx";

/** What did not run cost nothing that could be known or not. */
const NOTHING = "–";

/** What it costs: in sum, per day, and by whom. What has no price is counted apart. */
export const CostRow = (props: {
  readonly since: HomeWindow;
  readonly statistics: RunStatistics;
}) => {
  const { since, statistics } = props;
  const { currency = "USD", runsWithUnknownPricing, totalTokens } = statistics;
  return (
    <HomeRow
      title="What does it cost?"
      figures={
        <Figures>
          <Figure
            name="Cost"
            note={
              runsWithUnknownPricing > 0
                ? `without ${formatCount(runsWithUnknownPricing)} ${runsWithUnknownPricing === 1 ? "run" : "runs"} of unknown price`
                : undefined
            }
          >
            {statistics.totalRuns === 0 ? NOTHING : costText(statistics)}
          </Figure>
          <Figure name="Tokens">
            {statistics.totalRuns === 0 ? NOTHING : tokensText(totalTokens)}
          </Figure>
          <Figure name="Runs">
            <Link to="/runs" search={{ since }} className={FIGURE_LINK}>
              {formatCount(statistics.totalRuns)}
            </Link>
          </Figure>
        </Figures>
      }
    >
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <CostChart since={since} currency={currency} />
        <CostShares since={since} statistics={statistics} />
      </div>
    </HomeRow>
  );
};

/** Costs in several currencies have no sum, so each is said. */
const costText = ({ costs }: RunStatistics): string =>
  costs.map(({ totalCost, currency }) => formatMoney(totalCost, currency)).join(" + ") || UNKNOWN;

const tokensText = (tokens: number | undefined): string =>
  tokens === undefined ? UNKNOWN : formatCount(tokens);

function CostChart(props: { readonly since: HomeWindow; readonly currency: string }) {
  const { since } = props;
  const { api } = useServices();
  const { data, error } = useQuery(timeSeriesQuery(api, since));
  if (error !== null) return <InlineFailure error={error} />;
  if (data === undefined) return <div className="h-49" />;
  const currency = data.find((point) => point.currency !== undefined)?.currency ?? props.currency;
  return (
    <TimeBars
      label={`Cost per ${windowBucket[since].toLowerCase()}`}
      buckets={data.map((point) => point.bucket)}
      bucket={windowBucket[since]}
      // A time without runs costs nothing; a time with runs and no cost is not known.
      series={[
        {
          label: "cost",
          values: data.map((point) => point.cost ?? (point.runs === 0 ? 0 : undefined)),
        },
      ]}
      format={(amount) => formatMoney(amount, currency)}
    />
  );
}
