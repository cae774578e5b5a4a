import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { RunRecord } from "@tracon/core";
import { runQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { StatusMark } from "../../design/status.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { usePageKeys } from "../../shell/keys.ts";
import { CancelRun } from "./cancel-run.tsx";
import { Inspector } from "./inspector.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunFailure } from "./run-failure.tsx";
import type { RunSearch } from "./run-route.ts";
import { RunTabs } from "./run-tabs.tsx";
import { RunWaiting } from "./run-waiting.tsx";
import type { ApprovalsById } from "./timeline-rows.ts";
import { useRunTree } from "./tree/use-run-tree.ts";
import { useRunApprovals } from "./use-run-approvals.ts";
import { type RunEventsState, useRunEvents } from "./use-run-events.ts";

const route = getRouteApi("/runs/$runId");

/** Time between two looks at the record of a run that goes on; its events come by themselves. */
const RUNNING_REFRESH_MS = 5_000;

export function RunScreen() {
  const { runId } = route.useParams();
  const { api } = useServices();
  const run = useQuery({
    ...runQuery(api, runId),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.completedAt !== undefined ? false : RUNNING_REFRESH_MS,
  });

  if (run.data === undefined) {
    return (
      <>
        <TitleRow title="Run" />
        {run.error === null ? (
          <Loading what="run" />
        ) : (
          <FailureView error={run.error} onRetry={() => void run.refetch()} />
        )}
      </>
    );
  }
  return <RunPage key={runId} run={run.data} />;
}

function RunPage({ run }: { readonly run: RunRecord }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const state = useRunEvents(run.id);
  const approvals = useRunApprovals(state.timeline);
  const tree = useRunTree(run, state.events, search.view === "tree");
  const show = (next: RunSearch) => void navigate({ search: next, replace: true });
  const close = () => {
    const { at: _, ...others } = search;
    show(others);
  };
  usePageKeys((key) => {
    if (key === "Escape" && search.at !== undefined) close();
  });

  return (
    <>
      <TitleRow
        title={run.agentName}
        state={
          <span role="status">
            <StatusMark status={run.status} />
          </span>
        }
        actions={<CancelRun run={run} isWaiting={isWaiting(approvals)} />}
      />
      <RunFacts run={run} timeline={state.timeline} tree={tree.runs} />
      <RunFailure run={run} />
      <RunWaiting approvals={approvals} />
      {state.error === undefined ? null : <LostConnection state={state} />}
      <div className="flex min-h-0 flex-1">
        <RunTabs
          run={run}
          state={state}
          approvals={approvals}
          tree={tree}
          search={search}
          onSearch={show}
        />
        <Inspector
          run={run}
          state={state}
          approvals={approvals}
          tree={tree.runs}
          view={search.view ?? "timeline"}
          at={search.at}
          onClose={close}
        />
      </div>
    </>
  );
}

const isWaiting = (approvals: ApprovalsById): boolean =>
  [...approvals.values()].some(({ status }) => status === "Pending");

const LostConnection = ({ state }: { readonly state: RunEventsState }) => (
  <div
    role="alert"
    className="flex items-center gap-3 border-hairline border-b bg-raised px-4 py-1.5"
  >
    <span>
      The connection to the run's events was lost. The run goes on at the server:{" "}
      {state.error instanceof Error ? state.error.message : String(state.error)}
    </span>
    <Button onClick={state.reconnect}>Reconnect</Button>
  </div>
);
