import { getRouteApi, Link } from "@tanstack/react-router";
import type { RunListQuery } from "@tracon/client";
import { useMemo } from "react";
import { Button, buttonClass } from "../../design/button.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { NoRuns } from "./no-runs.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunTable } from "./run-table.tsx";
import type { RunsSearch, TimeWindow } from "./runs-route.ts";
import { type RunListState, useRunList } from "./use-run-list.ts";

const route = getRouteApi("/runs");

const HOUR_MS = 3_600_000;
const windowMs: Readonly<Record<TimeWindow, number>> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 168 * HOUR_MS,
  "30d": 720 * HOUR_MS,
};

export function RunsScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { agent, status, since, session } = search;
  const filter = useMemo(
    (): RunListQuery => ({
      agentName: agent,
      status,
      sessionId: session,
      startedAfter:
        since === undefined ? undefined : new Date(Date.now() - windowMs[since]).toISOString(),
    }),
    [agent, status, since, session],
  );
  const list = useRunList(filter);
  const show = (next: RunsSearch) => void navigate({ search: next, replace: true });

  return (
    <>
      <TitleRow
        title="Runs"
        actions={
          <Link to="/playground" className={buttonClass("primary")}>
            Run an agent
          </Link>
        }
      />
      <RunFilters search={search} onChange={show} />
      <RunList list={list} isFiltered={Object.keys(search).length > 0} onClear={() => show({})} />
    </>
  );
}

function RunList(props: {
  readonly list: RunListState;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const { list } = props;
  if (list.runs === undefined) {
    return list.error === null ? (
      <Loading what="runs" />
    ) : (
      <FailureView error={list.error} onRetry={list.retry} />
    );
  }
  if (list.runs.length > 0) return <RunTable list={list} runs={list.runs} />;
  return props.isFiltered ? (
    <Empty
      title="No run matches"
      text="No run has all that the filters ask for."
      actions={<Button onClick={props.onClear}>Show all runs</Button>}
    />
  ) : (
    <NoRuns />
  );
}
