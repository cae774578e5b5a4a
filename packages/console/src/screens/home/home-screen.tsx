import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useServices } from "../../app/services.tsx";
import { Select } from "../../design/field.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { NoRuns } from "../runs/no-runs.tsx";
import { CostRow } from "./cost-row.tsx";
import { statisticsQuery } from "./home-queries.ts";
import { type HomeWindow, homeWindows, windowNames } from "./home-route.ts";
import { TroubleRow } from "./trouble-row.tsx";
import { WaitingRow } from "./waiting-row.tsx";

const route = getRouteApi("/");

/** Is anything wrong, what waits for me, what does it cost. */
export function HomeScreen() {
  const { since = "7d" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <TitleRow
        title="Home"
        actions={
          <Select
            aria-label="Time"
            value={since}
            onPick={(next) =>
              void navigate({ search: { since: next as HomeWindow }, replace: true })
            }
            options={homeWindows.map((value) => ({ value, label: windowNames[value] }))}
          />
        }
      />
      <HomeRows since={since} />
    </>
  );
}

function HomeRows({ since }: { readonly since: HomeWindow }) {
  const { api } = useServices();
  const statistics = useQuery(statisticsQuery(api, since));
  const isEmpty = statistics.data?.totalRuns === 0;
  const anyRun = useQuery({
    queryKey: ["runs", "any"],
    queryFn: async ({ signal }) => (await api.runs.list({ take: 1 }, { signal })).items.length > 0,
    enabled: isEmpty,
  });
  if (statistics.data === undefined) {
    return statistics.error === null ? (
      <Loading what="figures" />
    ) : (
      <FailureView error={statistics.error} onRetry={() => void statistics.refetch()} />
    );
  }
  if (isEmpty && anyRun.data === false) return <NoRuns />;
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 p-4">
      <TroubleRow since={since} statistics={statistics.data} />
      <WaitingRow statistics={statistics.data} />
      <CostRow since={since} statistics={statistics.data} />
    </div>
  );
}
